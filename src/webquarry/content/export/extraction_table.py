"""Extracted data as the rows of a table: each value beside the words it was read from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from webquarry.content.fields.fill import json_pointer
from webquarry.content.html.json_ld import as_list, as_node

INFERRED_COLUMN = "ungrounded"
_QUOTE_SUFFIX = "_quote"
_QUOTE_SEPARATOR = " | "


@dataclass(frozen=True)
class TableColumn:
    """A field of a schema: its name in the table and its JSON pointer in a record."""

    name: str
    pointer: str


@dataclass(frozen=True)
class TableShape:
    """The columns of a table, and where its records are: one a page, or a list on each page."""

    columns: tuple[TableColumn, ...]
    list_pointer: str | None  # None: each page is a record


def table_shape(schema: Mapping[str, Any] | None) -> TableShape:
    """Return the table for a resolved schema; without one, a page is one cell of JSON."""
    if schema is None:
        return TableShape((TableColumn("data", ""),), None)
    if record := _record_schema(schema):
        return TableShape(tuple(_columns(record, "", "")), "")
    properties: dict[str, Any] = schema.get("properties", {})
    if len(properties) == 1:
        name, inner = next(iter(properties.items()))
        if record := _record_schema(inner):
            return TableShape(tuple(_columns(record, "", "")), json_pointer("", name))
    return TableShape(tuple(_columns(schema, "", "")), None)


def table_header(shape: TableShape) -> tuple[str, ...]:
    """Return the names of the columns."""
    fields = [name for column in shape.columns for name in (column.name, _quote_name(column))]
    return ("url", *fields, INFERRED_COLUMN, "note")


def table_rows(
    shape: TableShape, url: str, data: Any, sources: Mapping[str, Mapping[str, Any]], note: str
) -> Iterator[Sequence[Any]]:
    """Yield the rows of a page; a page without records has one with its note."""
    if shape.list_pointer is None:
        yield _row(shape, (url, note), data, sources, "")
        return
    records = as_list(_value(data, shape.list_pointer))
    if not records:
        yield _row(shape, (url, note or "no records"), None, {}, "")
    for index, record in enumerate(records):
        yield _row(shape, (url, note), record, sources, f"{shape.list_pointer}/{index}")


def _row(
    shape: TableShape,
    page: tuple[str, str],  # URL and note
    record: Any,
    sources: Mapping[str, Mapping[str, Any]],
    pointer: str,
) -> list[Any]:
    cells: list[Any] = [page[0]]
    inferred: list[str] = []
    for column in shape.columns:
        found = _sources(sources, pointer + column.pointer)
        cells.append(_value(record, column.pointer))
        cells.append(_QUOTE_SEPARATOR.join(dict.fromkeys(source["quote"] for source in found)))
        if any(source.get("ungrounded") for source in found):
            inferred.append(column.name)
    return [*cells, ", ".join(inferred), page[1]]


def _sources(sources: Mapping[str, Mapping[str, Any]], pointer: str) -> list[Mapping[str, Any]]:
    """Return the sources of a value and of its parts."""
    return [
        source for key, source in sources.items() if key == pointer or key.startswith(f"{pointer}/")
    ]


def _record_schema(schema: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the schema of the records of a list of objects."""
    items = as_node(schema.get("items")) if schema["type"] == "array" else {}
    return items if items.get("type") == "object" else None


def _columns(schema: Mapping[str, Any], name: str, pointer: str) -> Iterator[TableColumn]:
    if schema["type"] != "object":
        yield TableColumn(name or "data", pointer)
        return
    properties = cast("dict[str, dict[str, Any]]", schema.get("properties", {}))
    for key, inner in properties.items():
        yield from _columns(inner, f"{name}.{key}" if name else key, json_pointer(pointer, key))


def _value(data: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        data = as_node(data).get(part.replace("~1", "/").replace("~0", "~"))
    return data


def _quote_name(column: TableColumn) -> str:
    return f"{column.name}{_QUOTE_SUFFIX}"
