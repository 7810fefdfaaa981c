"""Finds citation markers in a text: numbers, authors and years, notes, links, statutes, cases."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from webquarry.content.manuscript.author_year import author_year_markers
from webquarry.content.manuscript.manuscript_model import MarkerKind, Span
from webquarry.content.text.word_list import word_set

_FOOTNOTE = re.compile(r"\[\^([^\]\s]{1,60})\](?!:)")
_KEYS = re.compile(r"\[-?@[^\[\]\n]{1,400}\]")
_KEY = re.compile(r"@([A-Za-z0-9_][\w:.#$%&+?<>~/-]*)")
_LINK = re.compile(
    r"(?<![!\\])\[((?:[^\[\]\\\n]|\\.|\[[^\[\]\n]{0,40}\]){1,400})\]\(<?([^()<>\s]{1,2000}(?:\([^()\s]{0,200}\)[^()<>\s]{0,500})?)>?(?:\s\"[^\"\n]{0,200}\")?\)"
)
_NUMBERS = r"\d{1,4}(?:\s?[-\u2010-\u2014,;&]\s?\d{1,4}){0,60}"
_BRACKETED = re.compile(
    rf"\\?\[({_NUMBERS})(?:,\s?(?:pp?\.|Sec\.|Ch\.|Fig\.|Theorem|Table|\u00a7)[^\[\]\n]{{0,60}})?\\?\](?![(:])"
    rf"(?:\s?[-\u2010-\u2014]\s?\\?\[(\d{{1,4}})\\?\])?"
)
_SUPERSCRIPT = re.compile(rf"<sup>\s?\[?({_NUMBERS})\]?\s?</sup>|(?<=[^\s^])\^({_NUMBERS})\^")
_RAISED = re.compile(
    r"[\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+(?:[\u207b\u02d2,\u2013-][\u00b9\u00b2\u00b3\u2070\u2074-\u2079]+)*"
)
_RAISED_DIGITS = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u02d2", "0123456789-,"
)
_PARENTHESISED = re.compile(rf"\(({_NUMBERS})\)")
_URL = re.compile(r"<?(https?://[^\s<>\"\u201c\u201d|{}\\^`\[\]]+)>?", re.IGNORECASE)
_DOI = re.compile(
    r"\bdoi:\s?(10\.\d{4,9}/[^\s<>\"]+)|(?<![/\w.])(10\.\d{4,9}/[^\s<>\"]+)", re.IGNORECASE
)
_REPORTER = (
    r"(?:U\.\s?S\.|S\.\s?Ct\.|L\.\s?Ed\.(?:\s?2d)?|F\.(?:\s?(?:2d|3d|4th|Supp\.(?:\s?[23]d)?))?"
    r"|[A-Z][A-Za-z.]{0,8}\.(?:\s?(?:2d|3d|4th))?)"
)
_CASE_WORD = r"[A-Z][\w.&\u2019'-]{0,30}"
# the second party, and where the case was reported
_CASE = re.compile(
    rf"\sv\.\s{_CASE_WORD}(?:\s{_CASE_WORD}){{0,6}}(?P<report>,\s\d{{1,4}}\s{_REPORTER}\s\d{{1,5}}"
    r"(?:,\s\d{1,5}(?:[\u2013-]\d{1,5})?)?(?:\s\([^()]{0,40}\d{4}\))?)"
)
_FIRST_PARTY = word_set("of the and for in re ex parte")
_NOT_PARTY = word_set("In See Cf. But And Under As The Since After Also Per From")
_STATUTE = re.compile(
    r"\b\d{1,3}\s(?:U\.\s?S\.\s?C\.|C\.\s?F\.\s?R\.|Stat\.|Fed\.\s?Reg\.)\s(?:\u00a7{1,2}\s?)?\d\w{0,8}(?:[.-]\w{1,8}){0,4}(?:\([\w]{1,3}\)){0,4}"
)
_WORD = re.compile(r"\S+")
_UNIT = re.compile(r"(?:^|[\s\d(/\u00b7])(?:[kcmdµn]?m|[kKM]?g|s|[A-Za-z]|in|ft|yd|mi|\d)$")
_TRAILING = ".,;:!?)'\"*_"
_MAX_RANGE = 200


@dataclass(frozen=True, slots=True)
class FoundMarker:
    """A marker in the text, and what it names."""

    kind: MarkerKind
    span: Span
    labels: tuple[str, ...] = ()  # numbers and keys
    works: tuple[tuple[str, str], ...] = ()  # authors and year
    url: str | None = None
    removed: Span | None = None  # what a claim does not need; by default the whole marker


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


def expand_numbers(written: str) -> tuple[str, ...]:
    """Return the numbers of `3-5, 7` one by one."""
    numbers: list[str] = []
    for part in re.split(r"\s?[,;&]\s?", written):
        first, _, last = re.sub(r"\s?[-\u2010-\u2014]\s?", "-", part).partition("-")
        if not last or not 0 < int(last) - int(first) <= _MAX_RANGE:
            numbers += [number for number in (first, last) if number]
        else:
            numbers += map(str, range(int(first), int(last) + 1))
    return tuple(dict.fromkeys(str(int(number)) for number in numbers if number))


def _footnotes(text: str, start: int, end: int) -> Iterator[FoundMarker]:
    for match in _FOOTNOTE.finditer(text, start, end):
        yield FoundMarker("footnote", Span(*match.span()), (match[1],))


def _keys(text: str, start: int, end: int) -> Iterator[FoundMarker]:
    """Find `[@smith2020; @jones]`: LaTeX citations are written so, as in Pandoc's Markdown."""
    for match in _KEYS.finditer(text, start, end):
        keys = tuple(key.rstrip(".:;,?") for key in _KEY.findall(match[0]))
        yield FoundMarker("latex", Span(*match.span()), keys)


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


