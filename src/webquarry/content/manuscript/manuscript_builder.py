"""Builds a manuscript from its text: sections, sentences, markers and references."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from webquarry.content.manuscript.case_entries import case_entries
from webquarry.content.manuscript.found_marker import FoundMarker
from webquarry.content.manuscript.manuscript_blocks import ManuscriptBlock, manuscript_blocks
from webquarry.content.manuscript.manuscript_model import (
    CitationMarker,
    Manuscript,
    ManuscriptFormat,
    ManuscriptSection,
    ManuscriptSentence,
    ReferenceEntry,
    Span,
)
from webquarry.content.manuscript.marker_links import MarkerLinks
from webquarry.content.manuscript.marker_scan import scan_markers
from webquarry.content.manuscript.page_breaks import without_page_breaks
from webquarry.content.manuscript.raised_text import with_raised_digits
from webquarry.content.manuscript.reference_list import reference_entries, split_references
from webquarry.content.markdown.parse import without_inline_markup
from webquarry.content.text.sentences import sentence_spans

_AFTER_STOP = re.compile(r"[.!?\u2026][\"'\u201d\u2019)\]*_]*\s?$")
_SENTENCE_START = re.compile(r"\s*(?:$|[^\W\d_a-z]|[\"\u201c\u2018(\[*])")
_BEFORE_STOP = re.compile(r"(?:\s|,(?=[.;:]))([.,;:!?])")
_EMPTY = re.compile(r"\((?:see|e\.g\.|cf\.|also|and|[;,\s]){0,6}\)|\[\s?\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A manuscript whose markers are found and linked."""

    text: str
    pages: Sequence[int]  # where pages start
    markers: Sequence[FoundMarker]
    ids: Sequence[str]  # of the markers


def build_manuscript(
    text: str,
    format_: ManuscriptFormat,
    *,
    title: str = "",
    entries: Sequence[ReferenceEntry] = (),
) -> Manuscript:
    """Return the manuscript of Markdown or plain text; `entries` are those of a separate file."""
    text, pages = without_page_breaks(text)
    blocks = manuscript_blocks(text)
    found = split_references(text, blocks)
    read = reference_entries(text, found, by_layout=format_ == "pdf")
    notes = [entry for entry in read if entry.id.startswith("note-")]
    references = (*entries, *notes) if entries else read
    scanned = _scan(text, found.body, numbered=any(entry.label for entry in references))
    references = (*references, *case_entries(text, scanned))
    called = any(marker.kind == "footnote" for marker in scanned)
    links = MarkerLinks(references, raised_notes=not called)
    markers = tuple(
        CitationMarker(
            id=f"cite-{number}",
            kind=marker.kind,
            text=text[marker.span.start : marker.span.end],
            span=marker.span,
            entries=links.entries(marker),
            url=marker.url,
            missing=links.missing(marker),
        )
        for number, marker in enumerate(scanned, 1)
    )
    draft = _Draft(text, pages, scanned, [marker.id for marker in markers])
    sections = _sections(text, blocks)
    first = next((section.title for section in sections), "")
    return Manuscript(
        title=title or first,
        format=format_,
        text=text,
        sections=sections,
        sentences=tuple(_sentences(draft, found.body)),
        markers=markers,
        references=references,
        pages=tuple(pages),
    )


def _scan(text: str, blocks: Sequence[ManuscriptBlock], *, numbered: bool) -> list[FoundMarker]:
    """Return the markers; (3) counts only in a text whose numbered works no other marker cites."""
    readable = [block for block in blocks if block.kind not in ("code", "heading")]

    def scan(*, parentheses: bool) -> list[FoundMarker]:
        found = (
            scan_markers(text, block.span.start, block.span.end, parentheses=parentheses)
            for block in readable
        )
        return [marker for markers in found for marker in markers]

    markers = scan(parentheses=False)
    cites = any(marker.kind not in ("link", "url", "legal") for marker in markers)
    return markers if cites or not numbered else scan(parentheses=True)


def _sections(text: str, blocks: Sequence[ManuscriptBlock]) -> tuple[ManuscriptSection, ...]:
    """Return the sections; each ends where the next heading begins."""
    headings = [block for block in blocks if block.kind == "heading"]
    ends = [*(block.start for block in headings[1:]), len(text)]
    return tuple(
        ManuscriptSection(
            _plain(text[block.span.start : block.span.end]), block.level, Span(block.start, end)
        )
        for block, end in zip(headings, ends[-len(headings) :] if headings else [], strict=True)
    )


def _sentences(draft: _Draft, blocks: Sequence[ManuscriptBlock]) -> Iterator[ManuscriptSentence]:
    section = ""
    for block in blocks:
        if block.kind == "heading":
            section = _plain(draft.text[block.span.start : block.span.end])
        elif block.kind in ("text", "item"):
            yield from _block_sentences(draft, block, section)


def _block_sentences(
    draft: _Draft, block: ManuscriptBlock, section: str
) -> Iterator[ManuscriptSentence]:
    start, end = block.span.start, block.span.end
    numbers = [
        number
        for number, marker in enumerate(draft.markers)
        if start <= marker.span.start and marker.span.end <= end
    ]
    for first, last in sentence_spans(_masked(draft, block.span, numbers)):
        part = draft.text[start + first : start + last]
        left = start + first + len(part) - len(part.lstrip())
        span = Span(left, left + len(part.strip()))
        if span.start >= span.end:
            continue
        inside = [n for n in numbers if span.start <= draft.markers[n].span.start < span.end]
        yield ManuscriptSentence(
            text=draft.text[span.start : span.end],
            claim=_claim(draft, span, inside),
            span=span,
            section=section,
            page=bisect_right(draft.pages, span.start) if draft.pages else None,
            markers=tuple(draft.ids[number] for number in inside),
        )


def _masked(draft: _Draft, span: Span, numbers: Sequence[int]) -> str:
    """Return the text for the division into sentences, as long as it is.

    Stops within markers divide nothing, and a marker after a full stop belongs to the sentence
    before it.
    """
    text = list(draft.text[span.start : span.end].replace("\n", " "))
    for number in numbers:
        marker = draft.markers[number].span
        left, right = marker.start - span.start, marker.end - span.start
        before, after = "".join(text[max(0, left - 4) : left]), "".join(text[right : right + 3])
        stop = _AFTER_STOP.search(before)
        is_after = bool(stop) and bool(_SENTENCE_START.match(after))
        is_note = draft.markers[number].kind in ("footnote", "superscript", "numbered", "latex")
        if is_after and is_note:
            left -= len(before) - len(before.rstrip())
            text[left:right] = ")" * (right - left)
        else:
            text[left:right] = "X" * (right - left)
    return "".join(text)


def _claim(draft: _Draft, span: Span, numbers: Sequence[int]) -> str:
    """Return a sentence without its markers and markup."""
    parts: list[str] = []
    position = span.start
    for number in numbers:
        marker = draft.markers[number]
        removed = marker.removed or marker.span
        if removed.start >= position:
            parts.append(draft.text[position : removed.start])
            position = max(position, removed.end)
    parts.append(draft.text[position : span.end])
    plain = _EMPTY.sub(" ", _plain("".join(parts)))
    return _BEFORE_STOP.sub(r"\1", " ".join(plain.split())).strip()


def _plain(text: str) -> str:
    return " ".join(without_inline_markup(with_raised_digits(text.replace("\n", " "))).split())
