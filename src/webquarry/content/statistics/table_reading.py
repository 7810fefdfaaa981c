"""Reads the observations of a statistical table: runs in a worker process if the table is long."""

from collections.abc import Callable
from dataclasses import dataclass

from pydantic import ValidationError

from webquarry.content.statistics import data_cube
from webquarry.content.statistics.data_cube import Cube, CubeError, CubeTooLargeError
from webquarry.content.statistics.json_stat import JsonStat
from webquarry.content.statistics.sdmx import SdmxMessage
from webquarry.models.model import first_problem
from webquarry.models.series import ObservationQuery, SeriesItem


@dataclass(frozen=True, kw_only=True)
class TableReading:
    """The observations of a table, or why there are none."""

    items: tuple[SeriesItem, ...] = ()
    notes: tuple[str, ...] = ()
    is_empty: bool = False  # the table has no values
    has_data: bool = True  # the message has a table
    message: str = ""  # of the office, instead of a table or about it
    problem: str = ""  # with the table
    is_too_large: bool = False


def read_sdmx(content: bytes, *, query: ObservationQuery, source: str) -> TableReading:
    """Return the observations of an SDMX-JSON message."""
    try:
        message = SdmxMessage.model_validate_json(content)
    except ValidationError as error:
        return TableReading(problem=first_problem(error))
    return _reading(message.cube, query, source)


def read_json_stat(content: bytes, *, query: ObservationQuery, source: str) -> TableReading:
    """Return the observations of a JSON-stat data set, or the messages of a failed request."""
    try:
        table = JsonStat.model_validate_json(content)
    except ValidationError as error:
        return TableReading(problem=first_problem(error))
    messages = [*table.error, *table.warning]
    message = "; ".join(each.label or str(each.status) for each in messages)
    if messages and not table.id:
        return TableReading(message=message, has_data=False)
    return _reading(table.cube, query, source, message)


def _reading(
    cube: Callable[[], Cube], query: ObservationQuery, source: str, message: str = ""
) -> TableReading:
    try:
        table = cube()
        found = data_cube.observations(table, query, source)
    except CubeError as error:
        is_too_large = isinstance(error, CubeTooLargeError)
        return TableReading(message=message, problem=str(error), is_too_large=is_too_large)
    return TableReading(
        items=found.items, notes=found.notes, is_empty=not table.cells, message=message
    )
