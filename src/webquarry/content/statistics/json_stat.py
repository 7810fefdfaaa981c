"""JSON-stat data sets, version 2.0 and the bundles of version 1, as a `Cube`.

https://json-stat.org/full/
"""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite, prod
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from webquarry.content.statistics.data_cube import Cell, Cube, CubeError, Label, check_size

_FLAGS = {  # https://ec.europa.eu/eurostat/data/database/information
    "b": "break in time series", "c": "confidential", "d": "definition differs",
    "e": "estimated", "f": "forecast", "i": "imputed", "n": "not significant",
    "p": "provisional", "r": "revised", "s": "Eurostat estimate", "u": "low reliability",
    "z": "not applicable", ":": "not available",
}  # fmt: skip

_Number = int | float | str | None


class _Part(BaseModel):
    # built at first use: a start should not pay for it
    model_config = ConfigDict(frozen=True, extra="ignore", defer_build=True)


class _Category(_Part):
    index: dict[str, int] | list[str] | None = None
    label: dict[str, str] | None = None


class _Dimension(_Part):
    label: str | None = None
    category: _Category = Field(default_factory=_Category)

    def labels(self, name: str, size: int) -> list[Label]:
        """Return the categories in the order that positions count."""
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
    """A data set. An upstream that refuses sends `error` or `warning` instead of values."""

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
        """Read a bundle of one data set, as version 1 had it, like the data set itself."""
        if not isinstance(given, dict):
            return given
        found = cast("dict[str, Any]", given)
        if len(found) == 1:
            inner = next(iter(found.values()))
            if isinstance(inner, dict) and "dimension" in inner:
                found = cast("dict[str, Any]", inner)
        dimensions = found.get("dimension")
        if isinstance(dimensions, dict) and "size" in dimensions and "id" in dimensions:
            parts = cast("dict[str, Any]", dimensions)
            rest = {k: v for k, v in parts.items() if k not in {"id", "size", "role"}}
            found = found | {"id": parts["id"], "size": parts["size"], "dimension": rest}
            found.setdefault("role", parts.get("role"))
            found.setdefault("label", found.get("title"))
        return found

    def cube(self) -> Cube:
        """Return every value that is there, or that a flag explains, under its coordinates."""
        if not self.id or len(self.id) != len(self.size) or min(self.size) < 0:
            raise CubeError("id and size do not fit together")
        time = ((self.role or {}).get("time") or [n for n in self.id if n == "time"])[:1]
        return Cube(
            title=self.label or "",
            dimensions=tuple(self.id),
            time=time[0] if time and time[0] in self.id else None,
            cells=tuple(self._cells()),
            updated=self.updated,
        )

    def _cells(self) -> Iterator[Cell]:
        labels = [
            self.dimension.get(name, _Dimension()).labels(name, size)
            for name, size in zip(self.id, self.size, strict=True)
        ]
        total = prod(self.size)
        values, flags = _placed(self.value, total), _placed(_flags(self.status), total)
        check_size(len(values))
        meanings = self._meanings()
        for flat in sorted(values.keys() | flags.keys()):
            flag = flags.get(flat)
            attributes = {"OBS_STATUS": _flag(str(flag), meanings)} if flag else {}
            yield Cell(self._place(labels, flat), values.get(flat), attributes)

    def _place(self, labels: Sequence[Sequence[Label]], flat: int) -> dict[str, Label]:
        """Undo the row-major order: the last dimension varies fastest."""
        place: dict[str, Label] = {}
        for name, categories in zip(reversed(self.id), reversed(labels), strict=True):
            flat, position = divmod(flat, len(categories))
            place[name] = categories[position]
        return {name: place[name] for name in self.id}

    def _meanings(self) -> dict[str, str]:
        """Return what the flags mean, in the words of the data set where it has some."""
        said = (self.extension or {}).get("status")
        known = cast("dict[str, Any]", said).get("label") if isinstance(said, dict) else None
        named = cast("dict[str, Any]", known) if isinstance(known, dict) else {}
        return _FLAGS | {code: str(name) for code, name in named.items()}


def _ordered(index: Mapping[str, int] | None, names: Mapping[str, str]) -> list[str]:
    if index is None:
        return list(names)  # only a dimension of one category may leave the index out
    if sorted(index.values()) != list(range(len(index))):
        raise CubeError("the positions of a dimension have gaps")
    return sorted(index, key=lambda code: index[code])


def _flags(given: Any) -> list[Any] | dict[str, Any]:
    """Return flags by position; version 1 of Eurostat kept them one level deeper."""
    if isinstance(given, dict) and isinstance(cast("dict[str, Any]", given).get("value"), list):
        return cast("dict[str, list[Any]]", given)["value"]
    return cast("list[Any] | dict[str, Any]", given) if isinstance(given, (list, dict)) else {}


def _placed(given: Sequence[Any] | Mapping[str, Any], total: int) -> dict[int, Any]:
    """Return what is there by flat position, refusing positions outside the table."""
    if isinstance(given, Mapping):
        pairs = given.items()
    else:
        pairs = [(str(at), each) for at, each in enumerate(given)]
    placed: dict[int, Any] = {}
    for key, each in pairs:
        if each is None or (isinstance(each, float) and not isfinite(each)):
            continue
        if not key.isdecimal() or int(key) >= total:
            raise CubeError(f"position {key!r} lies outside the {total} cells")
        placed[int(key)] = each
    return placed


def _flag(code: str, meanings: Mapping[str, str]) -> Label:
    if code in meanings:
        return Label(code, meanings[code])
    names = [meanings[letter] for letter in code if letter in meanings]
    return Label(code, ", ".join(names) or code)
