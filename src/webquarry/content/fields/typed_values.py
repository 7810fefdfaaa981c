"""Converts the text of a field to the type of its schema."""

import re
from collections.abc import Callable
from typing import Any

from webquarry.content.fields import value_parser
from webquarry.content.fields.field_spec import FieldSpec
from webquarry.content.fields.json_schema import violation

_NOT_A_NAME = re.compile(r"\d|https?:|@|^no author$", re.IGNORECASE)
_REVIEW_COUNT = re.compile(
    r"(\d[\d.,\u00a0 ]{0,20})\s{0,4}\+?\s{0,4}(?:\w{1,30}\s{1,4}){0,2}?"
    r"(?:reviews?|ratings?|votes?|bewertungen|avis)\b",
    re.IGNORECASE,
)
_LEADING_RATING = re.compile(
    r"\s*(?:rated\s+)?(\d[.,]\d{1,2})\s*(?:\(|★|stars?|$|based)", re.IGNORECASE
)


def typed_value(field: FieldSpec, text: str, attribute: str, base: str) -> tuple[Any, str]:
    """Return the value, or None and why there is none."""
    text = text.strip()
    if options := field.schema.get("enum"):
        value = value_parser.option_in(text, options)
    elif field.type == "string":
        value = _string(field, text, attribute, base)
    else:
        value = _PARSERS[field.type](field, text, attribute)
    if value is None:
        return None, f"found {_short(text or attribute)}, which is not clearly {_expected(field)}"
    problem = violation(value, field.schema)
    return (None, f"found {_short(str(value))}, which {problem}") if problem else (value, "")


def _short(text: str) -> str:
    return repr(text if len(text) < 60 else f"{text[:60]}…")


def _expected(field: FieldSpec) -> str:
    if field.schema.get("enum"):
        return "one of the values in the schema"
    if field.type == "string":
        return f"a {field.format or field.kind}"
    return f"one {field.type}"


def _number(field: FieldSpec, text: str, attribute: str) -> float | None:
    if field.is_about("salary min", "salary max"):
        return _salary(text, last=field.is_about("salary max"))
    if field.is_about("review count") and (match := _REVIEW_COUNT.search(text)):
        return value_parser.parse_number(match[1])
    if field.kind == "rating":
        return _rating(text, attribute)
    number = value_parser.number_in(text, field.kind)
    if number is None and field.kind in ("duration", "price", "count"):
        return value_parser.number_in(attribute, field.kind)
    return number


def _rating(text: str, attribute: str) -> float | None:
    leading = _LEADING_RATING.match(text)
    number = value_parser.number_in(text, "rating")
    if number is None:
        number = value_parser.number_in(leading[1] if leading else attribute, "rating")
    return number if number is None or 0 <= number <= 100 else None


def _salary(text: str, *, last: bool) -> float | None:
    """Return the first or the last amount of a range, or the only amount."""
    start = value_parser.range_start(text)
    if last and start:
        return value_parser.number_in(text, "price", last=True)
    return (None if last else start) or value_parser.parse_number(text)


def _integer(field: FieldSpec, text: str, attribute: str) -> int | None:
    number = _number(field, text, attribute)
    return int(number) if number is not None and float(number).is_integer() else None


def _boolean(field: FieldSpec, text: str, attribute: str) -> bool | None:
    value = value_parser.boolean_in(text, field.kind)
    return value_parser.boolean_in(attribute, field.kind) if value is None else value


def _string(field: FieldSpec, text: str, attribute: str, base: str) -> str | None:
    form = field.format
    if form in ("date", "date-time"):
        last = field.is_about("end date", "valid through")
        return value_parser.date_in(attribute, form) or value_parser.date_in(text, form, last=last)
    if form in ("uri", "url") or field.kind == "url":
        return value_parser.url_in(attribute or text, base) if attribute or "/" in text else None
    if form == "email" or field.kind == "email":
        return _email(text, attribute)
    if field.kind == "phone":
        return _phone(text, attribute)
    return _STRING_PARSERS[field.kind](text) if field.kind in _STRING_PARSERS else text or None


def _email(text: str, attribute: str) -> str | None:
    emails = set(value_parser.EMAIL.findall(f"{text} {attribute}"))
    return emails.pop().rstrip(".") if len(emails) == 1 else None


def _phone(text: str, attribute: str) -> str | None:
    numbers = value_parser.PHONE.findall(text)
    if len(numbers) == 1:
        return text if len(text) < 30 else numbers[0].strip()
    return attribute.removeprefix("tel:") if attribute.startswith("tel:") else None


def _person(text: str) -> str | None:
    for word in ("by ", "By ", "von ", "par "):
        text = text.removeprefix(word)
    return text if 1 < len(text) < 160 and not _NOT_A_NAME.search(text) else None


_PARSERS: dict[str, Callable[[FieldSpec, str, str], Any]] = {
    "number": _number, "integer": _integer, "boolean": _boolean,
}  # fmt: skip
_STRING_PARSERS: dict[str, Callable[[str], str | None]] = {
    "currency": value_parser.currency_in,
    "availability": lambda text: value_parser.last_segment(text) or None,
    "person": _person,
}
