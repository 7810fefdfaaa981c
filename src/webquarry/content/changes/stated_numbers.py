"""Numbers in a text, with currency or unit, in the notation of any country."""

import re
from typing import NamedTuple

from webquarry.content.changes.time_expressions import CLOCK, DATE
from webquarry.content.fields.value_parser import PRICE, currency_in, parse_number

_NUMBER = re.compile(
    r"(?<![\w.,])[-\u2212]?(?:\d{1,3}(?:[\u00a0\u202f '\u2019]\d{3})++(?!\d)|\d++)(?:[.,]\d++)*+"
)
_UNIT = re.compile(r"\s?(%|‰|°[CFK]?|[^\W\d_]{1,20})")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")


class StatedNumber(NamedTuple):
    """A number as a text states it."""

    start: int
    end: int
    value: float
    unit: str = ""  # a currency code, %, or the word that follows
    is_price: bool = False


def stated_numbers(text: str) -> list[StatedNumber]:
    """Return the numbers of a text that are not parts of dates, in order."""
    taken = [match.span() for match in (*DATE.finditer(text), *CLOCK.finditer(text))]
    found: list[StatedNumber] = []
    for match in PRICE.finditer(text):
        group = 2 if match[2] else 3
        value = _amount(match[group])
        if value is not None and not _overlaps(match.span(), taken):
            taken.append(match.span())
            unit = currency_in(match[0]) or (match[1] or match[4])
            found.append(StatedNumber(match.start(), match.end(), value, unit, is_price=True))
    for match in _NUMBER.finditer(text):
        value = parse_number(match[0])
        if value is not None and not _overlaps(match.span(), taken):
            unit = _UNIT.match(text, match.end())
            name = unit[1].lower() if unit else ""
            found.append(StatedNumber(match.start(), match.end(), value, name))
    return sorted(found)


def without_numbers(text: str, numbers: list[StatedNumber]) -> str:
    """Return the text with a sign in the place of each number."""
    parts, end = list[str](), 0
    for number in numbers:
        parts += [text[end : number.start], "\u27e8#\u27e9"]
        end = number.end
    return " ".join("".join([*parts, text[end:]]).split())


def _amount(digits: str) -> float | None:
    """Return an amount of money; it has no three decimals, so 1.299 is a thousand and more."""
    compact = digits.strip(" .,'\u00a0\u202f")
    if _THOUSANDS.fullmatch(compact):
        compact = re.sub(r"[.,]", "", compact)
    return parse_number(compact)


def _overlaps(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in taken)