def _superscripts(text: str, start: int, end: int) -> Iterator[FoundMarker]:
    for match in _SUPERSCRIPT.finditer(text, start, end):
        if not _is_exponent(text, start, match.start()):
            numbers = expand_numbers(match[1] or match[2])
            yield FoundMarker("superscript", Span(*match.span()), numbers)
    for match in _RAISED.finditer(text, start, end):
        if not _is_exponent(text, start, match.start()):
            numbers = expand_numbers(match[0].translate(_RAISED_DIGITS))
            yield FoundMarker("superscript", Span(*match.span()), numbers)


def _is_exponent(text: str, start: int, at: int) -> bool:
    """Tell whether a raised number belongs to a number, a unit or a variable: 10 m², x²."""
    before = text[max(start, at - 12) : at]
    return not before.strip() or bool(_UNIT.search(before))


def _urls(text: str, start: int, end: int) -> Iterator[FoundMarker]:
    for match in _URL.finditer(text, start, end):
        url = match[1].rstrip(_TRAILING if "(" not in match[1] else ".,;:!?'\"")
        closing = match.end() if match[0].endswith(">") else match.start(1) + len(url)
        yield FoundMarker("url", Span(match.start(), closing), url=url)
    for match in _DOI.finditer(text, start, end):
        doi = (match[1] or match[2]).rstrip(_TRAILING)
        last = match.start(1 if match[1] else 2) + len(doi)
        yield FoundMarker("url", Span(match.start(), last), url=f"https://doi.org/{doi}")


def _legal(text: str, start: int, end: int) -> Iterator[FoundMarker]:
    for match in _CASE.finditer(text, start, end):
        first = _party_start(text, max(start, match.start() - 100), match.start())
        removed = Span(match.start("report"), match.end())
        yield FoundMarker("legal", Span(first, match.end()), removed=removed)
    for match in _STATUTE.finditer(text, start, end):
        yield FoundMarker("legal", Span(*match.span()), removed=Span(0, 0))


def _party_start(text: str, start: int, end: int) -> int:
    """Return where the first party of a case begins: capitalised words before `v.`."""
    first = end
    for word in reversed(list(_WORD.finditer(text, start, end))):
        is_party = word[0][0].isupper() or word[0] in _FIRST_PARTY
        if not is_party or word[0] in _NOT_PARTY or (first < end and word[0][-1] in ".,;:"):
            break
        first = word.start() if word[0][0].isupper() else first
    return first


def _author_years(text: str, start: int, end: int) -> Iterator[FoundMarker]:
    for found in author_year_markers(text, start, end):
        removed = Span(found.years_start, found.end)
        yield FoundMarker(
            "author-year", Span(found.start, found.end), works=found.works, removed=removed
        )


_SCANNERS: tuple[Callable[[str, int, int], Iterator[FoundMarker]], ...] = (
    _footnotes, _keys, _links, _urls, _legal, _superscripts, _bracketed, _author_years,
)  # fmt: skip
