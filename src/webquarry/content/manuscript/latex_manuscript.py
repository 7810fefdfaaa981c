"""Reads LaTeX documents: their text, citations and footnotes, and a .bib file beside them."""

import re
from collections.abc import Iterator
from dataclasses import replace

from webquarry.content.citations.bib_entry import BibEntry
from webquarry.content.citations.bibliography_files import read_bibliography
from webquarry.content.citations.bibtex_file import text_of_latex
from webquarry.content.manuscript.manuscript_builder import build_manuscript
from webquarry.content.manuscript.manuscript_model import Manuscript, ReferenceEntry, Span
from webquarry.content.manuscript.raised_text import with_raised_digits
from webquarry.content.manuscript.reference_list import reference_entry

_UNWRITTEN = re.compile(
    r"\\(?:maketitle|tableofcontents|bibliographystyle\{[^{}]{0,300}\}|bibliography\{[^{}]{0,300}\})"
)
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_BODY = re.compile(r"\\begin\s?\{document\}|\\end\s?\{document\}")
_OMITTED = re.compile(
    r"\\begin\{(equation|align|gather|multline|eqnarray|tikzpicture|lstlisting|verbatim|algorithm)\*?\}"
)
_CITE = re.compile(
    r"\\([A-Za-z]{0,12}[Cc]ite[A-Za-z]{0,12})\*?(?:\s?\[[^\[\]]{0,200}\]){0,2}\s?\{([^{}]{1,2000})\}"
)
# \textsuperscript{3} · $^{1,2}$ · $^3$
_RAISED = re.compile(
    r"\\textsuperscript\s?\{([\d\s,;-]{1,60})\}|\$\s?\^\s?(?:\{([\d\s,;-]{1,60})\}|(\d))\s?\$"
)
_SECTIONS = {"part": 1, "chapter": 1, "section": 1, "subsection": 2, "subsubsection": 3,
             "paragraph": 4}  # fmt: skip
_COMMAND = re.compile(
    r"\\(part|chapter|section|subsection|subsubsection|paragraph|footnote|url|href|title)\*?\s?(?=\{)"
)
_BIBITEM = re.compile(r"\\bibitem\s?(?:\[[^\[\]]{0,300}\])?\s?\{([^{}]{1,200})\}")
_BIB_KEY = re.compile(r"\s{0,9}@\w{1,30}\s{0,3}[{(]\s{0,3}([^,\s{}()]{1,200})")
_PRIVATE = re.compile("[\ue000-\ue0ff]")  # used as marks here
_MARK = re.compile("\ue001(\\d{1,7})\ue002")
_NO_BIBLIOGRAPHY = "The bibliography was not given: pass the .bib file beside the document."


def read_latex(source: str, bibliography: str | None) -> Manuscript:
    """Return the manuscript of a LaTeX document; its works come from the .bib file or its list."""
    reader = _Reader(_COMMENT.sub("", _PRIVATE.sub("", source)))
    text = reader.text()
    entries, text = _entries(reader, text, bibliography)
    manuscript = build_manuscript(text, "latex", title=reader.title, entries=entries)
    if reader.cited and not entries:
        return replace(manuscript, warnings=(*manuscript.warnings, _NO_BIBLIOGRAPHY))
    return manuscript


class _Reader:
    """Writes LaTeX as Markdown; what must not be decoded is kept aside under a number."""

    def __init__(self, source: str) -> None:
        parts = _BODY.split(source)
        self._preamble = parts[0] if len(parts) > 1 else ""
        body = parts[1] if len(parts) > 1 else source
        body, _, listed = body.partition("\\begin{thebibliography}")
        self._body = _UNWRITTEN.sub("", _without_environments(body))
        self.listed = listed.partition("\\end{thebibliography}")[0]
        self._kept: list[str] = []
        self._notes: list[str] = []
        self.cited: list[str] = []
        self.title = ""

    def text(self) -> str:
        """Return the document as Markdown, with its footnotes at the end."""
        self._markdown(self._preamble)
        self._kept, self._notes = [], []
        text = self._markdown(self._body)
        notes = "\n\n".join(
            f"[^{n}]: {' '.join(note.split())}" for n, note in enumerate(self._notes, 1)
        )
        return f"{text.strip()}\n\n{notes}" if notes else text.strip()

    def _markdown(self, latex: str) -> str:
        raised = _RAISED.sub(lambda found: self._raised(found[1] or found[2] or found[3]), latex)
        marked = self._commands(_CITE.sub(self._cite, raised))
        plain = text_of_latex(marked).replace("\u00a0", " ")
        restored = _MARK.sub(lambda mark: self._kept[int(mark[1])], plain)
        lines = (line.strip() for line in restored.split("\n"))
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))

    def _keep(self, text: str) -> str:
        self._kept.append(text)
        return f"\ue001{len(self._kept) - 1}\ue002"

    def _raised(self, number: str) -> str:
        return self._keep(with_raised_digits(f"<sup>{number.replace('--', '-')}</sup>"))

    def _cite(self, match: re.Match[str]) -> str:
        keys = [key.strip() for key in match[2].split(",") if key.strip()]
        self.cited += keys
        if match[1].lower() == "nocite":
            return ""
        return self._keep(f"[{'; '.join(f'@{key}' for key in keys)}]")

    def _commands(self, latex: str) -> str:
        """Return LaTeX with headings, notes and links written as Markdown."""
        parts: list[str] = []
        position = 0
        while match := _COMMAND.search(latex, position):
            inner, end = _argument(latex, match.end())
            parts.append(latex[position : match.start()])
            name = match[1]
            if name == "href":
                label, end = _argument(latex, end)
                parts.append(self._keep(f"[{label}]({inner})"))
            else:
                parts.append(self._command(name, inner))
            position = end
        return "".join([*parts, latex[position:]])

    def _command(self, name: str, inner: str) -> str:
        if name == "url":
            return self._keep(inner)
        written = _MARK.sub(lambda mark: self._kept[int(mark[1])], text_of_latex(inner))
        if name == "footnote":
            self._notes.append(written)
            return self._keep(f"[^{len(self._notes)}]")
        if name == "title":
            self.title = " ".join(written.split())
            return ""
        return self._keep(f"\n\n{'#' * _SECTIONS[name]} {' '.join(written.split())}\n\n")


