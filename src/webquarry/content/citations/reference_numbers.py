"""Finds volume, issue, pages and year in the part of a reference after its title."""

import re
from typing import NamedTuple

_PAGE = r"[A-Za-z]{0,2}\d{1,7}(?:[.:]\d{1,6})?"
_RANGE = rf"{_PAGE}(?:\s?[-\u2010-\u2014]{{1,2}}\s?{_PAGE})?"
_SPAN = r"[A-Za-z]{0,2}\d{1,7}\s?[-\u2010-\u2014]{1,2}\s?[A-Za-z]{0,2}\d{1,7}"
_YEAR = r"(?:1[5-9]|20)\d\d"
_MONTHS = r"(?:\s?(?:[A-Z][a-z]{2,8}\.?(?:\s\d{1,2})?|\d{1,2}\s[A-Z][a-z]{2,8}))?"
_VOLUME = r"[A-Z]?\d{1,4}[A-Z]?"
_ISSUE = r"[\w\u2013/-]{1,9}(?:\s?[Ss]uppl\.?(?:\s\d{1,3})?)?"
# in the order in which they are tried; each names the parts it finds
_FORMS = tuple(
    re.compile(pattern)
    for pattern in (
        # 2016;397(10):1399-428
        rf"\b(?P<year>{_YEAR}){_MONTHS};\s?(?P<volume>{_VOLUME})(?:\s?\((?P<issue>{_ISSUE})\))?"
        rf"(?::\s?(?P<pages>{_RANGE}))?",
        # 397, no. 10 (2016): 1399-428
        rf"\b(?P<volume>{_VOLUME}),\s(?:no|issue|Nr)\.?\s(?P<issue>{_ISSUE})\s\((?:[A-Z][a-z]+\.?\s)?(?P<year>{_YEAR})\)"
        rf"(?::\s(?P<pages>{_RANGE}))?",
        # 397 (2016): 71-81
        rf"\b(?P<volume>{_VOLUME})\s\((?:[A-Z][a-z]+\.?\s)?(?P<year>{_YEAR})\)(?::\s|,\s)(?P<pages>{_RANGE})",
        # 397(10), 1399-1428 · 397 (10): 1399-428 · 397(10):1399 · 397(10), pp. 1-2
        rf"\b(?P<volume>{_VOLUME})\s?\((?P<issue>(?!{_YEAR}\)){_ISSUE})\)"
        rf"(?:\s?[,:]\s?(?:Article\s)?(?:pp?\.?\s)?(?P<pages>{_RANGE}))?",
        # 397, 1399-1428 (2016)
        rf"\b(?P<volume>{_VOLUME}),\s(?P<pages>{_RANGE})\s\((?P<year>{_YEAR})\)",
        # 33, 71-81 · 33: 71-81 · 33, pp. 71-81 · 33, e1234
        rf"(?<=[^\W\d_.)&])[,.]?\s(?!{_YEAR}\b)(?P<volume>{_VOLUME})(?:,\s(?:Article\s)?(?:pp?\.\s)?|:\s?)(?P<pages>{_SPAN}|[a-zA-Z]{{1,2}}\d{{3,7}}|\d{{5,7}})(?![\w(])",
    )
)
_SINGLE = {
    "volume": re.compile(rf"\b(?:vol(?:ume|\.)?|Bd\.)\s?(?P<volume>{_VOLUME})\b", re.IGNORECASE),
    "issue": re.compile(r"\b(?:no|issue|number|Nr|H)\.?\s(?P<issue>\d[\w\u2013/-]{0,8})\b", re.I),
    "pages": re.compile(rf"\b(?:pp?|pages?|S)\.?\s?(?P<pages>{_RANGE})\b|:\s?(?P<pages2>{_SPAN})"
                        rf"|(?:^|[,\s])\s?(?P<pages3>{_SPAN})(?=[\s.,)]{{0,4}}(?:$|[(.,;]))"),
    "year": re.compile(rf"(?<![\d/:.\u2013-])(?P<year>{_YEAR})[a-z]?(?=\s?(?:[.,;:)\ue000]|$))"),
    "any year": re.compile(rf"(?<![\d/:.\u2013-])(?P<year>{_YEAR})[a-z]?(?![\d/]|[\u2013-]\d)"),
}  # fmt: skip
_ONLY_VOLUME = re.compile(
    rf"(?<=[^\W\d_])[,.]?\s(?!{_YEAR}\b)(?P<volume>{_VOLUME})(?=\s?(?:\ue000|[.,]?\s?$))"
)
MARK = "\ue000"  # stands where a part was


class ReferenceNumbers(NamedTuple):
    """The numbers, and the text with a mark where each was."""

    rest: str
    volume: str = ""
    issue: str = ""
    pages: str = ""
    year: str = ""


def take_numbers(text: str, *, year: str = "") -> ReferenceNumbers:
    """Return the numbers of the text after a title; `year` is the one found before it."""
    found: dict[str, str] = {"year": year}
    rest = _take_form(text, found)
    for name, pattern in _SINGLE.items():
        if not found.get(name.removeprefix("any ")):
            rest = _take(rest, pattern, found)
    if not found.get("volume") and (found.get("pages") or found.get("issue")):
        rest = _take(rest, _ONLY_VOLUME, found)
    return ReferenceNumbers(
        rest,
        volume=found.get("volume", ""),
        issue=found.get("issue", ""),
        pages=_plain_range(found.get("pages", "")),
        year=found.get("year", ""),
    )


def _take_form(text: str, found: dict[str, str]) -> str:
    """Take the first form that the text has; parts with names of their own have none."""
    for form in () if _SINGLE["volume"].search(text) else _FORMS:
        if match := form.search(text):
            return _without(text, match, found)
    return text


def _take(text: str, pattern: re.Pattern[str], found: dict[str, str]) -> str:
    match = pattern.search(text)
    return _without(text, match, found) if match else text


def _without(text: str, match: re.Match[str], found: dict[str, str]) -> str:
    for name, value in match.groupdict().items():
        if value:
            found[name.rstrip("23")] = value
    return f"{text[: match.start()]}{MARK}{text[match.end() :]}"


def _plain_range(pages: str) -> str:
    return re.sub(r"\s?[-\u2010-\u2014]{1,2}\s?", "-", pages)
