"""Numbers with their units, and dates, in a form in which two texts can be compared."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from webquarry.content.claims.claim_sentences import stem_word
from webquarry.content.text.dates import MONTHS
from webquarry.content.text.stopwords import STOPWORDS
from webquarry.content.text.word_list import word_set

_NUMBER = re.compile(
    r"(?<![\w.,])(?<!\w[-\u2013])(?P<currency>[$€£¥])?(?P<sign>[-\u2212])?(?P<digits>\d{1,15}+(?:[.,]\d{1,12}+){0,6}+)"
    r"(?P<ordinal>st|nd|rd|th)?(?!(?<=\d{4})s\b)"
)
_NEXT_WORD = re.compile(
    r"[\s\u00a0-]{0,2}(%|‰|per\scent\b|pour\scent\b|por\sciento\b|[^\W\d_]+|°[CFK]?)"
)
_WORD = re.compile(r"[^\W\d_]+")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SPACED_THOUSANDS = re.compile(r"(?<=\d)[\u00a0\u202f\u2009 ](?=\d{3}(?!\d))")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_DAY_MONTH = re.compile(
    r"(?:\b(?P<day>\d{1,2})(?:st|nd|rd|th|\.)?\s{1,2}(?:of\s|de\s)?)?\b(?P<month>[^\W\d_]{3,10})\b\.?"
    r"(?:\s{1,2}(?P<day2>\d{1,2})(?:st|nd|rd|th)?\b(?!\s?[%\d]))?(?:,?\s{1,2}(?:de\s)?(?P<year>\d{4})\b)?"
)
_ISO = re.compile(r"\b(?P<year>1[5-9]\d\d|20\d\d)-(?P<month>\d\d)-(?P<day>\d\d)\b")
_SCALES = {
    "thousand": 1e3, "million": 1e6, "millions": 1e6, "mio": 1e6, "mn": 1e6, "millionen": 1e6,
    "billion": 1e9, "billions": 1e9, "bn": 1e9, "milliarde": 1e9, "milliarden": 1e9,
    "milliard": 1e9, "milliards": 1e9, "trillion": 1e12, "trillions": 1e12, "tausend": 1e3,
    "mille": 1e3, "mil": 1e3, "millones": 1e6,
}  # fmt: skip
_PERCENT = word_set("% percent pc prozent pourcent pct procent")
_CURRENCIES = {
    "$": "dollar", "€": "euro", "£": "pound", "¥": "yen", "usd": "dollar", "eur": "euro",
    "gbp": "pound", "dollars": "dollar", "euros": "euro", "pounds": "pound", "dollar": "dollar",
    "euro": "euro",
}  # fmt: skip
# unit: what it measures, and how many of the base unit it is
_UNITS: dict[str, tuple[str, float]] = {
    "mm": ("length", 1e-3), "cm": ("length", 1e-2), "m": ("length", 1.0), "km": ("length", 1e3),
    "metre": ("length", 1.0), "metres": ("length", 1.0), "meter": ("length", 1.0),
    "meters": ("length", 1.0), "kilometre": ("length", 1e3), "kilometres": ("length", 1e3),
    "kilometer": ("length", 1e3), "kilometers": ("length", 1e3), "mile": ("length", 1609.344),
    "miles": ("length", 1609.344), "feet": ("length", 0.3048), "ft": ("length", 0.3048),
    "mg": ("mass", 1e-6), "g": ("mass", 1e-3), "kg": ("mass", 1.0), "gram": ("mass", 1e-3),
    "grams": ("mass", 1e-3), "kilogram": ("mass", 1.0), "kilograms": ("mass", 1.0),
    "tonne": ("mass", 1e3), "tonnes": ("mass", 1e3), "ms": ("time", 1e-3), "s": ("time", 1.0),
    "sec": ("time", 1.0), "second": ("time", 1.0), "seconds": ("time", 1.0),
    "min": ("time", 60.0), "minute": ("time", 60.0), "minutes": ("time", 60.0),
    "h": ("time", 3600.0), "hour": ("time", 3600.0), "hours": ("time", 3600.0),
    "day": ("time", 86400.0), "days": ("time", 86400.0), "week": ("time", 604800.0),
    "weeks": ("time", 604800.0), "month": ("months", 1.0), "months": ("months", 1.0),
    "year": ("months", 12.0), "years": ("months", 12.0), "decade": ("months", 120.0),
    "decades": ("months", 120.0), "w": ("power", 1.0), "kw": ("power", 1e3), "mw": ("power", 1e6),
    "gw": ("power", 1e9), "kwh": ("energy", 1e3), "mwh": ("energy", 1e6), "gwh": ("energy", 1e9),
    "twh": ("energy", 1e12),
}  # fmt: skip
_NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        [
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ],
        2,
    )
}
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_NUMBER_WORDS)})\b", re.IGNORECASE)
_ABOUT = word_set(
    "about around approximately approx nearly almost roughly some over under than least most circa "
    "ca etwa rund knapp über environ près casi unos cerca"
)
_ABOUT_TOLERANCE = 0.1  # of the value
_ROUND_TOLERANCE = 0.025


class Quantity(NamedTuple):
    """A number in a text."""

    value: float  # in the base unit
    unit: str  # what is counted or measured; empty if the text does not say
    text: str  # as written, with its unit
    tolerance: float  # how far a value may be off that was rounded to this one

    def equals(self, other: "Quantity") -> bool:
        """Tell whether the other value, rounded as this one is, is the same."""
        rounding = 0.5 if self.value.is_integer() and not other.value.is_integer() else 0.0
        allowed = max(self.tolerance, abs(self.value) * 1e-9, rounding)
        return abs(self.value - other.value) <= allowed

    def is_among(self, others: "Iterable[Quantity]") -> bool:
        """Tell whether one of the others is the same value."""
        return any(map(self.equals, others))


class TextDate(NamedTuple):
    """A date in a text; parts that it does not have are 0."""

    year: int
    month: int = 0
    day: int = 0
    text: str = ""

    def agrees_with(self, other: "TextDate") -> bool:
        """Tell whether no part that both have differs."""
        pairs = zip(self[:3], other[:3], strict=True)
        return all(not mine or not theirs or mine == theirs for mine, theirs in pairs)

    def has_parts_of(self, other: "TextDate") -> bool:
        """Tell whether both have a part in common that can be compared."""
        return any(mine and theirs for mine, theirs in zip(self[:3], other[:3], strict=True))

    def is_among(self, others: "Iterable[TextDate]") -> bool:
        """Tell whether one of the others is the same date, as far as both are given."""
        return any(self.has_parts_of(other) and self.agrees_with(other) for other in others)


def quantities_of(text: str) -> list[Quantity]:
    """Return the numbers of a text that are not dates, in order."""
    plain = _SPACED_THOUSANDS.sub("", unicodedata.normalize("NFKC", text))
    plain = _NUMBER_WORD.sub(lambda match: _NUMBER_WORDS[match[0].lower()], plain)
    without_dates = plain
    for _, start, end in _dated(plain):
        without_dates = without_dates[:start] + "_" * (end - start) + without_dates[end:]
    found = (_quantity(without_dates, match) for match in _NUMBER.finditer(without_dates))
    return [quantity for quantity in found if quantity is not None]


def dates_of(text: str) -> list[TextDate]:
    """Return the dates and years of a text, in order."""
    return [date for date, _, _ in _dated(unicodedata.normalize("NFKC", text))]


def _quantity(text: str, match: re.Match[str]) -> Quantity | None:
    digits = match["digits"]
    number, decimals = _value(digits)
    following = _NEXT_WORD.match(text, match.end())
    word = following[1] if following else ""
    end = match.end()
    scale = _SCALES.get(word.lower(), 1.0)
    if following and scale != 1.0:
        end = following.end()
        following = _NEXT_WORD.match(text, end)
        word = following[1] if following else ""
    unit, factor = _unit(word, match["currency"] or "")
    if following and unit and not match["currency"]:
        end = following.end()
    factor *= scale
    before = _WORD.findall(text[max(0, match.start() - 20) : match.start()].lower())
    is_about = bool(before) and before[-1] in _ABOUT
    value = number * factor * (-1 if match["sign"] else 1)
    rounding = 10.0**-decimals * 0.5 if decimals else _rounding(number)
    tolerance = max(rounding * factor, abs(value) * _ABOUT_TOLERANCE if is_about else 0.0)
    return Quantity(value, unit, text[match.start() : end].strip(), tolerance)


def _value(digits: str) -> tuple[float, int]:
    """Return the number and its decimals; a comma before three digits separates thousands."""
    if _GROUPED.fullmatch(digits):
        digits = digits.replace(",", "")
    elif digits.count(",") == 1 and "." not in digits:
        digits = digits.replace(",", ".")
    else:
        digits = digits.replace(",", "")
    if digits.count(".") > 1:  # 1.234.567
        digits = digits.replace(".", "")
    whole, _, fraction = digits.partition(".")
    return float(f"{whole}.{fraction or 0}"), len(fraction)


def _rounding(number: float) -> float:
    """Return how far off a round number may be: 12,000 is likely to be rounded, 45 is exact."""
    plain = f"{number:.0f}"
    zeros = len(plain) - len(plain.rstrip("0"))
    return min(0.5 * 10**zeros, number * _ROUND_TOLERANCE) if zeros >= 2 else 0.0


def _unit(word: str, currency: str) -> tuple[str, float]:
    lower = word.lower()
    if currency:
        return _CURRENCIES[currency], 1.0
    if lower in _PERCENT or " " in lower:  # per cent, pour cent, por ciento
        return "%", 1.0
    if lower in _CURRENCIES:
        return _CURRENCIES[lower], 1.0
    if lower in _UNITS and (len(word) > 1 or word.islower()):
        return _UNITS[lower]
    if len(lower) < 3 or lower in STOPWORDS:
        return "", 1.0
    return stem_word(lower), 1.0


def _dated(text: str) -> Iterator[tuple[TextDate, int, int]]:
    """Yield dates with their places; those of a later kind do not overlap earlier ones."""
    taken: list[tuple[int, int]] = []
    for date, start, end in (*_iso_dates(text), *_named_dates(text), *_years(text)):
        if not any(start < other_end and other_start < end for other_start, other_end in taken):
            taken.append((start, end))
            yield date, start, end


def _iso_dates(text: str) -> Iterator[tuple[TextDate, int, int]]:
    for match in _ISO.finditer(text):
        parts = (int(match[name]) for name in ("year", "month", "day"))
        yield TextDate(*parts, text=match[0]), match.start(), match.end()


def _named_dates(text: str) -> Iterator[tuple[TextDate, int, int]]:
    for match in _DAY_MONTH.finditer(text):
        month = MONTHS.get(match["month"].lower())
        day, year = int(match["day"] or match["day2"] or 0), int(match["year"] or 0)
        if month is None or not match["month"][0].isupper() or not (day or year):
            continue
        if (year and not 1500 <= year < 2100) or day > 31:
            continue
        yield TextDate(year, month, day, match[0].strip()), match.start(), match.end()


def _years(text: str) -> Iterator[tuple[TextDate, int, int]]:
    """Yield numbers that are years: of four digits, and not counting anything."""
    for match in _NUMBER.finditer(text):
        if match["currency"] or not _YEAR.fullmatch(match["digits"]) or match["ordinal"]:
            continue
        following = _NEXT_WORD.match(text, match.end())
        unit = _unit(following[1], "")[0] if following else ""
        if unit in _COUNTED or unit == "%" or unit in _MEASURED:
            continue
        yield TextDate(int(match["digits"]), text=match["digits"]), match.start(), match.end()


_MEASURED = frozenset(kind for kind, _ in _UNITS.values()) | frozenset(_CURRENCIES.values())
_COUNTED = frozenset(
    map(
        stem_word,
        word_set(
            "people participants patients children adults students samples cases deaths units "
            "employees subjects respondents households copies items studies species animals"
        ),
    )
)
