"""CSV: any text is read back, and none is a formula."""

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from webquarry.content.export.csv_rows import FORMULA_STARTS, cell_text, csv_row

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (-5, "-5"),
        (1.5, "1.5"),
        ("=1+1", "'=1+1"),
        (" \t=1", "' \t=1"),
        ("- a list", "'- a list"),
        ("plain", "plain"),
        (("a", "b"), "a\nb"),
        ([1, 2], "[1, 2]"),
        ({"a": "ü"}, '{"a": "ü"}'),
        ("a\0b", "ab"),
    ],
)
def test_values_become_text(value: object, text: str) -> None:
    assert cell_text(value) == text


@given(st.lists(texts, min_size=1))
@example(["=cmd|' /C calc'!A0", "+1", "@SUM(A1)", "\r=1", '"', "a,b", "\n"])
def test_cells_are_read_back_and_none_begins_a_formula(values: list[str]) -> None:
    rows = list(csv.reader(io.StringIO(csv_row(values), newline=""), strict=True))

    assert len(rows) == 1
    for value, cell in zip(values, rows[0], strict=True):
        assert cell in (value, f"'{value}")
        assert not cell.lstrip(" ").startswith(FORMULA_STARTS)
