"""A table of many dimensions, whatever format it came in, as rows a person can read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from webquarry.models.periods import span, within
from webquarry.models.records import Number, RecordsFound
from webquarry.models.series import ObservationQuery, SeriesItem

_UNITS = frozenset({"unit", "unit_measure"})
_UNIT_ATTRIBUTES = ("UNIT_MEASURE", "UNIT", "UNIT_MULT", "BASE_PER", "CURRENCY")
_FLAGS = ("OBS_STATUS", "OBS_FLAG", "CONF_STATUS")
_NORMAL = frozenset({"", "A", "F", "0"})  # a normal, a free and an unscaled value need no remark
_NOT_APPLICABLE = frozenset({"_Z", "ZZZ"})


MOST_CELLS = 100_000  # about a second and 60 MB; whoever wants more wants another tool


class CubeError(ValueError):
    """The table contradicts itself, so that no value can be placed with certainty."""


class CubeTooLargeError(CubeError):
    """The table has more cells than a caller can want to look through."""


def check_size(cells: int) -> None:
    """Refuse a table before it fills the memory."""
    if cells > MOST_CELLS:
        raise CubeTooLargeError(f"the table has {cells} values, and {MOST_CELLS} is the most")


@dataclass(frozen=True)
class Label:
    """A code and what it means."""

    code: str
    name: str


@dataclass(frozen=True)
class Cell:
    """One value with its coordinates, by dimension, and its attributes, by name."""

    place: Mapping[str, Label]
    value: Number | None
    attributes: Mapping[str, Label] = field(default_factory=dict[str, Label])


@dataclass(frozen=True)
class Cube:
    """All cells that hold something."""

    title: str
    dimensions: tuple[str, ...]
    time: str | None  # the dimension that is time, when there is one
    cells: tuple[Cell, ...]
    updated: str | None = None


def observations(cube: Cube, query: ObservationQuery, source: str) -> RecordsFound[SeriesItem]:
    """Return the latest cells first, or the earliest when a start was asked for."""
    periods = {_period(cube, cell) for cell in cube.cells}
    wanted = {period for period in periods if within(period, query.since, query.until)}
    kept = [cell for cell in cube.cells if _period(cube, cell) in wanted]
    shown = _in_time(cube, kept, newest_first=query.since is None)[: query.count]
    varying = _varying(cube, kept)
    items = tuple(_item(cube, cell, varying, query.series, source) for cell in shown)
    return RecordsFound(items, tuple(_notes(cube, kept, varying, len(shown))))


def _period(cube: Cube, cell: Cell) -> str:
    return cell.place[cube.time].code if cube.time else ""


def _in_time(cube: Cube, cells: list[Cell], *, newest_first: bool) -> list[Cell]:
    """Sort by time; cells of one period keep the order of the table, unreadable periods go last."""
    periods = {_period(cube, cell) for cell in cells}
    spans = {period: found for period in periods if (found := span(period))}
    readable = [cell for cell in cells if _period(cube, cell) in spans]
    rest = [cell for cell in cells if _period(cube, cell) not in spans]
    readable.sort(key=lambda cell: spans[_period(cube, cell)], reverse=newest_first)
    return readable + rest


def _varying(cube: Cube, cells: Iterable[Cell]) -> tuple[str, ...]:
    """Return the dimensions that tell one series from another."""
    seen: dict[str, set[str]] = {name: set() for name in cube.dimensions}
    for cell in cells:
        for name, label in cell.place.items():
            seen[name].add(label.code)
    return tuple(name for name in cube.dimensions if len(seen[name]) > 1 and name != cube.time)


def _item(cube: Cube, cell: Cell, varying: tuple[str, ...], series: str, source: str) -> SeriesItem:
    names = ", ".join(cell.place[name].name for name in varying)
    return SeriesItem(
        seriesId=series,
        title=" — ".join(part for part in (cube.title, names) if part) or None,
        units=_unit(cell),
        date=_period(cube, cell) or None,
        value=cell.value,
        notes="; ".join(_remarks(cell)) or None,
        source=source,
    )


def _unit(cell: Cell) -> str | None:
    parts = [label.name for name, label in cell.place.items() if name.lower() in _UNITS]
    parts += [
        cell.attributes[name].name
        for name in _UNIT_ATTRIBUTES
        if name in cell.attributes and cell.attributes[name].code not in _NORMAL
    ]
    return ", ".join(dict.fromkeys(parts)) or None


def _remarks(cell: Cell) -> Iterable[str]:
    for name in _FLAGS:
        label = cell.attributes.get(name)
        if label and label.code not in _NORMAL:
            same = label.name == label.code
            yield f"status: {label.code}" if same else f"status: {label.code} ({label.name})"


def _notes(cube: Cube, kept: list[Cell], varying: tuple[str, ...], shown: int) -> Iterable[str]:
    if not kept:
        return
    first = kept[0]
    constant = [
        label.name
        for name, label in first.place.items()
        if name not in varying and name != cube.time and name.lower() not in _UNITS
        and label.code not in _NOT_APPLICABLE
    ]  # fmt: skip
    if constant:
        yield f"All rows: {', '.join(constant)}."
    if shown < len(kept):
        yield (
            f"{shown} of {len(kept)} observations in {_series_count(cube, kept)} series;"
            " raise num_results or narrow country and dates."
        )


def _series_count(cube: Cube, cells: Iterable[Cell]) -> int:
    return len(
        {
            tuple(cell.place[name].code for name in cube.dimensions if name != cube.time)
            for cell in cells
        }
    )
