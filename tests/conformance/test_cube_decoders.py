"""Our decoders of statistical tables compared with independent decoders, cell by cell."""

import json
import math
import warnings
from pathlib import Path
from typing import Any, cast

import pytest
from pydantic import TypeAdapter

from tests.content.statistics.cube_makers import Place, Table, made_table, to_jsonstat, to_sdmx
from webquarry.content.statistics.data_cube import Cube
from webquarry.content.statistics.json_stat import JsonStat
from webquarry.content.statistics.sdmx import SdmxMessage

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures"
TABLES = {
    "accounts": made_table(1, {"geo": 5, "sector": 4, "unit": 3, "time": 12}),
    "labour": made_table(2, {"freq": 1, "sex": 3, "age": 6, "adj": 2, "geo": 3, "time": 8}),
    "prices": made_table(3, {"coicop": 9, "time": 40}),
    "one series": made_table(4, {"geo": 1, "time": 20}),
}
Values = dict[Place, float]


def cells_of_cube(cube: Cube) -> Values:
    """Return our cells by their dimension codes."""
    return {
        tuple(cell.coordinates[name].code for name in cube.dimensions): float(cell.value)
        for cell in cube.cells
        if cell.value is not None
    }


def cells_by_sdmx1(message: dict[str, Any], scratch: Path) -> Values:
    """Return the cells as sdmx1 reads them."""
    sdmx = pytest.importorskip("sdmx", reason="sdmx1 is a development dependency")
    path = scratch / "message.json"
    path.write_text(json.dumps(message), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pandas warns about sdmx1's code
        found = sdmx.to_pandas(sdmx.read_sdmx(path).data[0])
    order = [d["id"] for level in ("series", "observation")
             for d in message["structure"]["dimensions"].get(level, [])]  # fmt: skip
    names = list(found.index.names)
    return {
        tuple(str(place[names.index(name)]) for name in order): float(value)
        for place, value in found.items()
        if not math.isnan(value)
    }


def cells_by_pyjstat(dataset: dict[str, Any]) -> Values:
    """Return the cells as pyjstat reads them."""
    pyjstat = pytest.importorskip("pyjstat.pyjstat", reason="pyjstat is a development dependency")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pandas warns about pyjstat's code
        if "version" in dataset:
            frame = pyjstat.Dataset.read(json.dumps(dataset)).write("dataframe", naming="id")
        else:
            (frame,) = pyjstat.from_json_stat(dataset, naming="id")
    rows = cast("list[list[Any]]", frame.values.tolist())
    return {
        tuple(str(code) for code in row[:-1]): float(row[-1])
        for row in rows
        if row[-1] is not None and not math.isnan(row[-1])
    }


def our_cells(model: type[Any], message: dict[str, Any]) -> Values:
    return cells_of_cube(TypeAdapter(model).validate_json(json.dumps(message)).cube())


def fixture(name: str) -> dict[str, Any]:
    if not (FIXTURES / name).exists():
        pytest.skip("the recorded responses are not on this machine")
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))


HEAD = {"id": "x", "prepared": "2026-01-01T00:00:00Z", "sender": {"id": "X"}, "test": False}


def version_1(table: Table, *, series: bool) -> dict[str, Any]:
    message: dict[str, Any] = {**to_sdmx(table, series=series, version=1), "header": HEAD}
    for data in message["dataSets"]:
        data["action"] = "Information"
    return message


@pytest.mark.parametrize("series", [True, False], ids=["by series", "flat"])
@pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
def test_sdmx_json_agrees_with_sdmx1(table: Table, *, series: bool, tmp_path: Path) -> None:
    theirs = cells_by_sdmx1(version_1(table, series=series), tmp_path)

    assert len(theirs) == len(table.values) > 10
    assert our_cells(SdmxMessage, version_1(table, series=series)) == theirs
    assert our_cells(SdmxMessage, to_sdmx(table, series=series, version=2)) == theirs


def test_a_recorded_sdmx_message_agrees_with_sdmx1(tmp_path: Path) -> None:
    message = fixture("oecd/sdmx_json_v1_PART2.json")

    theirs = cells_by_sdmx1(message, tmp_path)

    assert len(theirs) == 7
    assert our_cells(SdmxMessage, message) == theirs


@pytest.mark.parametrize("dense", [True, False], ids=["dense", "sparse"])
@pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
def test_json_stat_agrees_with_pyjstat(table: Table, *, dense: bool) -> None:
    dataset = to_jsonstat(table, dense=dense)

    theirs = cells_by_pyjstat(dataset)

    assert len(theirs) == len(table.values)
    assert our_cells(JsonStat, dataset) == theirs


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("eurostat/jsonstat_prc_hicp_manr_2026_200.json", 24),
        ("eurostat/jsonstat_nama_gdp_c_IT_FR_legacy.json", 64),
    ],
)
def test_recorded_json_stat_agrees_with_pyjstat(name: str, values: int) -> None:
    dataset = fixture(name)

    theirs = cells_by_pyjstat(dataset)

    assert len(theirs) == values
    assert our_cells(JsonStat, dataset) == theirs
