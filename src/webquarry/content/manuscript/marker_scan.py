"""Finds citation markers in a text: numbers, authors and years, notes, links, statutes, cases."""

import re
from collections.abc import Callable, Iterator

from webquarry.content.manuscript.author_year import author_year_markers
from webquarry.content.manuscript.found_marker import FoundMarker, expand_numbers
from webquarry.content.manuscript.legal_markers import legal_markers
from webquarry.content.manuscript.manuscript_model import Span
from webquarry.content.manuscript.raised_markers import raised_markers

_FOOTNOTE = re.compile(r"\[\^([^\]\s]{1,60})\](?!:)")
# [@smith2020; see also @jones, p. 3] · @smith2020
_KEYS = re.compile(r"\[(?:[^\[\]\n@]{0,60}[\s;-])?@[A-Za-z0-9_][^\[\]\n]{0,400}\](?!\()")
_KEY = re.compile(r"(?<![\w.])@([A-Za-z0-9_][\w:.#$%&+?<>~/-]*)")
_BARE_KEY = re.compile(r"(?<![\w@/.])@([A-Za-z][A-Za-z_:-]{1,60}(?:1[5-9]|20)\d\d[a-z]?)\b(?!@)")
_LINK = re.compile(
    r"(?<![!\\])\[((?:[^\[\]\\\n]|\\.|\[[^\[\]\n]{0,40}\]){1,400})\]\(<?([^()<>\s]{1,2000}(?:\([^()\s]{0,200}\)[^()<>\s]{0,500})?)>?(?:\s\"[^\"\n]{0,200}\")?\)"
)
_NUMBERS = r"\d{1,4}(?:\s?[-\u2010-\u2014,;&]\s?\d{1,4}){0,60}"
_BRACKETED = re.compile(
    rf"\\?\[({_NUMBERS})(?:,\s?(?:pp?\.|Sec\.|Ch\.|Fig\.|Theorem|Table|\u00a7)[^\[\]\n]{{0,60}})?\\?\](?![(:])"
    rf"(?:\s?[-\u2010-\u2014]\s?\\?\[(\d{{1,4}})\\?\])?"
)
_PARENTHESISED = re.compile(rf"\(({_NUMBERS})\)")
_URL = re.compile(r"<?(https?://[^\s<>\"\u201c\u201d|{}\\^`\[\]]+)>?", re.IGNORECASE)
_DOI = re.compile(
    r"\bdoi:\s?(10\.\d{4,9}/[^\s<>\"]+)|(?<![/\w.])(10\.\d{4,9}/[^\s<>\"]+)", re.IGNORECASE
)
_TRAILING = ".,;:!?)'\"*_"


def scan_markers(text: str, start: int, end: int, *, parentheses: bool) -> list[FoundMarker]:
    """Return the markers between two places in order; `parentheses`: (3) is a marker too."""
    found: list[FoundMarker] = []
    taken = bytearray(end - start)
    scanners = (*_SCANNERS, _parenthesised) if parentheses else _SCANNERS
    for scanner in scanners:
        for marker in scanner(text, start, end):
            left, right = marker.span.start - start, marker.span.end - start
            if not any(taken[left:right]):
                taken[left:right] = b"\x01" * (right - left)
                found.append(marker)
    return sorted(found, key=lambda marker: marker.span.start)


def _footnotes(text: str, start: int, end: int) -> Iterator[FoundMarker]:
    for match in _FOOTNOTE.finditer(text, start, end):
        yield FoundMarker("footnote", Span(*match.span()), (match[1],))


def _keys(text: str, start: int, end: int) -> Iterator[FoundMarker]:
    """Find `[@smith2020; @jones]`: LaTeX citations are written so, as in Pandoc's Markdown."""
    for match in _KEYS.finditer(text, start, end):
        keys = tuple(key.rstrip(".:;,?") for key in _KEY.findall(match[0]))
        yield FoundMarker("latex", Span(*match.span()), keys)
    for match in _BARE_KEY.finditer(text, start, end):
        yield FoundMarker("latex", Span(*match.span()), (match[1],))


def _links(text: str, start: int, end: int) -> Iterator[FoundMarker]:
    for match in _LINK.finditer(text, start, end):
        label = match[1].strip("[]\\^ ")
        if re.fullmatch(_NUMBERS, label):
            yield FoundMarker("numbered", Span(*match.span()), expand_numbers(label))
        elif match[2].lower().startswith(("http://", "https://")):
            # the words of a link belong to the sentence
            yield FoundMarker("link", Span(*match.span()), url=match[2], removed=Span(0, 0))


def _bracketed(text: str, start: int, end: int) -> Iterator[FoundMarker]:
    for match in _BRACKETED.finditer(text, start, end):
        written = f"{match[1]}-{match[2]}" if match[2] else match[1]
        if "0" not in (numbers := expand_numbers(written)):  # [0, 1] is an interval
            yield FoundMarker("numbered", Span(*match.span()), numbers)


def _parenthesised(text: str, start: int, end: int) -> Iterator[FoundMarker]:
    for match in _PARENTHESISED.finditer(text, start, end):
        is_year = re.fullmatch(r"(?:1[5-9]|20)\d\d", match[1])
        if not is_year and "0" not in (numbers := expand_numbers(match[1])):
            yield FoundMarker("numbered", Span(*match.span()), numbers)


def _urls(text: str, start: int, end: int) -> Iterator[FoundMarker]:
    for match in _URL.finditer(text, start, end):
        url = match[1].rstrip(_TRAILING if "(" not in match[1] else ".,;:!?'\"")
        closing = match.end() if match[0].endswith(">") else match.start(1) + len(url)
        yield FoundMarker("url", Span(match.start(), closing), url=url)
    for match in _DOI.finditer(text, start, end):
        doi = (match[1] or match[2]).rstrip(_TRAILING)
        last = match.start(1 if match[1] else 2) + len(doi)
        yield FoundMarker("url", Span(match.start(), last), url=f"https://doi.org/{doi}")


def _author_years(text: str, start: int, end: int) -> Iterator[FoundMarker]:
    for found in author_year_markers(text, start, end):
        removed = Span(found.years_start, found.end)
        yield FoundMarker(
            "author-year", Span(found.start, found.end), works=found.works, removed=removed
        )


_SCANNERS: tuple[Callable[[str, int, int], Iterator[FoundMarker]], ...] = (
    _footnotes, _keys, _links, _urls, legal_markers, raised_markers, _bracketed, _author_years,
)  # fmt: skip
