"""A multi-dimensional statistical table (data cube), and its observations as rows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from webquarry.models.periods import DateSpan, span, within
from webquarry.models.records import Number, RecordsFound
from webquarry.models.series import ObservationQuery, SeriesItem

_UNIT_DIMENSIONS = frozenset({"unit", "unit_measure"})
_UNIT_ATTRIBUTES = ("UNIT_MEASURE", "UNIT", "UNIT_MULT", "BASE_PER", "CURRENCY")
_STATUS_ATTRIBUTES = ("OBS_STATUS", "OBS_FLAG", "CONF_STATUS")
_NORMAL_CODES = frozenset({"", "A", "F", "0"})  # codes of normal, free and unscaled values
_NOT_APPLICABLE = frozenset({"_Z", "ZZZ"})


MAX_CELLS = 100_000  # takes about a second and 60 MB
_MAX_DIGITS = 18  # of a position; `int` refuses thousands


class CubeError(ValueError):
    """The table is inconsistent, so values cannot be assigned to coordinates."""


class CubeTooLargeError(CubeError):
    """The table has more than `MAX_CELLS` cells."""


def check_size(cells: int) -> None:
    """Raise `CubeTooLargeError` before a table fills the memory."""
    if cells > MAX_CELLS:
        raise CubeTooLargeError(f"the table has {cells} values; the limit is {MAX_CELLS}")


def position_of(text: object) -> int | None:
    """Return the position that a key names; None if it is no number or too long for one."""
    digits = str(text)
    return int(digits) if len(digits) <= _MAX_DIGITS and digits.isdecimal() else None


@dataclass(frozen=True)
class Label:
    """A code and its name."""

    code: str
    name: str


@dataclass(frozen=True)
class Cell:
    """One value with its coordinates, by dimension, and its attributes, by name."""

    coordinates: Mapping[str, Label]
    value: Number | None
    attributes: Mapping[str, Label] = field(default_factory=dict[str, Label])


@dataclass(frozen=True)
class Cube:
    """A table without its empty cells."""

    title: str
    dimensions: tuple[str, ...]
    time: str | None  # name of the time dimension
    cells: tuple[Cell, ...]
    updated: str | None = None


def observations(cube: Cube, query: ObservationQuery, source: str) -> RecordsFound[SeriesItem]:
    """Return the latest observations first, or the earliest when the query has a start."""
    periods = {_period(cube, cell) for cell in cube.cells}
    matching = {period for period in periods if within(period, query.since, query.until)}
    cells = [cell for cell in cube.cells if _period(cube, cell) in matching]
    shown = _sorted_by_time(cube, cells, newest_first=query.since is None)[: query.count]
    varying = _varying_dimensions(cube, cells)
    items = tuple(_item(cube, cell, varying, query.series, source) for cell in shown)
    return RecordsFound(items, tuple(_notes(cube, cells, varying, len(shown))))


def _period(cube: Cube, cell: Cell) -> str:
    return cell.coordinates[cube.time].code if cube.time else ""


def _sorted_by_time(cube: Cube, cells: list[Cell], *, newest_first: bool) -> list[Cell]:
    """Sort by time; cells of one period keep the table's order, unknown periods go last."""
    spans = {period: span(period) for period in {_period(cube, cell) for cell in cells}}
    known = sorted(filter(None, spans.values()), reverse=newest_first)
    ranks: dict[DateSpan | None, int] = {each: rank for rank, each in enumerate(known)}
    return sorted(cells, key=lambda cell: ranks.get(spans[_period(cube, cell)], len(known)))


def _varying_dimensions(cube: Cube, cells: Iterable[Cell]) -> tuple[str, ...]:
    """Return the dimensions, other than time, in which the cells differ."""
    codes: dict[str, set[str]] = {name: set() for name in cube.dimensions}
    for cell in cells:
        for name, label in cell.coordinates.items():
            codes[name].add(label.code)
    return tuple(name for name in cube.dimensions if len(codes[name]) > 1 and name != cube.time)


def _item(cube: Cube, cell: Cell, varying: tuple[str, ...], series: str, source: str) -> SeriesItem:
    names = ", ".join(cell.coordinates[name].name for name in varying)
    return SeriesItem(
        seriesId=series,
        title=" — ".join(filter(None, (cube.title, names))),
        units=_unit(cell),
        date=_period(cube, cell),
        value=cell.value,
        notes="; ".join(map(_status_note, _special_labels(cell, _STATUS_ATTRIBUTES))),
        source=source,
    )


def _unit(cell: Cell) -> str | None:
    coordinates = cell.coordinates.items()
    parts = [label.name for name, label in coordinates if name.lower() in _UNIT_DIMENSIONS]
    parts += [label.name for label in _special_labels(cell, _UNIT_ATTRIBUTES)]
    return ", ".join(dict.fromkeys(parts)) or None


def _special_labels(cell: Cell, names: Iterable[str]) -> list[Label]:
    """Return the attributes with these names whose codes are not those of normal values."""
    labels = [cell.attributes[name] for name in names if name in cell.attributes]
    return [label for label in labels if label.code not in _NORMAL_CODES]


def _status_note(label: Label) -> str:
    name = f" ({label.name})" if label.name != label.code else ""
    return f"status: {label.code}{name}"


def _notes(cube: Cube, cells: list[Cell], varying: tuple[str, ...], shown: int) -> Iterable[str]:
    if not cells:
        return
    if constant := _constant_names(cube, cells[0], varying):
        yield f"All rows: {', '.join(constant)}."
    if shown < len(cells):
        names = [name for name in cube.dimensions if name != cube.time]
        series = {tuple(cell.coordinates[name].code for name in names) for cell in cells}
        yield (
            f"{shown} of {len(cells)} observations in {len(series)} series;"
            " raise num_results or narrow country and dates."
        )


def _constant_names(cube: Cube, cell: Cell, varying: tuple[str, ...]) -> list[str]:
    """Return the names of the coordinates that all cells share, without time and unit."""
    return [
        label.name
        for name, label in cell.coordinates.items()
        if name not in (*varying, cube.time)
        and name.lower() not in _UNIT_DIMENSIONS
        and label.code not in _NOT_APPLICABLE
    ]
