"""Reads typed values from the words of a page; None for what is not surely one."""

import re
from typing import Any
from urllib.parse import urljoin, urlsplit

from webquarry.content.fields.field_names import key_of
from webquarry.content.text.dates import iso_date
from webquarry.content.text.word_list import words

NUMBER = re.compile(r"(?<![\w.,])[-\u2212]?\d[\d.,'\u00a0\u202f ]*\d|(?<![\w.,])[-\u2212]?\d")
_SIGNS = {
    "€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "CHF": "CHF", "EUR": "EUR",
    "USD": "USD", "GBP": "GBP", "US$": "USD", "zł": "PLN", "kr": "", "SEK": "SEK", "NOK": "NOK",
    "DKK": "DKK", "JPY": "JPY", "PLN": "PLN", "CAD": "CAD", "AUD": "AUD", "C$": "CAD", "A$": "AUD",
    "INR": "INR", "₩": "KRW", "R$": "BRL", "NZ$": "NZD", "CZK": "CZK", "HUF": "HUF",
}  # fmt: skip
_SIGN = "|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True))
_AMOUNT = r"\d[\d.,'\u00a0\u202f ]*\d|\d"
PRICE = re.compile(rf"(?:(?<!\w)({_SIGN})\s?({_AMOUNT})|({_AMOUNT})(?:,-)?\s?({_SIGN})(?!\w))")
EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
PHONE = re.compile(r"\+?\d[\d\s()./-]{5,18}\d")
RATING = re.compile(
    r"(\d(?:[.,]\d+)?)\s*(?:/|out of|von|of|sur|de)\s*(?:5|10)\b|(\d(?:[.,]\d+)?)\s*(?:stars?|★)",
    re.I,
)
_ISO_SPAN = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?)?$")
_HOURS = re.compile(r"(\d+(?:[.,]\d+)?)\s*(?:h|hr|hrs|hours?|std|stunden?|heures?)\b", re.I)
_MINUTES = re.compile(r"(\d+)\s*(?:m|min|mins|minutes?|minuten)\b", re.I)
_YES = frozenset(words("yes true y ja oui si sí ✓ ✔ included available instock")) | {"in stock"}
_NO = frozenset(words("no false n nein non ✗ ✘ none unavailable outofstock soldout")) | {
    "out stock", "out of stock", "sold out", "not available",
    "currently unavailable", "not included",
}  # fmt: skip


def number_in(text: str, kind: str = "", *, last: bool = False) -> float | None:
    """Return the one number of a text; of a range the first, or the `last`."""
    if kind == "duration":
        return minutes_in(text)
    if kind == "rating" and (found := RATING.search(text)):
        return parsed(found[1] or found[2])
    if kind == "price" and (amounts := [m[2] or m[3] for m in PRICE.finditer(text)]):
        values = {parsed(amount) for amount in amounts}
        return parsed(amounts[-1 if last else 0]) if len(values) == 1 or last else None
    found = [match[0] for match in NUMBER.finditer(text)]
    if last and len(found) == 2:
        return parsed(found[1])
    return parsed(found[0]) if len(found) == 1 else None


def lowest_in(text: str) -> float | None:
    """Return the first number of a range of two."""
    found = [match[2] or match[3] for match in PRICE.finditer(text)]
    found = found if len(found) == 2 else [match[0] for match in NUMBER.finditer(text)]
    return parsed(found[0]) if len(found) == 2 else None


def parsed(text: str) -> float | None:
    """Return a number as people of many countries write it: 1,234.50, 1.234,50, 1 234,50."""
    clean = re.sub(r"[\s'\u00a0\u202f]", "", text).replace("\u2212", "-").rstrip(".,")
    comma, point = clean.rfind(","), clean.rfind(".")
    if comma >= 0 and point >= 0:
        clean = clean.replace("," if point > comma else ".", "").replace(",", ".")
    elif comma >= 0 or point >= 0:
        clean = _one_mark(clean, "," if comma >= 0 else ".")
    try:
        value = float(clean)
    except ValueError:
        return None
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def _one_mark(text: str, mark: str) -> str:
    head, _, tail = text.rpartition(mark)
    if head.count(mark) or (mark == "," and len(tail) == 3 and head not in ("0", "-0", "")):
        return text.replace(mark, "")
    return text.replace(mark, ".")


