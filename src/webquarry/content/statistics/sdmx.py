"""SDMX-JSON data messages, versions 1.0 and 2.0, with or without series, as a `Cube`.

https://github.com/sdmx-twg/sdmx-json/tree/master/data-message/docs
"""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from webquarry.content.statistics.data_cube import Cell, Cube, CubeError, Label, check_size
from webquarry.models.records import Number

_TIME = "TIME_PERIOD"
T = TypeVar("T")


def _none_is_empty(given: Any) -> Any:
    return [] if given is None else given


_Many = Annotated[list[T], BeforeValidator(_none_is_empty)]


class _Part(BaseModel):
    # built at first use: a start should not pay for it
    model_config = ConfigDict(
        frozen=True, extra="ignore", defer_build=True, alias_generator=to_camel
    )


class _Named(_Part):
    name: str | None = None
    names: dict[str, str] | None = None

    @property
    def spoken(self) -> str:
        known = self.names or {}
        return self.name or known.get("en") or next(iter(known.values()), "")


class _Value(_Named):
    id: str | int | float | None = None
    value: Any = None  # of a component without codes

    @property
    def label(self) -> Label:
        code = str(self.value if self.id is None else self.id)
        return Label(code, self.spoken or code)


class _Component(_Named):
    id: str
    role: str | list[str] | None = None
    roles: list[str] | None = None
    values: list[_Value] | None = None

    @property
    def is_time(self) -> bool:
        roles = [self.role] if isinstance(self.role, str) else (self.role or [])
        marks = {mark.lower() for mark in (*roles, *(self.roles or []))}
        return self.id == _TIME or bool(marks & {"time", _TIME.lower()})

    def at(self, position: Any) -> Label:
        """Return the value at a position of a key."""
        values = self.values or []
        if not str(position).isdecimal() or int(position) >= len(values):
            raise CubeError(f"dimension {self.id} has no value {position!r}")
        return values[int(position)].label


class _Levels(_Part):
    data_set: _Many[_Component] = []
    dimension_group: _Many[_Component] = []
    series: _Many[_Component] = []
    observation: _Many[_Component] = []


class _Structure(_Named):
    dimensions: _Levels = Field(default_factory=_Levels)
    attributes: _Levels = Field(default_factory=_Levels)
    measures: _Levels = Field(default_factory=_Levels)


class _Series(_Part):
    attributes: list[Any] | None = None
    observations: dict[str, list[Any] | None] | None = None


class _DataSet(_Part):
    structure: int = 0
    attributes: list[Any] | None = None
    dimension_group_attributes: dict[str, list[Any]] | None = None
    series: dict[str, _Series] | None = None
    observations: dict[str, list[Any] | None] | None = None

    @property
    def size(self) -> int:
        by_series = sum(len(each.observations or ()) for each in (self.series or {}).values())
        return len(self.observations or ()) + by_series


class _Content(_Part):
    data_sets: list[_DataSet] | None = None
    structures: _Many[_Structure] = []
    structure: _Structure | None = None

    def structure_of(self, data: _DataSet) -> _Structure:
        known = self.structures or ([self.structure] if self.structure else [])
        if not 0 <= data.structure < len(known):
            raise CubeError(f"there is no structure {data.structure}")
        return known[data.structure]


class SdmxMessage(_Content):
    """A data message. Early messages have their content at the top, later ones below `data`."""

    data: _Content | None = None

    def cube(self) -> Cube:
        """Return every observation of the first structure under its coordinates."""
        content = self.data or self
        if content.data_sets is None:
            raise CubeError("there are no data sets")
        if not content.data_sets:
            return Cube("", (), None, ())
        check_size(sum(data.size for data in content.data_sets))
        structure = content.structure_of(content.data_sets[0])
        dimensions = _dimensions(structure)
        cells = [
            cell
            for data in content.data_sets
            for cell in _Reader(data, content.structure_of(data)).cells()
        ]
        return Cube(
            title=structure.spoken,
            dimensions=tuple(d.id for d in dimensions),
            time=next((d.id for d in dimensions if d.is_time), None),
            cells=tuple(cells),
        )


