"""Parses JSON-stat data sets (version 2.0 and bundles of version 1) into a `Cube`.

https://json-stat.org/full/
"""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite, prod
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from webquarry.content.html.json_ld import as_list, as_node
from webquarry.content.statistics.data_cube import (
    Cell,
    Cube,
    CubeError,
    Label,
    check_size,
    position_of,
)

_FLAG_NAMES = {  # https://ec.europa.eu/eurostat/data/database/information
    "b": "break in time series", "c": "confidential", "d": "definition differs",
    "e": "estimated", "f": "forecast", "i": "imputed", "n": "not significant",
    "p": "provisional", "r": "revised", "s": "Eurostat estimate", "u": "low reliability",
    "z": "not applicable", ":": "not available",
}  # fmt: skip

_Number = int | float | str | None


class _Part(BaseModel):
    # deferred to first use, to keep startup fast
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


class _Category(_Part):
    index: dict[str, int] | list[str] | None = None
    label: dict[str, str] | None = None


class _Dimension(_Part):
    label: str | None = None
    category: _Category = Field(default_factory=_Category)

    def labels(self, name: str, size: int) -> list[Label]:
        """Return the categories in the order of their positions."""
        index, names = self.category.index, self.category.label or {}
        codes = index if isinstance(index, list) else _ordered(index, names)
        if len(codes) != size:
            raise CubeError(f"dimension {name} has {len(codes)} categories, not {size}")
        return [Label(code, names.get(code) or code) for code in codes]


class _Message(_Part):
    status: int | str | None = None
    id: int | str | None = None
    label: str | None = None


class JsonStat(_Part):
    """A data set; a failed request has `error` or `warning` instead of values."""

    label: str | None = None
    updated: str | None = None
    id: list[str] = []
    size: list[int] = []
    role: dict[str, list[str]] | None = None
    dimension: dict[str, _Dimension] = {}
    value: list[_Number] | dict[str, _Number] = {}
    status: Any = None
    extension: dict[str, Any] | None = None
    error: list[_Message] = []
    warning: list[_Message] = []

    @model_validator(mode="before")
    @classmethod
    def _from_bundle(cls, given: Any) -> Any:
        """Convert a version 1 bundle of one data set to the form of version 2."""
        if not isinstance(given, dict):
            return given
        data = as_node(given)
        inner = as_node(next(iter(data.values()))) if len(data) == 1 else {}
        data = inner if "dimension" in inner else data
        rest = dict(as_node(data.get("dimension")))
        if {"id", "size"} <= rest.keys():
            data = data | {"id": rest.pop("id"), "size": rest.pop("size"), "dimension": rest}
            data.setdefault("role", rest.pop("role", None))
            data.setdefault("label", data.get("title"))
        return data

    def cube(self) -> Cube:
        """Return the cells that have a value or a flag."""
        if not self.id or len(self.id) != len(self.size) or min(self.size) < 0:
            raise CubeError("id and size do not match")
        time = ((self.role or {}).get("time") or ["time"])[0]
        return Cube(
            title=self.label or "",
            dimensions=tuple(self.id),
            time=time if time in self.id else None,
            cells=tuple(self._cells()),
            updated=self.updated,
        )

    def _cells(self) -> Iterator[Cell]:
        labels = [
            self.dimension.get(name, _Dimension()).labels(name, size)
            for name, size in zip(self.id, self.size, strict=True)
        ]
        total = prod(self.size)
        values, flags = _by_position(self.value, total), _by_position(_flags_of(self.status), total)
        check_size(len(values))
        flag_names = self._flag_names()
        for flat in sorted(values.keys() | flags.keys()):
            flag = flags.get(flat)
            attributes = {"OBS_STATUS": _flag_label(str(flag), flag_names)} if flag else {}
            yield Cell(self._coordinates(labels, flat), values.get(flat), attributes)

    def _coordinates(self, labels: Sequence[Sequence[Label]], flat: int) -> dict[str, Label]:
        """Return the labels of a position in row-major order: the last dimension varies fastest."""
        coordinates: dict[str, Label] = {}
        for name, categories in zip(reversed(self.id), reversed(labels), strict=True):
            flat, position = divmod(flat, len(categories))
            coordinates[name] = categories[position]
        return {name: coordinates[name] for name in self.id}

    def _flag_names(self) -> dict[str, str]:
        """Return the names of the flags; those of the data set take precedence."""
        labels = as_node(as_node(as_node(self.extension).get("status")).get("label"))
        return _FLAG_NAMES | {code: str(name) for code, name in labels.items()}


def _ordered(index: Mapping[str, int] | None, names: Mapping[str, str]) -> list[str]:
    if index is None:
        return list(names)  # the index is optional for a dimension of one category
    if sorted(index.values()) != list(range(len(index))):
        raise CubeError("the positions of a dimension have gaps")
    return sorted(index, key=lambda code: index[code])


def _flags_of(given: Any) -> list[Any] | dict[str, Any]:
    """Return flags by position; version 1 of Eurostat nests them one level deeper."""
    nested = as_node(given).get("value")
    if isinstance(nested, list) or isinstance(given, list):
        return as_list(given if isinstance(given, list) else nested)
    return as_node(given)


def _by_position(given: Sequence[Any] | Mapping[str, Any], total: int) -> dict[int, Any]:
    """Return the values that are present, by flat position."""
    pairs = given.items() if isinstance(given, Mapping) else enumerate(given)
    values: dict[int, Any] = {}
    for key, value in pairs:
        if value is None or (isinstance(value, float) and not isfinite(value)):
            continue
        position = position_of(key)
        if position is None or position >= total:
            raise CubeError(f"position {str(key)[:20]!r} is outside the {total} cells")
        values[position] = value
    return values


def _flag_label(code: str, flag_names: Mapping[str, str]) -> Label:
    if code in flag_names:
        return Label(code, flag_names[code])
    names = [flag_names[letter] for letter in code if letter in flag_names]
    return Label(code, ", ".join(names) or code)
