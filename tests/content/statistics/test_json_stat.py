"""JSON-stat: every value lands under its coordinates."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from tests.content.statistics.cube_makers import Table, label, tables, to_jsonstat
from webquarry.content.statistics.data_cube import Cube, CubeError, Label
from webquarry.content.statistics.json_stat import JsonStat

_READER: TypeAdapter[JsonStat] = TypeAdapter(JsonStat)


def read(dataset: Any) -> Cube:
    return _READER.validate_json(json.dumps(dataset)).cube()


@given(table=tables(), dense=st.booleans(), listed=st.booleans())
def test_every_value_lands_under_its_coordinates(
    *, table: Table, dense: bool, listed: bool
) -> None:
    cube = read(to_jsonstat(table, dense=dense, listed=listed))

    found = {tuple(each.code for each in cell.coordinates.values()): cell for cell in cube.cells}
    assert (cube.dimensions, cube.time) == (tuple(table.names), "time")
    assert {place: cell.value for place, cell in found.items()} == {
        place: table.values.get(place) for place in table.values.keys() | table.flags.keys()
    }
    for place, cell in found.items():
        assert [each.name for each in cell.coordinates.values()] == [label(code) for code in place]
        assert [each.code for each in cell.attributes.values()] == [
            flag for at, flag in table.flags.items() if at == place
        ]


@given(tables())
def test_a_bundle_of_version_1_gives_the_same_cube(table: Table) -> None:
    plain = to_jsonstat(table)
    dimensions = {"id": plain["id"], "size": plain["size"], **plain["dimension"]}
    bundle = {
        "some_code": {
            "title": "A table",
            "value": plain["value"],
            "status": plain["status"],
            "dimension": dimensions,
        }
    }

    assert read(bundle) == read(plain)


def dataset(**changed: Any) -> dict[str, Any]:
    return {
        "label": "Prices",
        "id": ["geo", "time"],
        "size": [2, 2],
        "value": {"0": 1.5, "3": 4},
        "dimension": {
            "geo": {"category": {"index": {"DE": 1, "FR": 0}, "label": {"DE": "Germany"}}},
            "time": {"category": {"index": ["2020", "2021"]}},
        },
    } | changed


def test_the_index_decides_the_order_not_the_way_it_is_written() -> None:
    cells = read(dataset()).cells

    assert [
        (cell.coordinates["geo"], cell.coordinates["time"].code, cell.value) for cell in cells
    ] == [
        (Label("FR", "FR"), "2020", 1.5),
        (Label("DE", "Germany"), "2021", 4),
    ]


def test_flags_are_explained_by_the_data_set_or_by_the_office() -> None:
    own = {"status": {"label": {"p": "vorläufig"}}}

    cells = read(dataset(status={"0": "p", "1": "bu", "3": "x"}, extension=own)).cells

    assert [cell.attributes["OBS_STATUS"] for cell in cells] == [
        Label("p", "vorläufig"),
        Label("bu", "break in time series, low reliability"),
        Label("x", "x"),
    ]
    assert cells[1].value is None  # the flag says why nothing is there


def test_a_dimension_of_one_category_may_leave_out_its_index() -> None:
    only = {"geo": {"category": {"label": {"EU": "Union"}}},
            "time": {"category": {"index": ["2020", "2021"]}}}  # fmt: skip

    cells = read(dataset(size=[1, 2], value=[7, None], dimension=only)).cells

    assert [(dict(cell.coordinates)["geo"], cell.value) for cell in cells] == [
        (Label("EU", "Union"), 7)
    ]


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"value": {"4": 1}}, "position '4' is outside the 4 cells"),
        ({"value": {"-1": 1}}, "is outside"),
        ({"value": [1, 2, 3, 4, 5]}, "is outside"),
        ({"size": [2, 3]}, "time has 2 categories, not 3"),
        ({"size": [2]}, "do not match"),
        ({"id": []}, "do not match"),
        ({"id": ["geo", "year"]}, "year has 0 categories"),
        (
            {"dimension": {"geo": {"category": {"index": {"DE": 0, "FR": 2}}}}},
            "positions of a dimension have gaps",
        ),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(
    changed: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(CubeError, match=complaint):
        read(dataset(**changed))


@given(st.recursive(st.none() | st.integers() | st.text(max_size=3), lambda inner: st.lists(
    inner, max_size=3) | st.dictionaries(st.sampled_from(
        ["id", "size", "value", "dimension", "category", "index", "0", "status"]),
        inner, max_size=3), max_leaves=12))  # fmt: skip
def test_no_body_does_worse_than_a_refusal(given_body: Any) -> None:
    try:
        cube = read(given_body)
    except (ValidationError, CubeError):
        return
    assert cube.dimensions
