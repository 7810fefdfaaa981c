"""Finds legal citations: `Stone v. Slate, 347 U.S. 483 (1954)`, `42 U.S.C. § 1983`."""

import re
from collections.abc import Iterator

from webquarry.content.manuscript.found_marker import FoundMarker
from webquarry.content.manuscript.manuscript_model import Span
from webquarry.content.text.word_list import word_set

_KNOWN_REPORTER = (
    r"(?:U\.\s?S\.|S\.\s?Ct\.|L\.\s?Ed\.(?:\s?2d)?|F\.(?:\s?(?:2d|3d|4th|Supp\.(?:\s?[23]d)?))?"
    r"|F\.\s?App['\u2019]x|(?:A|P|S\.\s?W|N\.\s?[EW]|S\.\s?E|So|N\.\s?Y\.\s?S)\.(?:\s?(?:2d|3d))?"
)
_REPORTER = rf"{_KNOWN_REPORTER}|[A-Z][A-Za-z.]{{0,8}}\.(?:\s?(?:2d|3d|4th))?)"
_CASE_WORD = r"[A-Z][\w.&\u2019'-]{0,30}"
_PLACE = r"\s(?P<page>\d{1,5})(?:,\s\d{1,5}(?:[\u2013-]\d{1,5})?)?"
# the second party, and where the case was reported
_CASE = re.compile(
    rf"\s(?:v|vs)\.\s{_CASE_WORD}(?:\s(?:of|the|for|and|&)){{0,2}}(?:\s{_CASE_WORD}){{0,6}}"
    rf"(?:\s(?:of|the|for|and|&)){{0,2}}(?:\s{_CASE_WORD}){{0,4}}[*_]{{0,2}}"
    rf"(?P<report>,[*_]{{0,2}}\s(?P<volume>\d{{1,4}})\s(?P<reporter>{_REPORTER}){_PLACE}"
    r"(?:\s\([^()]{0,40}\d{4}\))?)"
)
# a report without the names of the parties before it, in full or in short
_REPORT = re.compile(
    rf"(?<![\w.])(?P<volume>\d{{1,4}})\s(?P<reporter>{_KNOWN_REPORTER}))"
    rf"(?:{_PLACE}\s\([^()]{{0,40}}\d{{4}}\)|,?\sat\s\d{{1,5}})"
)
_FIRST_PARTY = word_set("of the and for in re ex parte")
_NOT_PARTY = word_set("In See Cf. But And Under As The Since After Also Per From")
_STATUTE = re.compile(
    r"\b\d{1,3}\s(?:U\.\s?S\.\s?C\.|C\.\s?F\.\s?R\.|Stat\.|Fed\.\s?Reg\.)\s(?:\u00a7{1,2}\s?)?\d\w{0,8}(?:[.-]\w{1,8}){0,4}(?:\([\w]{1,3}\)){0,4}"
)
_WORD = re.compile(r"\S+")
_MARKUP = "*_"


def legal_markers(text: str, start: int, end: int) -> Iterator[FoundMarker]:
    """Yield the citations of cases and statutes between two places."""
    for match in _CASE.finditer(text, start, end):
        first = _party_start(text, max(start, match.start() - 100), match.start())
        removed = Span(match.start("report"), match.end())
        yield FoundMarker("legal", Span(first, match.end()), (_label(match),), removed=removed)
    for match in _REPORT.finditer(text, start, end):
        yield FoundMarker("legal", Span(*match.span()), (_label(match),))
    for match in _STATUTE.finditer(text, start, end):
        yield FoundMarker("legal", Span(*match.span()), removed=Span(0, 0))


def _label(match: re.Match[str]) -> str:
    """Return where a case is reported; a short form has not its first page."""
    reporter = re.sub(r"\.\s(?=[A-Z]\.)", ".", match["reporter"])
    return f"{match['volume']} {reporter} {match['page'] or ''}".rstrip()


def _party_start(text: str, start: int, end: int) -> int:
    """Return where the first party of a case begins: capitalised words before `v.`."""
    first = end
    for word in reversed(list(_WORD.finditer(text, start, end))):
        bare = word[0].lstrip(_MARKUP)
        is_party = bare[:1].isupper() or bare in _FIRST_PARTY
        if not is_party or bare in _NOT_PARTY or (first < end and bare[-1] in ",;:"):
            break
        first = word.start() if bare[:1].isupper() else first
        if word[0] != bare:
            break  # the emphasis of the name starts here
    return first
