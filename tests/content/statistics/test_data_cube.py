"""Rows from a table: the right window, named apart, with units and remarks."""

from webquarry.content.statistics.data_cube import Cell, Cube, Label, observations
from webquarry.models.records import RecordsFound
from webquarry.models.series import ObservationQuery, SeriesItem


def cell(sex: str, period: str, value: float | None, unit: str = "Per cent", **flags: str) -> Cell:
    return Cell(
        coordinates={
            "FREQ": Label("M", "Monthly"),
            "SEX": Label(sex[0], sex),
            "UNIT_MEASURE": Label(unit, unit),
            "TIME_PERIOD": Label(period, period),
        },
        value=value,
        attributes={name: Label(code, f"meaning of {code}") for name, code in flags.items()},
    )


def cube(*cells: Cell) -> Cube:
    return Cube(
        "Unemployment", ("FREQ", "SEX", "UNIT_MEASURE", "TIME_PERIOD"), "TIME_PERIOD", cells
    )


def rows(found: RecordsFound[SeriesItem]) -> list[tuple[str | None, str | None, object]]:
    return [(item.title, item.date, item.value) for item in found.items]


MEN, WOMEN = "Unemployment — Males", "Unemployment — Females"
BOTH = cube(
    cell("Males", "2024-01", 1), cell("Males", "2024-03", 3), cell("Males", "2024-02", 2),
    cell("Females", "2024-02", 5), cell("Females", "2024-01", 4),
)  # fmt: skip


def test_without_a_start_the_latest_come_first_of_every_series() -> None:
    found = observations(BOTH, ObservationQuery(series="une", count=3), "office")

    assert rows(found) == [(MEN, "2024-03", 3), (MEN, "2024-02", 2), (WOMEN, "2024-02", 5)]


def test_with_a_start_the_earliest_come_first() -> None:
    asked = ObservationQuery(series="une", since="2024-02", count=2)

    assert rows(observations(BOTH, asked, "office")) == [
        (MEN, "2024-02", 2),
        (WOMEN, "2024-02", 5),
    ]


def test_an_end_cuts_what_lies_after_it() -> None:
    asked = ObservationQuery(series="une", until="2024-01-15")

    assert rows(observations(BOTH, asked, "office")) == [(MEN, "2024-01", 1), (WOMEN, "2024-01", 4)]


def test_notes_name_what_was_cut_and_what_all_rows_share() -> None:
    found = observations(BOTH, ObservationQuery(series="une", count=3), "office")

    assert found.notes == (
        "All rows: Monthly.",
        "3 of 5 observations in 2 series; raise num_results or narrow country and dates.",
    )


def test_one_row_has_every_field() -> None:
    only = cube(cell("Males", "2024-Q1", 0, OBS_STATUS="p", UNIT_MULT="6", CONF_STATUS="F"))

    found = observations(only, ObservationQuery(series="une"), "office")

    assert found == RecordsFound(
        (
            SeriesItem(
                seriesId="une",
                title="Unemployment",
                units="Per cent, meaning of 6",
                date="2024-Q1",
                value=0,
                notes="status: p (meaning of p)",
                source="office",
            ),
        ),
        ("All rows: Monthly, Males.",),
    )


def test_several_units_tell_series_apart_too() -> None:
    mixed = cube(cell("Males", "2024", 1), cell("Males", "2024", 9, "Thousands"))

    found = observations(mixed, ObservationQuery(series="une"), "office")

    assert [(item.title, item.units) for item in found.items] == [
        ("Unemployment — Per cent", "Per cent"),
        ("Unemployment — Thousands", "Thousands"),
    ]


def test_years_quarters_and_months_sort_by_when_they_end() -> None:
    mixed = cube(*(cell("Males", period, 1) for period in ("2023", "2024-Q1", "odd", "2024-02")))

    found = observations(mixed, ObservationQuery(series="une"), "office")

    assert [item.date for item in found.items] == ["2024-Q1", "2024-02", "2023", "odd"]


def test_an_empty_table_has_no_rows_and_no_notes() -> None:
    assert observations(cube(), ObservationQuery(series="une"), "office") == RecordsFound()
