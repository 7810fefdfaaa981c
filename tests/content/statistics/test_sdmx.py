"""SDMX-JSON: every observation lands under its coordinates."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from tests.content.statistics.cube_makers import Table, label, tables, to_sdmx
from webquarry.content.statistics.data_cube import Cube, CubeError, Label
from webquarry.content.statistics.sdmx import SdmxMessage

_READER: TypeAdapter[SdmxMessage] = TypeAdapter(SdmxMessage)


def read(message: dict[str, Any]) -> Cube:
    return _READER.validate_json(json.dumps(message)).cube()


@given(table=tables(), series=st.booleans(), version=st.sampled_from([1, 2]))
def test_every_observation_lands_under_its_coordinates(
    *, table: Table, series: bool, version: int
) -> None:
    if series and len(table.dimensions) == 1:
        series = False  # without other dimensions there is nothing to make series of

    cube = read(to_sdmx(table, series=series, version=version))

    found = {tuple(each.code for each in cell.coordinates.values()): cell for cell in cube.cells}
    assert cube.time == "TIME_PERIOD"
    assert {place: cell.value for place, cell in found.items()} == {
        place: table.values.get(place) for place in table.values.keys() | table.flags.keys()
    }
    for place, cell in found.items():
        assert [each.name for each in cell.coordinates.values()] == [label(code) for code in place]
        flag = table.flags.get(place)
        assert cell.attributes == ({"OBS_STATUS": Label(flag, label(flag))} if flag else {})


def message(**changed: Any) -> dict[str, Any]:
    """One series of two years, with attributes at every level."""
    data: dict[str, Any] = {
        "attributes": [0],
        "dimensionGroupAttributes": {"0::": [0], "1::": [1]},
        "series": {"0:0": {"attributes": [0, "2015"], "observations": {"0": [1.5, 0], "1": [2]}}},
    }
    structure: dict[str, Any] = {
        "names": {"en": "Prices"},
        "dimensions": {
            "series": [
                {"id": "REF_AREA", "values": [{"id": "FRA", "name": "France"}, {"id": "ITA"}]},
                {"id": "UNIT_MEASURE", "values": [{"id": "IX", "name": "Index"}]},
            ],
            "observation": [
                {"id": "TIME", "roles": ["TIME_PERIOD"],
                 "values": [{"value": 2020}, {"id": "2021"}]}
            ],
        },
        "attributes": {
            "dataSet": [{"id": "SOURCE", "values": [{"id": "O", "name": "Office"}]}],
            "dimensionGroup": [{"id": "UNIT_MULT", "values": [{"id": "6", "name": "Millions"},
                                                             {"id": "3", "name": "Thousands"}]}],
            "series": [{"id": "ADJ", "values": [{"id": "Y", "name": "Adjusted"}]},
                       {"id": "BASE_PER"}],
            "observation": [{"id": "OBS_STATUS", "values": [{"id": "E", "name": "Estimated"}]}],
        },
    }  # fmt: skip
    return {"data": {"dataSets": [data | changed], "structures": [structure]}}


def test_attributes_of_every_level_reach_the_cell() -> None:
    cube = read(message())

    assert cube.title == "Prices"
    assert cube.time == "TIME"
    assert dict(cube.cells[0].attributes) == {
        "SOURCE": Label("O", "Office"),
        "UNIT_MULT": Label("6", "Millions"),  # of France only
        "ADJ": Label("Y", "Adjusted"),
        "BASE_PER": Label("2015", "2015"),
        "OBS_STATUS": Label("E", "Estimated"),
    }
    assert [cell.coordinates["TIME"].code for cell in cube.cells] == ["2020", "2021"]


def test_an_attribute_that_no_row_has_takes_no_place_in_the_rows() -> None:
    told = message(series={"0:0": {"observations": {"0": [1, 0]}}})
    structure = told["data"]["structures"][0]
    structure["attributes"] = {
        "observation": [
            {"id": "TIME_FORMAT", "values": []},
            {"id": "OBS_STATUS", "values": [{"id": "E", "name": "Estimated"}]},
        ]
    }

    assert read(told).cells[0].attributes == {"OBS_STATUS": Label("E", "Estimated")}


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"series": {"0:9": {"observations": {"0": [1]}}}}, "UNIT_MEASURE has no value '9'"),
        ({"series": {"0": {"observations": {"0": [1]}}}}, "does not have 2 dimensions"),
        ({"series": {"0:0": {"observations": {"x": [1]}}}}, "TIME has no value 'x'"),
        ({"series": {"0:-1": {"observations": {"0": [1]}}}}, "has no value '-1'"),
        ({"structure": 3}, "structure 3 is missing"),
    ],
)
def test_a_key_that_fits_nowhere_is_refused(changed: dict[str, Any], complaint: str) -> None:
    with pytest.raises(CubeError, match=complaint):
        read(message(**changed))


def test_a_message_without_data_sets_is_refused_and_an_empty_one_is_empty() -> None:
    with pytest.raises(CubeError, match="no data sets"):
        read({"errors": [{"code": 500}]})

    assert read({"data": {"dataSets": [], "structures": []}}).cells == ()


def test_missing_values_are_none() -> None:
    series = {"0:0": {"observations": {"0": [None], "1": None}}}

    assert [cell.value for cell in read(message(series=series)).cells] == [None, None]


@given(st.recursive(st.none() | st.integers() | st.text(max_size=3), lambda inner: st.lists(
    inner, max_size=3) | st.dictionaries(st.sampled_from(
        ["data", "dataSets", "structures", "series", "observations", "0", "dimensions"]),
        inner, max_size=3), max_leaves=12))  # fmt: skip
def test_no_message_does_worse_than_a_refusal(given_message: Any) -> None:
    try:
        cube = _READER.validate_json(json.dumps(given_message)).cube()
    except (ValidationError, CubeError):
        return
    assert cube.cells == ()
