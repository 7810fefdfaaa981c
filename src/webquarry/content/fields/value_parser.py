"""Parses numbers, dates, currencies, booleans and URLs; None for ambiguous text."""

import re
from typing import Any
from urllib.parse import urljoin, urlsplit

from webquarry.content.fields.field_names import field_key
from webquarry.content.text.dates import iso_date
from webquarry.content.text.word_list import word_set

NUMBER = re.compile(r"(?<![\w.,])[-\u2212]?\d[\d.,'\u00a0\u202f ]*\d|(?<![\w.,])[-\u2212]?\d")
_CURRENCIES = {
    "€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "CHF": "CHF", "EUR": "EUR",
    "USD": "USD", "GBP": "GBP", "US$": "USD", "zł": "PLN", "kr": "", "SEK": "SEK", "NOK": "NOK",
    "DKK": "DKK", "JPY": "JPY", "PLN": "PLN", "CAD": "CAD", "AUD": "AUD", "C$": "CAD", "A$": "AUD",
    "INR": "INR", "₩": "KRW", "R$": "BRL", "NZ$": "NZD", "CZK": "CZK", "HUF": "HUF",
}  # fmt: skip
_CURRENCY = "|".join(re.escape(sign) for sign in sorted(_CURRENCIES, key=len, reverse=True))
_AMOUNT = r"\d[\d.,'\u00a0\u202f ]{0,30}\d|\d"
PRICE = re.compile(
    rf"(?:(?<!\w)({_CURRENCY})\s?({_AMOUNT})|({_AMOUNT})(?:,-)?\s?({_CURRENCY})(?!\w))"
)
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+")
PHONE = re.compile(r"\+?\d[\d\s()./-]{5,18}\d")
RATING = re.compile(
    r"(\d(?:[.,]\d+)?)\s*(?:/|out of|von|of|sur|de)\s*(?:5|10)\b|(\d(?:[.,]\d+)?)\s*(?:stars?|★)",
    re.I,
)
_ISO_DURATION = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?)?$")
_HOURS = re.compile(r"(?<!\d)(\d+(?:[.,]\d+)?)\s*(?:h|hr|hrs|hours?|std|stunden?|heures?)\b", re.I)
_MINUTES = re.compile(r"(?<!\d)(\d+)\s*(?:m|min|mins|minutes?|minuten)\b", re.I)
_YES = word_set("yes true y ja oui si sí ✓ ✔ included available instock") | {"in stock"}
_NO = word_set("no false n nein non ✗ ✘ none unavailable outofstock soldout") | {
    "out stock", "out of stock", "sold out", "not available",
    "currently unavailable", "not included",
}  # fmt: skip


def number_in(text: str, kind: str = "", *, last: bool = False) -> float | None:
    """Return the only number of a text; of a range the `last` one if requested."""
    if kind == "duration":
        return minutes_in(text)
    if kind == "rating" and (match := RATING.search(text)):
        return parse_number(match[1] or match[2])
    if kind == "price" and (amounts := _amounts(text)):
        prices = [parse_number(amount) for amount in amounts]
        return prices[-1] if last or len(set(prices)) == 1 else None
    numbers = NUMBER.findall(text)
    if len(numbers) == 2 and last:
        return parse_number(numbers[1])
    return parse_number(numbers[0]) if len(numbers) == 1 else None


def _amounts(text: str) -> list[str]:
    return [match[2] or match[3] for match in PRICE.finditer(text)]


def range_start(text: str) -> float | None:
    """Return the first number of a range of two."""
    amounts = _amounts(text)
    numbers = amounts if len(amounts) == 2 else NUMBER.findall(text)
    return parse_number(numbers[0]) if len(numbers) == 2 else None


def parse_number(text: str) -> float | None:
    """Return a number in the notation of any country: 1,234.50, 1.234,50, 1 234,50."""
    compact = re.sub(r"[\s'\u00a0\u202f]", "", text).replace("\u2212", "-").rstrip(".,")
    try:
        value = float(_with_decimal_point(compact))
    except ValueError:
        return None
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _with_decimal_point(text: str) -> str:
    comma, point = text.rfind(","), text.rfind(".")
    if comma >= 0 and point >= 0:  # the last one is the decimal separator
        return text.replace("," if point > comma else ".", "").replace(",", ".")
    separator = "," if comma >= 0 else "."
    head, _, tail = text.rpartition(separator)
    is_grouping = separator == "," and len(tail) == 3 and head not in ("0", "-0", "")
    if separator in head or is_grouping:
        return text.replace(separator, "")
    return text.replace(separator, ".")