def _dimensions(structure: _Structure) -> list[_Component]:
    levels = structure.dimensions
    return [*levels.data_set, *levels.series, *levels.observation]


class _Reader:
    """Reads one data set; positions in its keys select the values of its structure."""

    def __init__(self, data: _DataSet, structure: _Structure) -> None:
        self._data = data
        self._dimensions = structure.dimensions
        self._attributes = structure.attributes
        self._measures = max(1, len(structure.measures.observation))
        self._common = {d.id: d.at(0) for d in structure.dimensions.data_set}
        self._common_attributes = _attributes(self._attributes.data_set, data.attributes)

    def cells(self) -> Iterator[Cell]:
        yield from self._observations(self._data.observations, {}, self._common_attributes)
        for key, series in (self._data.series or {}).items():
            place = _place(self._dimensions.series, key)
            attributes = {
                **self._common_attributes,
                **self._of_groups(place),
                **_attributes(self._attributes.series, series.attributes),
            }
            yield from self._observations(series.observations, place, attributes)

    def _observations(
        self,
        given: Mapping[str, list[Any] | None] | None,
        place: Mapping[str, Label],
        attributes: Mapping[str, Label],
    ) -> Iterator[Cell]:
        for key, row in (given or {}).items():
            full = {**self._common, **place, **_place(self._dimensions.observation, key)}
            yield Cell(
                place=full,
                value=_number(row[0]) if row else None,
                attributes={
                    **attributes,
                    **({} if place else self._of_groups(full)),
                    **_attributes(self._attributes.observation, (row or [])[self._measures :]),
                },
            )

    def _of_groups(self, place: Mapping[str, Label]) -> dict[str, Label]:
        """Return the attributes of the groups that a place belongs to."""
        found: dict[str, Label] = {}
        for key, given in (self._data.dimension_group_attributes or {}).items():
            if self._in_group(key.split(":"), place):
                found |= _attributes(self._attributes.dimension_group, given)
        return found

    def _in_group(self, positions: list[str], place: Mapping[str, Label]) -> bool:
        series, rest = self._dimensions.series, self._dimensions.observation
        whole = [*self._dimensions.data_set, *series, *rest]
        dimensions = whole if len(positions) == len(whole) else series
        if len(positions) != len(dimensions):
            return False
        return all(
            place.get(dimension.id) == dimension.at(position)
            for dimension, position in zip(dimensions, positions, strict=True)
            if position.isdecimal()  # an empty or "~" position means every value
        )


def _place(dimensions: Sequence[_Component], key: str) -> dict[str, Label]:
    positions = key.split(":") if key else []
    if len(positions) != len(dimensions):
        raise CubeError(f"the key {key!r} does not fit {len(dimensions)} dimensions")
    return {d.id: d.at(p) for d, p in zip(dimensions, positions, strict=True)}


def _attributes(components: Sequence[_Component], given: Sequence[Any] | None) -> dict[str, Label]:
    found: dict[str, Label] = {}
    if given and len(given) < len(components):
        # some servers list attributes that no observation has, but leave them out of the rows
        components = [component for component in components if component.values != []]
    for component, raw in zip(components, given or (), strict=False):
        if raw is None:
            continue
        values = component.values or []
        if isinstance(raw, int) and values:
            if 0 <= raw < len(values):
                found[component.id] = values[raw].label
        elif not values:  # an attribute without codes is given as it is
            found[component.id] = Label(str(raw), str(raw))
    return found


def _number(raw: Any) -> Number | None:
    if isinstance(raw, bool) or not isinstance(raw, (int, float, str)):
        return None
    return None if isinstance(raw, float) and not isfinite(raw) else raw
