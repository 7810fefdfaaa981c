"""Turns the words found for a field into the value its schema asks for."""

import re
from collections.abc import Callable
from typing import Any

from webquarry.content.fields import value_parser
from webquarry.content.fields.field_spec import FieldSpec
from webquarry.content.fields.json_schema import complaint

_NO_NAME = re.compile(r"\d|https?:|@|^no author$", re.IGNORECASE)
_COUNTED = (
    r"(\d[\d.,\u00a0 ]*)\s*\+?\s*(?:\w+\s+){0,2}?(?:reviews?|ratings?|votes?|bewertungen|avis)\b"
)


def read_value(field: FieldSpec, text: str, exact: str, base: str) -> tuple[Any, str]:
    """Return the value, or None and why there is none."""
    text = text.strip()
    reader = {
        "number": _number, "integer": _integer, "boolean": _boolean, "string": _string,
    }[field.type]  # fmt: skip
    options = field.schema.get("enum")
    value = value_parser.option_in(text, options) if options else reader(field, text, exact, base)
    if value is None:
        return None, f"found {_short(text or exact)}, which is not {_expected(field)}"
    wrong = complaint(value, field.schema)
    return (None, f"found {_short(str(value))}, which {wrong}") if wrong else (value, "")


def _short(text: str) -> str:
    return repr(text if len(text) < 60 else f"{text[:60]}…")


def _expected(field: FieldSpec) -> str:
    if field.schema.get("enum"):
        return "surely one of the values the schema lists"
    if field.type == "string":
        return f"surely a {field.format or field.kind}"
    return f"surely one {field.type}"


def _number(field: FieldSpec, text: str, exact: str, base: str) -> float | None:
    del base
    if field.means("salary max"):
        return (
            value_parser.number_in(text, "price", last=True)
            if value_parser.lowest_in(text)
            else value_parser.parsed(text)
        )
    if field.means("salary min"):
        return value_parser.lowest_in(text) or value_parser.parsed(text)
    if field.means("review count") and (found := _counted(text)) is not None:
        return found
    kind = field.kind
    found = value_parser.number_in(text, kind)
    if found is None and kind == "rating":
        found = _leading_rating(text)
    if found is None and exact and kind in ("duration", "price", "rating", "count"):
        found = value_parser.number_in(exact, kind)
    return found if found is None or kind != "rating" or 0 <= found <= 100 else None


def _counted(text: str) -> float | None:
    found = re.search(_COUNTED, text, re.IGNORECASE)
    return value_parser.parsed(found[1]) if found else None


def _leading_rating(text: str) -> float | None:
    found = re.match(
        r"\s*(?:rated\s+)?(\d[.,]\d{1,2})\s*(?:\(|★|stars?|$|based)", text, re.IGNORECASE
    )
    return value_parser.parsed(found[1]) if found else None


def _integer(field: FieldSpec, text: str, exact: str, base: str) -> int | None:
    found = _number(field, text, exact, base)
    return int(found) if found is not None and float(found).is_integer() else None


def _boolean(field: FieldSpec, text: str, exact: str, base: str) -> bool | None:
    del base
    found = value_parser.truth_in(text, field.kind)
    return value_parser.truth_in(exact, field.kind) if found is None and exact else found


def _string(field: FieldSpec, text: str, exact: str, base: str) -> str | None:
    form = field.format
    if form in ("date", "date-time"):
        last = field.means("end date", "valid through")
        return value_parser.date_in(exact, form) or value_parser.date_in(text, form, last=last)
    if form in ("uri", "url") or field.kind == "url":
        return value_parser.address_in(exact or text, base) if exact or "/" in text else None
    if form == "email":
        return _email(text, exact)
    return _READERS.get(field.kind, _verbatim)(text, exact)


def _verbatim(text: str, exact: str) -> str | None:
    del exact
    return text or None


def _email(text: str, exact: str) -> str | None:
    found = set(value_parser.EMAIL.findall(f"{text} {exact}"))
    return found.pop().rstrip(".") if len(found) == 1 else None


def _currency(text: str, exact: str) -> str | None:
    del exact
    return value_parser.currency_in(text)


def _availability(text: str, exact: str) -> str | None:
    del exact
    return text.rpartition("/")[2] if text.startswith("http") else text or None


def _phone(text: str, exact: str) -> str | None:
    found = value_parser.PHONE.findall(text)
    if len(found) == 1:
        return text if len(text) < 30 else found[0].strip()
    return exact.removeprefix("tel:") if exact.startswith("tel:") else None


def _person(text: str, exact: str) -> str | None:
    del exact
    for word in ("by ", "By ", "von ", "par "):
        text = text.removeprefix(word)
    return text if 1 < len(text) < 160 and not _NO_NAME.search(text) else None


_READERS: dict[str, Callable[[str, str], str | None]] = {
    "email": _email, "currency": _currency, "availability": _availability, "phone": _phone,
    "person": _person,
}  # fmt: skip
