"""A reader of one simple form of documents: sentences with [n], then a numbered list."""

import re

from webquarry.content.citations.bibliography_files import read_bibliography_file
from webquarry.content.manuscript.manuscript_model import (
    CitationMarker,
    Manuscript,
    ManuscriptSentence,
    ManuscriptSource,
    ReferenceEntry,
    Span,
)

_MARKER = re.compile(r"\[(\d+)\]")
_SENTENCE = re.compile(r"[^.\n](?:[^.\n]|\.(?=\d))*\.")
HEADING = "## References"


class NumberedTextReader:
    """Reads texts whose references are BibTeX entries after the heading."""

    def __init__(self) -> None:
        self.reads = 0

    async def read_manuscript(self, source: ManuscriptSource) -> Manuscript:
        self.reads += 1
        text = source.data if isinstance(source.data, str) else source.data.decode()
        body, _, listed = text.partition(HEADING)
        entries = read_bibliography_file(listed.encode(), form="bibtex").entries
        references = tuple(
            ReferenceEntry(
                f"r{number}", str(number), entry.title, Span(len(body), len(text)),
                authors=entry.authors, title=entry.title, container=entry.venue, year=entry.date,
                doi=entry.doi, url=entry.url, kind=entry.kind, pages=entry.pages,
                volume=entry.volume,
            )
            for number, entry in enumerate(entries, 1)
        )  # fmt: skip
        markers = tuple(
            CitationMarker(
                f"m{at}", "numbered", match[0], Span(match.start(), match.end()),
                tuple(each.id for each in references if each.label == match[1]),
            )
            for at, match in enumerate(_MARKER.finditer(body))
        )  # fmt: skip
        sentences = tuple(
            ManuscriptSentence(
                match[0], " ".join(_MARKER.sub("", match[0]).split()).replace(" .", "."),
                Span(match.start(), match.end()), "",
                markers=tuple(m.id for m in markers if match.start() <= m.span.start < match.end()),
            )
            for match in _SENTENCE.finditer(body)
        )  # fmt: skip
        return Manuscript("", "markdown", text, (), sentences, markers, references)
