"""Pictures of observations: named well, and never in the way of the numbers."""

import base64
import sys

import pytest

from webquarry.content.statistics import chart
from webquarry.models.series import SeriesItem
from webquarry.services.records import chart_image as module
from webquarry.services.records.chart_image import drawn_chart


def seen(date: str, value: float | str | None, title: str | None = None) -> SeriesItem:
    return SeriesItem(seriesId="HRN", title=title, units="kg", date=date, value=value, source="x")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, list[chart.ChartSeries]]]:
    """What would have been drawn."""
    calls: list[tuple[str, str, list[chart.ChartSeries]]] = []

    def note(title: str, unit: str, lines: list[chart.ChartSeries]) -> bytes:
        calls.append((title, unit, lines))
        return b"PNG"

    monkeypatch.setattr(module, "draw_chart", note)
    return calls


def test_observations_become_a_png() -> None:
    block, said = drawn_chart(b"", items=(seen("2021", 2), seen("2020", 1)))

    assert said is None
    assert block is not None
    assert block.mimeType == "image/png"
    assert base64.b64decode(block.data).startswith(b"\x89PNG")


def test_what_series_share_is_the_title_and_the_rest_their_names(
    drawn: list[tuple[str, str, list[chart.ChartSeries]]],
) -> None:
    drawn_chart(b"", items=(seen("2021", 2, "Herons — Female"), seen("2021", 1, "Herons — Male")))

    ((title, unit, lines),) = drawn
    assert (title, unit, [line.name for line in lines]) == ("Herons", "kg", ["Female", "Male"])


def test_missing_and_unreadable_values_are_left_out(
    drawn: list[tuple[str, str, list[chart.ChartSeries]]],
) -> None:
    drawn_chart(
        b"",
        items=(seen("2022", None), seen("2021", "<5"), seen("soon", 3), seen("2020", "0.50")),
    )

    ((_, _, lines),) = drawn
    assert [[value for _, value in line.points] for line in lines] == [[0.5]]


def test_more_series_than_colors_are_noted(
    drawn: list[tuple[str, str, list[chart.ChartSeries]]],
) -> None:
    _, said = drawn_chart(b"", items=tuple([seen("2021", 2, f"Herons — {at}") for at in range(8)]))

    assert said == "The chart shows 6 of 8 series."
    assert len(drawn[0][2]) == 6


def test_a_missing_chart_is_explained() -> None:
    assert drawn_chart(b"", items=(seen("2022", None),)) == (
        None,
        "No chart: no observation has both a date and a number.",
    )


def test_without_the_drawing_library_the_numbers_still_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)

    assert drawn_chart(b"", items=(seen("2022", 1),)) == (
        None,
        "The chart could not be drawn; the numbers are complete.",
    )
