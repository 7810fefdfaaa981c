"""Finds raised numbers that are citations, not exponents: `found.³`, `<sup>1,2</sup>`, `^4^`."""

import re
from collections.abc import Iterator

from webquarry.content.manuscript.found_marker import FoundMarker, expand_numbers
from webquarry.content.manuscript.manuscript_model import Span
from webquarry.content.text.word_list import word_set

_NUMBERS = r"\d{1,4}(?:\s?[-\u2010-\u2014\u2212,;&]\s?\d{1,4}){0,60}"
_TAGGED = re.compile(rf"<sup>\s?\[?({_NUMBERS})\]?\s?</sup>|(?<=[^\s^])\^({_NUMBERS})\^")
_DIGITS = "\u2070\u00b9\u00b2\u00b3\u2074-\u2079"
_RAISED = re.compile(
    rf"(?<!\u207b)[{_DIGITS}]{{1,4}}(?:(?:[\u207b\u2013-]|[\u02d2,;]\s?)[{_DIGITS}]{{1,4}}){{0,60}}"
)
_LOWERED = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u02d2", "0123456789-,"
)
_UNITS = (
    r"[kcmdn\u00b5\u03bc]?m|[kKM\u00b5\u03bcm]?g|min|Hz|Pa|mol|px|in|ft|yd|mi|acre|sq"
    r"|[A-Za-z\u0370-\u03ff]"
)
_UNIT = re.compile(rf"(?:^|[\s\d(\[/\u00b7\u22c5*\u00d7\u207b{_DIGITS}=+-])(?:{_UNITS})$")
_NUMBER = re.compile(r"(?<![\d.,])(?:1[5-9]|20)\d\d$|\d$")
_YEAR_LENGTH = 4
_WORD = re.compile(r"[^\W\d_]+")
_NAME_WORDS = word_set("and und et y e de la van von der den del di da du le al dos")
_MAX_LOWER = 0.2  # of the words between raised numbers in a list of people


def raised_markers(text: str, start: int, end: int) -> Iterator[FoundMarker]:
    """Yield the citations by raised numbers between two places."""
    found = [*_numbers_in(text, start, end)]
    if found and _lists_people(text[start:end]):
        return
    for (first, last), written in found:
        numbers = expand_numbers(written)
        is_single = len(numbers) == 1
        if not _is_before_word(text, start, first, text[last : last + 1]) and not (
            is_single and _is_exponent(text, start, first)
        ):
            yield FoundMarker("superscript", Span(first, last), numbers)


def _numbers_in(text: str, start: int, end: int) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield place and digits of the raised numbers, those in tags first."""
    for match in _TAGGED.finditer(text, start, end):
        yield match.span(), match[1] or match[2]
    for match in _RAISED.finditer(text, start, end):
        yield match.span(), match[0].translate(_LOWERED)


def _is_before_word(text: str, start: int, at: int, following: str) -> bool:
    """Tell whether a number belongs to what follows it: ¹⁴C, or a mark before an address."""
    before = text[at - 1] if at > start else " "
    return (before.isspace() and following.isalpha()) or at == start or before in "([/-"


def _is_exponent(text: str, start: int, at: int) -> bool:
    """Tell whether a raised number belongs to a number, a unit or a variable: 10 m², x²."""
    before = text[max(start, at - 12) : at]
    number = _NUMBER.search(before)
    if number:
        return len(number[0]) < _YEAR_LENGTH  # in 2019³ it is a citation
    return not before.strip() or bool(_UNIT.search(before))


def _lists_people(block: str) -> bool:
    """Tell whether a block names authors, whose raised numbers are those of their addresses."""
    words = _WORD.findall(re.sub(r"</?sup>", " ", block))
    lower = sum(word[0].islower() and word not in _NAME_WORDS for word in words)
    names = sum(word[0].isupper() for word in words)
    return names > 1 and lower <= _MAX_LOWER * len(words) and "," in block
