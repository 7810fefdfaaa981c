"""The differences of two versions of extracted fields."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from webquarry.content.changes.availability import availability_in
from webquarry.content.changes.change_kind import KindOfChange, number_change
from webquarry.content.changes.differences import VersionDifference
from webquarry.content.changes.page_units import fold_text
from webquarry.content.changes.stated_numbers import StatedNumber, stated_numbers
from webquarry.content.fields.field_names import concepts_of, field_key
from webquarry.content.text.dates import iso_date
from webquarry.models.changes import ChangeKind, FieldState, FieldsVersion

_IDENTITIES = ("id", "sku", "url", "link", "name", "title")
_MAX_VALUES = 5_000
_MAX_DEPTH = 12
_PRICES = frozenset(("price", "money"))


def fields_version(
    url: str, data: Any, quotes: Mapping[str, str] | None = None, *, at: float = 0.0
) -> FieldsVersion:
    """Return extracted data as a version; `quotes` are the words of the page by JSON pointer.

    Members of a list are recognised by their id, URL, name or title, not by their position.
    """
    quotes = quotes or {}
    values: dict[str, FieldState] = {}
    for name, pointer, value in _flat("", "", data, 0):
        if len(values) < _MAX_VALUES:
            values[name] = FieldState(value=value, quote=quotes.get(pointer, ""))
    return FieldsVersion(url=url, values=values, at=at)


def field_differences(before: FieldsVersion, after: FieldsVersion) -> list[VersionDifference]:
    """Return the fields whose values differ."""
    names = dict.fromkeys((*before.values, *after.values))
    empty = FieldState()
    found: list[VersionDifference] = []
    for name in names:
        old, new = before.values.get(name, empty), after.values.get(name, empty)
        left, right = _written(old.value), _written(new.value)
        if not _is_same(old.value, new.value):
            kind, number = _kind(name, (old, new), (left, right))
            found.append(VersionDifference(kind, left, right, where=name, number=number,
                                    quotes=(old.quote, new.quote)))  # fmt: skip
    return found


def _flat(name: str, pointer: str, value: Any, depth: int) -> Iterator[tuple[str, str, Any]]:
    """Yield name, JSON pointer and value of everything that is no object."""
    if isinstance(value, dict) and depth < _MAX_DEPTH:
        for key, inner in cast(dict[str, Any], value).items():
            step = key.replace("~", "~0").replace("/", "~1")
            yield from _flat(f"{name}/{step}", f"{pointer}/{step}", inner, depth + 1)
    elif isinstance(value, list) and depth < _MAX_DEPTH and _has_objects(cast(list[Any], value)):
        for number, inner in enumerate(cast(list[Any], value)):
            yield from _flat(
                f"{name}/{_identity(inner) or number}", f"{pointer}/{number}", inner, depth + 1
            )
    else:
        yield name or "/", pointer, value


def _has_objects(values: list[Any]) -> bool:
    return any(isinstance(each, dict) for each in values)


def _identity(value: Any) -> str:
    if not isinstance(value, dict):
        return ""
    item = cast(dict[str, Any], value)
    found = next((item[key] for key in _IDENTITIES if isinstance(item.get(key), str | int)), "")
    return fold_text(str(found))[:200].replace("~", "~0").replace("/", "~1")


def _is_same(before: Any, after: Any) -> bool:
    if isinstance(before, str) and isinstance(after, str):
        return fold_text(before) == fold_text(after)
    return before == after and isinstance(before, bool) == isinstance(after, bool)


def _written(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _kind(name: str, states: tuple[FieldState, FieldState], texts: tuple[str, str]) -> KindOfChange:
    concepts = {concept.kind for concept in concepts_of(field_key(name.rpartition("/")[2]))}
    numbers = [_number(state.value) for state in states]
    change = number_change(numbers[0], numbers[1]) if numbers[1] else None
    if concepts & _PRICES or any(number and number.is_price for number in numbers):
        return KindOfChange("price", change)
    if "availability" in concepts or any(map(availability_in, texts)):
        return KindOfChange("availability", change)
    return KindOfChange("number" if change else _kind_of_text(texts), change)


def _kind_of_text(texts: tuple[str, str]) -> ChangeKind:
    stated = [text for text in texts if text]
    if all(text.startswith(("http://", "https://")) for text in stated):
        return "link"
    return "date" if all(map(iso_date, stated)) else "field"


def _number(value: Any) -> StatedNumber | None:
    """Return the only number of a value."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return StatedNumber(0, 0, float(value))
    found = stated_numbers(value[:200]) if isinstance(value, str) else []
    return found[0] if len(found) == 1 else None
