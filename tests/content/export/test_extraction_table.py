"""Extracted data as a table: rows of pages or records, each value with its quote."""

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.content.export.csv_rows import csv_row
from webquarry.content.export.extraction_table import table_header, table_rows, table_shape
from webquarry.content.fields.json_schema import resolve_schema

URL = "https://shop.test/1"
PRODUCT = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "offer": {"type": "object", "properties": {"price": {"type": "number"}}},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
}


def source(quote: str, **more: Any) -> dict[str, Any]:
    return {"quote": quote, "method": "label", **more}


def test_a_page_is_a_row_with_nested_fields_as_columns() -> None:
    shape = table_shape(resolve_schema(PRODUCT))
    data = {"name": "Mug", "offer": {"price": 4.5}, "tags": ["tea", "clay"]}
    sources = {
        "/name": source("Mug"),
        "/offer/price": source("$4.50"),
        "/tags": source("", ungrounded=True),
    }

    assert table_header(shape) == (
        "url", "name", "name_quote", "offer.price", "offer.price_quote", "tags", "tags_quote",
        "ungrounded", "note",
    )  # fmt: skip
    assert [list(row) for row in table_rows(shape, URL, data, sources, "")] == [
        [URL, "Mug", "Mug", 4.5, "$4.50", ["tea", "clay"], "", "tags", ""]
    ]


@pytest.mark.parametrize(
    ("schema", "prefix"),
    [
        ({"type": "array", "items": PRODUCT}, ""),
        (
            {"type": "object", "properties": {"items": {"type": "array", "items": PRODUCT}}},
            "/items",
        ),
    ],
    ids=["list", "object of one list"],
)
def test_a_list_of_records_has_a_row_for_each(schema: Any, prefix: str) -> None:
    shape = table_shape(resolve_schema(schema))
    records = [{"name": "A"}, {"name": "B"}]
    data = {"items": records} if prefix else records
    sources = {f"{prefix}/0/name": source("Name: A"), f"{prefix}/1/name": source("Name: B")}

    rows = [list(row)[:3] for row in table_rows(shape, URL, data, sources, "")]

    assert rows == [[URL, "A", "Name: A"], [URL, "B", "Name: B"]]


def test_a_page_without_records_is_still_in_the_table() -> None:
    shape = table_shape(resolve_schema({"type": "array", "items": PRODUCT}))

    rows = [list(row) for row in table_rows(shape, URL, None, {}, "")]

    assert [(row[0], row[-1]) for row in rows] == [(URL, "no records")]


def test_without_a_schema_the_data_are_one_cell() -> None:
    shape = table_shape(None)

    assert table_header(shape) == ("url", "data", "data_quote", "ungrounded", "note")
    assert [list(row) for row in table_rows(shape, URL, [{"a": 1}], {}, "n")] == [
        [URL, [{"a": 1}], "", "", "n"]
    ]


@given(st.dictionaries(st.text(min_size=1, max_size=8), st.text(max_size=20), max_size=5))
def test_every_row_has_as_many_cells_as_the_header(values: dict[str, str]) -> None:
    properties = {name: {"type": "string"} for name in values}
    shape = table_shape(resolve_schema({"type": "object", "properties": properties}))
    header = table_header(shape)

    rows = list(table_rows(shape, URL, values, {}, ""))
    text = csv_row(header) + "".join(map(csv_row, rows))

    read = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert [len(row) for row in read] == [len(header)] * 2
    cells = [value if value is None else str(value) for value in rows[0]]
    assert cells[1:-2:2] == list(values.values())