def _without_environments(latex: str) -> str:
    """Return LaTeX without formulas, pictures and code."""
    parts: list[str] = []
    position = 0
    while match := _OMITTED.search(latex, position):
        closing = latex.find(f"\\end{{{match[1]}", match.end())
        parts.append(latex[position : match.start()])
        position = latex.find("}", closing) + 1 if closing >= 0 else match.end()
    return "".join([*parts, latex[position:]])


def _argument(latex: str, start: int) -> tuple[str, int]:
    """Return the argument in braces at a place, and where it ends."""
    if latex[start : start + 1] != "{":
        return "", start
    depth = 0
    for match in re.compile(r"\\.|[{}]", re.DOTALL).finditer(latex, start):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0:
            return latex[start + 1 : match.start()], match.end()
    return latex[start + 1 :], len(latex)


def _entries(
    reader: _Reader, text: str, bibliography: str | None
) -> tuple[tuple[ReferenceEntry, ...], str]:
    """Return the works, and the text with a reference list of them at its end."""
    written = list(_listed(reader.listed)) if reader.listed else []
    works = _bib_works(bibliography, reader.cited) if bibliography and not written else []
    written = written or [(key, _written(work)) for key, work in works]
    if not written:
        return (), text
    text += "\n\n# References\n\n"
    entries: list[ReferenceEntry] = []
    for number, (key, line) in enumerate(written, 1):
        span = Span(len(text), len(text) + len(line))
        text += f"{line}\n\n"
        entries.append(reference_entry(f"ref-{number}", key, text, span))
    if works:
        entries = [_of_bib(entry, work) for entry, (_, work) in zip(entries, works, strict=True)]
    return tuple(entries), text.rstrip("\n")


def _listed(latex: str) -> Iterator[tuple[str, str]]:
    """Yield key and text of each `bibitem`."""
    items = list(_BIBITEM.finditer(latex))
    ends = [*(item.start() for item in items[1:]), len(latex)]
    for item, end in zip(items, ends[-len(items) :] if items else [], strict=True):
        raw = latex[item.end() : end].replace("\\newblock", " ")
        line = " ".join(text_of_latex(raw).split())
        if line:
            yield item[1], line


def _bib_works(bibliography: str, cited: list[str]) -> list[tuple[str, BibEntry]]:
    """Return the cited works of a .bib file with their keys; all of them if `nocite` says so."""
    lines = bibliography.removeprefix("\ufeff").split("\n")
    found: list[tuple[str, BibEntry]] = []
    for work in read_bibliography(bibliography, "bibtex").entries:
        match = _BIB_KEY.match(lines[work.line - 1]) if work.line <= len(lines) else None
        if match and (match[1] in cited or "*" in cited):
            found.append((match[1], work))
    return found


def _written(work: BibEntry) -> str:
    """Return a work of a .bib file as a line of the reference list."""
    authors = "; ".join(work.authors)
    head = f"{authors} ({work.date})" if work.date else authors
    numbers = ", ".join(filter(None, (work.venue, work.volume, work.pages)))
    link = f"https://doi.org/{work.doi}" if work.doi else work.url
    return ". ".join(filter(None, (head, work.title, numbers, link))) or "(an empty entry)"


def _of_bib(entry: ReferenceEntry, work: BibEntry) -> ReferenceEntry:
    """Return the entry with the fields of the .bib file instead of those read from its text."""
    found = {
        "title": work.title,
        "container": work.venue,
        "year": work.date[:4],
        "volume": work.volume,
        "pages": work.pages,
        "doi": work.doi,
        "url": work.url,
        "arxiv": work.arxiv,
        "pmid": work.pmid,
        "isbn": work.isbn,
    }
    return ReferenceEntry(
        id=entry.id,
        label=entry.label,
        text=entry.text,
        span=entry.span,
        authors=work.authors,
        authors_cut=False,  # a .bib file lists all
        kind=work.kind,
        **{name: value or None for name, value in found.items()},
    )
