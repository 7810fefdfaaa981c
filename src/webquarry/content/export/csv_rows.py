"""Rows of CSV that a spreadsheet shows as text and never runs as formulas."""

import csv
import io
import json
from collections.abc import Iterable
from typing import cast

# a cell that begins with one of these is a formula, in one spreadsheet program or another;
# the last four are full-width forms
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def csv_row(values: Iterable[object]) -> str:
    """Return one row as RFC 4180 writes it, with its line end."""
    row = io.StringIO()
    csv.writer(row).writerow([cell_text(value) for value in values])
    return row.getvalue()


def cell_text(value: object) -> str:
    """Return a value as the text of a cell; a text that looks like a formula gets an apostrophe."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, (list, tuple)):
        value = _joined(cast("list[object] | tuple[object, ...]", value))
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = text.replace("\0", "").encode("utf-8", "replace").decode()
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA_STARTS) else text


def _joined(values: list[object] | tuple[object, ...]) -> str:
    """Return a list of texts one below the other, other lists as JSON."""
    if all(isinstance(value, str) for value in values):
        return "\n".join(map(str, values))
    return json.dumps(values, ensure_ascii=False)
