"""Random tables, written in both formats, with what every cell must say."""

import random
from dataclasses import dataclass
from itertools import product
from typing import Any

from hypothesis import strategies as st

Place = tuple[str, ...]
Value = int | float


@dataclass(frozen=True)
class Table:
    """Dimensions with their codes, and the values that are there by place."""

    dimensions: dict[str, list[str]]
    values: dict[Place, Value]
    flags: dict[Place, str]

    @property
    def names(self) -> list[str]:
        return list(self.dimensions)


def made_table(seed: int, sizes: dict[str, int]) -> Table:
    """Return a table of that shape with about two thirds of its cells filled."""
    # a test, not a secret
    chance = random.Random(seed)  # noqa: S311
    dimensions = {name: [f"{name[:2].upper()}{at}" for at in range(size)]
                  for name, size in sizes.items()}  # fmt: skip
    dimensions["time"] = [f"{2000 + at // 4}-Q{1 + at % 4}" for at in range(sizes["time"])]
    chance.shuffle(dimensions["time"])  # as real messages have it
    places = [place for place in product(*dimensions.values()) if chance.random() < 0.66]
    values = {place: round(chance.uniform(-1e6, 1e6), 6) for place in places}
    flags = {place: chance.choice("pebc") for place in places if chance.random() < 0.1}
    return Table(dimensions, values, flags)


def label(code: str) -> str:
    return f"label of {code}"


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Tables of one to five dimensions, the last of them time, with some cells left empty."""
    codes = st.text(alphabet="ABCDEFGHIJ_0123456789", min_size=1, max_size=4)
    names = draw(
        st.lists(
            st.sampled_from(["freq", "sex", "age", "unit", "geo", "adj"]), max_size=4, unique=True
        )
    )
    dimensions = {
        name: draw(st.lists(codes, min_size=1, max_size=4, unique=True)) for name in names
    }
    years = st.integers(1950, 2049).map(str)
    dimensions["time"] = draw(st.lists(years, min_size=1, max_size=5, unique=True))
    numbers = st.one_of(
        st.integers(-(10**18), 10**18), st.floats(allow_nan=False, allow_infinity=False)
    )
    places = list(product(*dimensions.values()))
    taken = draw(st.lists(st.sampled_from(places), unique=True))
    values = {place: draw(numbers) for place in taken}
    flagged = draw(st.lists(st.sampled_from(places), unique=True, max_size=3))
    flags = {place: draw(st.sampled_from("pebc")) for place in flagged}
    return Table(dimensions, values, flags)


def to_jsonstat(table: Table, *, dense: bool = False, listed: bool = False) -> dict[str, Any]:
    """Write a table as JSON-stat, with values by position or as a full list."""
    flat = {place: at for at, place in enumerate(product(*table.dimensions.values()))}
    values: Any = {str(flat[place]): value for place, value in table.values.items()}
    if dense:
        values = [table.values.get(place) for place in flat]
    return {
        "version": "2.0",
        "class": "dataset",
        "label": "A table",
        "id": table.names,
        "size": [len(codes) for codes in table.dimensions.values()],
        "value": values,
        "status": {str(flat[place]): flag for place, flag in table.flags.items()},
        "dimension": {
            name: {
                "label": name,
                "category": {
                    "index": codes if listed else {code: at for at, code in enumerate(codes)},
                    "label": {code: label(code) for code in codes},
                },
            }
            for name, codes in table.dimensions.items()
        },
    }


def to_sdmx(table: Table, *, series: bool, version: int = 2) -> dict[str, Any]:
    """Write a table as SDMX-JSON, by series or flat, below `data` or at the top."""
    components = [
        {"id": _concept(name), "name": name, "values": [_value(code) for code in codes]}
        for name, codes in table.dimensions.items()
    ]
    flags = sorted(set(table.flags.values()))
    held = table.values.keys() | table.flags.keys()
    rows = {
        _key(table, place): [
            table.values.get(place),
            flags.index(table.flags[place]) if place in table.flags else None,
        ]
        for place in sorted(held)
    }
    structure = {
        "name": "A table",
        "dimensions": {
            "dataSet": [],
            "series": components[:-1] if series else [],
            "observation": components[-1:] if series else components,
        },
        "attributes": {
            "observation": [
                {"id": "OBS_STATUS", "name": "Status", "values": [_value(flag) for flag in flags]}
            ]
        },
    }
    data = {"series": _by_series(rows)} if series else {"observations": rows}
    if version == 1:
        return {"header": {}, "structure": structure, "dataSets": [data]}
    return {"meta": {}, "data": {"structures": [structure], "dataSets": [data]}}


def _concept(name: str) -> str:
    return "TIME_PERIOD" if name == "time" else name.upper()


def _value(code: str) -> dict[str, str]:
    return {"id": code, "name": label(code)}


def _key(table: Table, place: Place) -> str:
    pairs = zip(table.dimensions.values(), place, strict=True)
    return ":".join(str(codes.index(code)) for codes, code in pairs)


def _by_series(rows: dict[str, list[Any]]) -> dict[str, Any]:
    series: dict[str, Any] = {}
    for key, row in rows.items():
        of, _, at = key.rpartition(":")
        series.setdefault(of, {"observations": {}})["observations"][at] = row
    return series
