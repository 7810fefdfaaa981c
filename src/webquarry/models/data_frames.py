"""The rows of a result as a data frame of pandas or polars, whichever is installed."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

_ABOUT_READING = frozenset({"steps"})  # how a page was read, not rows of it


def table_rows(result: BaseModel) -> list[dict[str, Any]]:
    """Return the first list of objects in a result as rows; `TypeError` if it has none."""
    for name, field in type(result).model_fields.items():
        if name not in _ABOUT_READING and _is_table(field.annotation):
            rows: Sequence[BaseModel] = getattr(result, name) or ()
            return [row.model_dump(mode="json", exclude_none=True) for row in rows]
    raise TypeError(f"{type(result).__name__} has no list of rows for a data frame")


def data_frame(rows: list[dict[str, Any]]) -> Any:
    """Return the rows as a pandas DataFrame, or a polars one if only that is installed."""
    if find_spec("pandas") is not None:
        return import_module("pandas").json_normalize(rows)
    if find_spec("polars") is not None:
        return import_module("polars").DataFrame(rows, infer_schema_length=None, strict=False)
    raise ImportError("to_dataframe() needs pandas or polars: pip install pandas")


def _is_table(annotation: Any) -> bool:
    """Whether a field is a tuple or list of models, which may be optional."""
    if get_origin(annotation) in {Annotated, Union, UnionType}:
        return any(map(_is_table, get_args(annotation)))
    if get_origin(annotation) not in {tuple, list}:
        return False
    [row, *_] = get_args(annotation)
    return isinstance(row, type) and issubclass(row, BaseModel)
