"""What a check of a document has to do: its references, and the claims that cite each."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from webquarry.content.citations.bib_entry import BibEntry
from webquarry.content.claims.claim_terms import terms_of
from webquarry.content.manuscript.manuscript_model import (
    CitationMarker,
    Manuscript,
    ManuscriptSentence,
    Span,
)
from webquarry.models.document_check import CheckOptions, DocumentPlace

_PARENTHESIS = re.compile(r"[ ]?\(([^()]{1,300})\)")
_MIN_TERMS = 4  # of a sentence that says something checkable


@dataclass(frozen=True)
class PlannedReference:
    """An entry of the reference list, or the target of a link in the text."""

    id: str
    label: str
    text: str
    span: Span
    entry: BibEntry
    is_listed: bool = True  # False: a link in the text


@dataclass(frozen=True)
class PlannedClaim:
    """A sentence to check against the references that it cites."""

    number: int
    sentence: ManuscriptSentence
    text: str  # of the sentence, without its citations
    markers: tuple[CitationMarker, ...]
    references: tuple[str, ...]  # ids; empty: it cites nothing


class CheckPlan:
    """The references and claims of a manuscript."""

    def __init__(self, manuscript: Manuscript, options: CheckOptions, url: str = "") -> None:
        """`url`: of the document, if it was given by its URL."""
        self.manuscript = manuscript
        self._url = url.partition("#")[0]
        self.options = options
        self._markers = {marker.id: marker for marker in manuscript.markers}

    @cached_property
    def references(self) -> dict[str, PlannedReference]:
        """The references by id; footnotes that name no work are none."""
        listed = [
            PlannedReference(entry.id, entry.label, entry.text, entry.span, entry.bib_entry(at))
            for at, entry in enumerate(self.manuscript.references, 1)
            if entry.kind != "note"
        ]
        return {each.id: each for each in (*listed, *self._links(len(listed)))}

    def _links(self, count: int) -> Iterator[PlannedReference]:
        """Yield the targets of links that no entry stands for."""
        seen: set[str] = set()
        for marker in self.manuscript.markers:
            if marker.url and not marker.entries and marker.url not in seen:
                seen.add(marker.url)
                entry = BibEntry(line=count + len(seen), url=marker.url)
                yield PlannedReference(
                    marker.url, "", marker.url, marker.span, entry, is_listed=False
                )

    @cached_property
    def claims(self) -> tuple[PlannedClaim, ...]:
        """The sentences that cite something and, if wanted, all others that can be checked."""
        found: list[PlannedClaim] = []
        for sentence in self.manuscript.sentences:
            markers = tuple(self._markers[each] for each in sentence.markers)
            cited = self._cited(markers)
            is_other = self.options.all_sentences and not markers and _is_checkable(sentence)
            if cited or is_other:
                text = _without_link_labels(sentence.claim, markers)
                found.append(PlannedClaim(len(found) + 1, sentence, text, markers, cited))
        return tuple(found)

    def _cited(self, markers: tuple[CitationMarker, ...]) -> tuple[str, ...]:
        ids = [
            each
            for marker in markers
            for each in (marker.entries or ((marker.url,) if marker.url else ()))
        ]
        return tuple(each for each in dict.fromkeys(ids) if each in self.references)

    @cached_property
    def claims_of(self) -> dict[str, tuple[PlannedClaim, ...]]:
        """The claims to compare with each cited reference, in the order of first citation."""
        cited = dict.fromkeys(each for claim in self.claims for each in claim.references)
        without = tuple(claim for claim in self.claims if not claim.references)
        return {
            name: (*(claim for claim in self.claims if name in claim.references), *without)
            for name in cited
        }

    @property
    def sources(self) -> tuple[str, ...]:
        """The ids of the references whose sources are read."""
        return tuple(self.claims_of)[: self.options.max_sources]

    def place(self, span: Span, section: str = "") -> DocumentPlace:
        """Return where something stands."""
        line = bisect_right(self._line_starts, span.start)
        page = self.manuscript.page_of(span.start)
        return DocumentPlace(
            line=line,
            start=span.start,
            end=span.end,
            section=section or None,
            page=page,
            url=f"{self._url}#page={page}" if self._url and page else None,
        )

    @cached_property
    def _line_starts(self) -> list[int]:
        starts, at = [0], -1
        while (at := self.manuscript.text.find("\n", at + 1)) >= 0:
            starts.append(at + 1)
        return starts


def _without_link_labels(text: str, markers: tuple[CitationMarker, ...]) -> str:
    """Return a sentence without "(source)", where that is only the label of a cited link."""
    labels = {
        marker.text.partition("](")[0].removeprefix("[").strip()
        for marker in markers
        if marker.kind == "link"
    }

    def shortened(match: re.Match[str]) -> str:
        parts = {part.strip() for part in re.split("[,;]", match[1])}
        return "" if parts <= labels else match[0]

    return _PARENTHESIS.sub(shortened, text) if labels else text


def _is_checkable(sentence: ManuscriptSentence) -> bool:
    return len(terms_of(sentence.claim)) >= _MIN_TERMS
