"""The data of several pages as one object."""

from collections.abc import Sequence
from typing import Any, cast

Json = dict[str, Any]


def merged(values: Sequence[Any]) -> Any:
    """Return values as one: objects field by field, lists joined, else the first that is there."""
    present = [value for value in values if value not in (None, [], {})]
    if not present:
        return next((value for value in values if value is not None), None)
    if isinstance(present[0], dict):
        return _merged_objects(present)
    return _joined(present) if isinstance(present[0], list) else present[0]


def _merged_objects(values: Sequence[Any]) -> Json:
    objects = [cast("Json", value) for value in values if isinstance(value, dict)]
    names = dict.fromkeys(name for each in objects for name in each)
    return {name: merged([each.get(name) for each in objects]) for name in names}


def _joined(values: Sequence[Any]) -> list[Any]:
    """Return the items of all lists, each once."""
    lists = [cast("list[Any]", value) for value in values if isinstance(value, list)]
    items: list[Any] = []
    for item in (item for each in lists for item in each):
        if item not in items:
            items.append(item)
    return items


def sources_of(rows: Sequence[Json]) -> dict[str, list[str]]:
    """Return the pages from which each field was read."""
    found: dict[str, list[str]] = {}
    for row in rows:
        for pointer in row.get("sources") or ():
            urls = found.setdefault(str(pointer).lstrip("/"), [])
            if row["url"] not in urls:
                urls.append(row["url"])
    return found