def minutes_in(text: str) -> float | None:
    """Return a duration in minutes."""
    text = text.strip()
    if match := _ISO_DURATION.match(text):
        days, hours, minutes = (int(part or 0) for part in match.groups())
        return days * 1440 + hours * 60 + minutes or None
    return int(text) if text.isdecimal() else _hours_and_minutes(text)


def _hours_and_minutes(text: str) -> float | None:
    hours, minutes = _HOURS.search(text), _MINUTES.search(text)
    if not hours and not minutes:
        return None
    total = 60 * (parse_number(hours[1] if hours else "0") or 0)
    total += int(minutes[1] if minutes else 0)
    return int(total) if float(total).is_integer() else total


def currency_in(text: str) -> str | None:
    """Return the ISO 4217 code of the only currency in a text."""
    codes = {_CURRENCIES[match[1] or match[4]] for match in PRICE.finditer(text)}
    symbol = text.strip()
    if not codes and (re.fullmatch(r"[A-Z]{3}", symbol) or symbol in _CURRENCIES):
        codes = {_CURRENCIES.get(symbol, symbol)}
    return codes.pop() or None if len(codes) == 1 else None


def boolean_in(text: str, kind: str = "") -> bool | None:
    """Return the yes or no that a text states."""
    key = field_key(last_segment(text))
    joined = key.replace(" ", "")
    if kind == "remote":
        return True if joined.startswith("yes") else _REMOTE.get(joined)
    if {key, joined} & _NO or key.startswith(("out stock", "sold out", "not ")):
        return False
    if {key, joined} & _YES or "in stock" in key:
        return True
    return _FIRST_WORDS.get(key.split(" ")[0])


def last_segment(text: str) -> str:
    """Return the last part of a schema.org URL, e.g. InStock."""
    return text.rpartition("/")[2] if text.startswith("http") else text


_FIRST_WORDS = {"yes": True, "ja": True, "oui": True, "no": False, "nein": False}
_REMOTE = {
    **dict.fromkeys(("telecommute", "remote", "fullyremote", "true"), True),
    **dict.fromkeys(word_set("no false onsite onsiteonly notremote inoffice"), False),
}


_DAY_RANGE = re.compile(
    r"(?<!\d)\d{1,2}\.?\s*(?:\u2013|—|-|to|bis|and|&)\s*\d{1,2}(?:\.?\s+[^\W\d]|,\s*\d{4})"
)
_RANGE_SEPARATOR = re.compile(r"(?<!\s)\s+(?:\u2013|—|-|to|until|till|bis)\s+")


def date_in(text: str, form: str, *, last: bool = False) -> str | None:
    """Return a date in the given format: `date`, `date-time`, or else as precise as stated."""
    if _DAY_RANGE.search(text):  # "14 to 16 May" is two days, and the first lacks its month
        return None
    parts = _RANGE_SEPARATOR.split(text)
    stated = parts[-1 if last else 0] if len(parts) == 2 else text
    found = iso_date(stated) or iso_date(re.split(r"(?<!\s)\s+(?:at|um|à|,|\||·)\s+", stated)[0])
    return _formatted_date(found, form)


def _formatted_date(found: str, form: str) -> str | None:
    if form == "date":
        return found[:10] if len(found) >= 10 else None
    if form == "date-time":
        has_zone = len(found) > 19 and (found.endswith("Z") or found[-6] in "+-")
        return found if has_zone else None
    return found or None


def url_in(text: str, base: str) -> str | None:
    """Return an absolute http(s) URL."""
    try:
        url = urljoin(base, text.strip())
        is_valid = urlsplit(url).scheme in ("http", "https") and " " not in url
    except ValueError:
        return None
    return url if is_valid else None


def option_in(text: str, options: list[Any]) -> Any:
    """Return the only option that a text names."""
    key = field_key(last_segment(text))
    by_key = {_joined_key(option): option for option in options if option is not None}
    if (joined := key.replace(" ", "")) in by_key:
        return by_key[joined]
    named = [option for name, option in by_key.items() if len(name) > 2 and name in joined]
    if not named or "not" in key.split():
        return None
    longest = max(named, key=lambda option: len(str(option)))
    is_unique = all(_joined_key(option) in _joined_key(longest) for option in named)
    return longest if is_unique else None


def _joined_key(option: Any) -> str:
    return field_key(str(option)).replace(" ", "")
