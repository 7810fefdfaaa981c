"""Parses SDMX-JSON data messages (1.0 and 2.0, with or without series) into a `Cube`.

https://github.com/sdmx-twg/sdmx-json/tree/master/data-message/docs
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import isfinite
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from webquarry.content.html.json_ld import as_list
from webquarry.content.statistics.data_cube import (
    Cell,
    Cube,
    CubeError,
    Label,
    check_size,
    position_of,
)
from webquarry.models.records import Number

_TIME = "TIME_PERIOD"
T = TypeVar("T")
_DictOrNone = Annotated[dict[str, T], BeforeValidator(lambda given: {} if given is None else given)]


_ListOrNone = Annotated[list[T], BeforeValidator(lambda given: [] if given is None else given)]


class _Part(BaseModel):
    # deferred to first use, to keep startup fast
    model_config = ConfigDict(
        frozen=True, extra="ignore", defer_build=True, alias_generator=to_camel
    )


class _Named(_Part):
    name: str | None = None
    names: dict[str, str] | None = None

    @property
    def display_name(self) -> str:
        names = self.names or {}
        return self.name or names.get("en") or next(iter(names.values()), "")


class _Value(_Named):
    id: str | int | float | None = None
    value: Any = None  # of a component without codes

    @property
    def label(self) -> Label:
        code = str(self.value if self.id is None else self.id)
        return Label(code, self.display_name or code)


class _Component(_Named):
    id: str
    role: str | list[str] | None = None
    roles: list[str] | None = None
    values: list[_Value] | None = None

    @property
    def is_time(self) -> bool:
        roles = {role.lower() for role in (*as_list(self.role), *as_list(self.roles))}
        return self.id == _TIME or bool(roles & {"time", _TIME.lower()})

    def at(self, position: Any) -> Label:
        """Return the value at a position of a key."""
        values, found = self.values or [], position_of(position)
        if found is None or found >= len(values):
            raise CubeError(f"dimension {self.id} has no value {str(position)[:20]!r}")
        return values[found].label


class _ComponentLevels(_Part):
    data_set: _ListOrNone[_Component] = []
    dimension_group: _ListOrNone[_Component] = []
    series: _ListOrNone[_Component] = []
    observation: _ListOrNone[_Component] = []

    @property
    def all(self) -> list[_Component]:
        """The components of data set, series and observation, in the order of keys."""
        return [*self.data_set, *self.series, *self.observation]


class _Structure(_Named):
    dimensions: _ComponentLevels = Field(default_factory=_ComponentLevels)
    attributes: _ComponentLevels = Field(default_factory=_ComponentLevels)
    measures: _ComponentLevels = Field(default_factory=_ComponentLevels)


class _Series(_Part):
    attributes: list[Any] | None = None
    observations: _DictOrNone[list[Any] | None] = {}


class _DataSet(_Part):
    structure: int = 0
    attributes: list[Any] | None = None
    dimension_group_attributes: _DictOrNone[list[Any]] = {}
    series: _DictOrNone[_Series] = {}
    observations: _DictOrNone[list[Any] | None] = {}

    @property
    def size(self) -> int:
        by_series = sum(len(each.observations) for each in self.series.values())
        return len(self.observations) + by_series


class _MessageContent(_Part):
    data_sets: list[_DataSet] | None = None
    structures: _ListOrNone[_Structure] = []
    structure: _Structure | None = None

    def structure_of(self, data: _DataSet) -> _Structure:
        known = self.structures or ([self.structure] if self.structure else [])
        if not 0 <= data.structure < len(known):
            raise CubeError(f"structure {data.structure} is missing")
        return known[data.structure]


class SdmxMessage(_MessageContent):
    """A data message; version 1.0 has its content at the top level, 2.0 below `data`."""

    data: _MessageContent | None = None

    def cube(self) -> Cube:
        """Return all observations; title and dimensions are those of the first data set."""
        content = self.data or self
        if content.data_sets is None:
            raise CubeError("the message has no data sets")
        if not content.data_sets:
            return Cube("", (), None, ())
        check_size(sum(data.size for data in content.data_sets))
        structure = content.structure_of(content.data_sets[0])
        dimensions = structure.dimensions.all
        readers = [_DataSetReader(d, content.structure_of(d)) for d in content.data_sets]
        return Cube(
            title=structure.display_name,
            dimensions=tuple(d.id for d in dimensions),
            time=next((d.id for d in dimensions if d.is_time), None),
            cells=tuple(chain.from_iterable(reader.cells() for reader in readers)),
        )


class _DataSetReader:
    """Reads the cells of one data set; keys are positions in the values of its structure."""

    def __init__(self, data: _DataSet, structure: _Structure) -> None:
        self._data = data
        self._dimensions = structure.dimensions
        self._attributes = structure.attributes
        self._measures = max(1, len(structure.measures.observation))
        self._common = {d.id: d.at(0) for d in structure.dimensions.data_set}
        self._common_attributes = _attributes(self._attributes.data_set, data.attributes)

    def cells(self) -> Iterator[Cell]:
        yield from self._observations(self._data.observations, {}, self._common_attributes)
        for key, series in self._data.series.items():
            coordinates = _coordinates(self._dimensions.series, key)
            attributes = {
                **self._common_attributes,
                **self._group_attributes(coordinates),
                **_attributes(self._attributes.series, series.attributes),
            }
            yield from self._observations(series.observations, coordinates, attributes)

    def _observations(
        self,
        observations: Mapping[str, list[Any] | None],
        series: Mapping[str, Label],  # coordinates; empty for data without series
        attributes: Mapping[str, Label],
    ) -> Iterator[Cell]:
        for key, row in observations.items():
            own = _coordinates(self._dimensions.observation, key)
            coordinates = {**self._common, **series, **own}
            yield Cell(
                coordinates=coordinates,
                value=_number(next(iter(row or ()), None)),
                attributes={
                    **attributes,
                    **({} if series else self._group_attributes(coordinates)),
                    **_attributes(self._attributes.observation, (row or [])[self._measures :]),
                },
            )

    def _group_attributes(self, coordinates: Mapping[str, Label]) -> dict[str, Label]:
        """Return the attributes of the dimension groups that the coordinates belong to."""
        attributes: dict[str, Label] = {}
        for key, given in self._data.dimension_group_attributes.items():
            if self._is_in_group(key.split(":"), coordinates):
                attributes |= _attributes(self._attributes.dimension_group, given)
        return attributes

    def _is_in_group(self, positions: list[str], coordinates: Mapping[str, Label]) -> bool:
        every = self._dimensions.all
        dimensions = every if len(positions) == len(every) else self._dimensions.series
        if len(positions) != len(dimensions):
            return False
        return all(
            coordinates.get(dimension.id) == dimension.at(position)
            for dimension, position in zip(dimensions, positions, strict=True)
            if position.isdecimal()  # an empty or "~" position means every value
        )


def _coordinates(dimensions: Sequence[_Component], key: str) -> dict[str, Label]:
    positions = key.split(":") if key else []
    if len(positions) != len(dimensions):
        raise CubeError(f"the key {key!r} does not have {len(dimensions)} dimensions")
    return {d.id: d.at(p) for d, p in zip(dimensions, positions, strict=True)}


def _attributes(components: Sequence[_Component], given: Sequence[Any] | None) -> dict[str, Label]:
    if given and len(given) < len(components):
        # some servers list attributes without values and omit them from the rows
        components = [component for component in components if component.values != []]
    labels = {
        component.id: _attribute(component.values or [], raw)
        for component, raw in zip(components, given or (), strict=False)
    }
    return {name: label for name, label in labels.items() if label}


def _attribute(values: Sequence[_Value], raw: Any) -> Label | None:
    if raw is None:
        return None
    if not values:  # an attribute without codes is given verbatim
        return Label(str(raw), str(raw))
    return values[raw].label if isinstance(raw, int) and 0 <= raw < len(values) else None


def _number(raw: Any) -> Number | None:
    if isinstance(raw, bool) or not isinstance(raw, (int, float, str)):
        return None
    return None if isinstance(raw, float) and not isfinite(raw) else raw