def minutes_in(text: str) -> float | None:
    """Return how many minutes a span of time takes."""
    if span := _ISO_SPAN.match(text.strip()):
        days, hours, minutes = (int(part or 0) for part in span.groups())
        return days * 1440 + hours * 60 + minutes or None
    hours, minutes = _HOURS.search(text), _MINUTES.search(text)
    if not hours and not minutes:
        only = re.fullmatch(r"\s*(\d+)\s*", text)
        return int(only[1]) if only else None
    total = (parsed(hours[1]) or 0) * 60 if hours else 0
    total += int(minutes[1]) if minutes else 0
    return int(total) if float(total).is_integer() else total


def currency_in(text: str) -> str | None:
    """Return the ISO 4217 code of the one currency a text names."""
    found = {_SIGNS[match[1] or match[4]] for match in PRICE.finditer(text)}
    bare = text.strip()
    if not found and (re.fullmatch(r"[A-Z]{3}", bare) or bare in _SIGNS):
        found = {_SIGNS.get(bare, bare)}
    return next(iter(found)) or None if len(found) == 1 else None


def truth_in(text: str, kind: str = "") -> bool | None:
    """Return what a text says to yes or no."""
    key = key_of(text.rpartition("/")[2] if text.startswith("http") else text).replace("  ", " ")
    squeezed = key.replace(" ", "")
    if kind == "remote":
        return _remote(squeezed)
    if key in _NO or squeezed in _NO or key.startswith(("out stock", "sold out", "not ")):
        return False
    if key in _YES or squeezed in _YES or key.startswith("in stock") or "in stock" in key:
        return True
    first = key.split(" ")[0]
    return True if first in ("yes", "ja", "oui") else False if first in ("no", "nein") else None


def _remote(squeezed: str) -> bool | None:
    if squeezed in ("no", "false", "onsite", "onsiteonly", "notremote", "inoffice"):
        return False
    words = ("telecommute", "remote", "fullyremote", "yes", "true")
    return True if squeezed in words or squeezed.startswith("yes") else None


_SPAN = re.compile(
    r"(?<!\d)\d{1,2}\.?\s*(?:\u2013|—|-|to|bis|and|&)\s*\d{1,2}(?:\.?\s+[^\W\d]|,\s*\d{4})"
)
_TWO = re.compile(r"\s+(?:\u2013|—|-|to|until|till|bis)\s+")


def date_in(text: str, form: str, *, last: bool = False) -> str | None:
    """Return the date in the form that is asked for: as told, to the day, or to the second."""
    if _SPAN.search(text):  # 14 to 16 May: which of them is meant, and is the other one whole?
        return None
    parts = _TWO.split(text) if len(_TWO.split(text)) == 2 else [text]
    told = parts[-1 if last else 0]
    found = iso_date(told) or iso_date(re.split(r"\s+(?:at|um|à|,|\||·)\s+", told)[0])
    if form == "date":
        return found[:10] if len(found) >= 10 else None
    if form == "date-time":
        zoned = len(found) > 19 and (found.endswith("Z") or found[-6] in "+-")
        return found if zoned else None
    return found or None


def address_in(text: str, base: str) -> str | None:
    """Return an absolute address of the web."""
    try:
        joined = urljoin(base, text.strip())
        fine = urlsplit(joined).scheme in ("http", "https") and " " not in joined
    except ValueError:
        return None
    return joined if fine else None


def option_in(text: str, options: list[Any]) -> Any:
    """Return the one of the options that a text names."""
    tail = text.rpartition("/")[2] if text.startswith("http") else text
    squeezed = key_of(tail).replace(" ", "")
    by_key = {
        key_of(str(option)).replace(" ", ""): option for option in options if option is not None
    }
    if squeezed in by_key:
        return by_key[squeezed]
    inside = [option for key, option in by_key.items() if len(key) > 2 and key in squeezed]
    longest = max(inside, key=lambda option: len(str(option)), default=None)
    covered = all(
        key_of(str(o)).replace(" ", "") in key_of(str(longest)).replace(" ", "") for o in inside
    )
    return longest if inside and covered and "not" not in key_of(tail).split() else None
