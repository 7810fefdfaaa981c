"""Charts: small, readable, and true to the values."""

from collections.abc import Sequence
from datetime import date
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from webquarry.content.statistics.chart import HEIGHT, MAX_LINES, WIDTH, ChartSeries, draw_chart

BLUE, ORANGE = (0, 114, 178), (213, 94, 0)


def line(name: str, values: Sequence[float]) -> ChartSeries:
    return ChartSeries(
        name, tuple((date(1990 + at, 1, 1), value) for at, value in enumerate(values))
    )


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def spots(png: bytes, colour: tuple[int, int, int]) -> list[tuple[int, int]]:
    """Return the pixels of about that colour, from left to right."""
    raw = opened(png).tobytes()
    near = {
        at
        for at in range(len(raw) // 3)
        if abs(raw[3 * at] - colour[0]) < 24
        and abs(raw[3 * at + 1] - colour[1]) < 24
        and abs(raw[3 * at + 2] - colour[2]) < 24
    }
    return sorted((at % WIDTH, at // WIDTH) for at in near)


def test_a_chart_is_a_small_png() -> None:
    png = draw_chart("GDP", "USD", [line("GDP", [1, 2, 4, 3])])

    image = Image.open(BytesIO(png))
    assert (image.format, image.size) == ("PNG", (WIDTH, HEIGHT))
    assert len(png) < 20_000


def test_what_grows_rises_to_the_right() -> None:
    drawn = spots(draw_chart("", "", [line("", [10, 20, 30])]), BLUE)

    (first_x, first_y), (last_x, last_y) = drawn[0], drawn[-1]
    assert (first_x < 100, last_x > 500) == (True, True)
    assert first_y > last_y + 150


def test_the_larger_series_lies_above_the_smaller() -> None:
    png = draw_chart("Two", "", [line("small", [1, 1, 1]), line("large", [9, 9, 9])])

    small = [y for x, y in spots(png, BLUE) if x > 150]
    large = [y for x, y in spots(png, ORANGE) if x > 150]
    assert min(small) > max(y for y in large if y < HEIGHT - 60)


def test_title_unit_and_legend_are_written() -> None:
    bare = draw_chart("", "", [line("a", [1, 2]), line("b", [2, 1])])
    told = draw_chart("Prices", "Index", [line("Germany", [1, 2]), line("France", [2, 1])])

    def ink(png: bytes, box: tuple[int, int, int, int]) -> int:
        part = opened(png).crop(box).convert("L")
        return sum(count for count, level in part.getcolors(256) or [] if level < 128)  # pyright: ignore[reportOperatorIssue, reportUnknownVariableType]

    assert ink(told, (0, 0, WIDTH, 26)) > ink(bare, (0, 0, WIDTH, 26)) == 0
    legend = (92, HEIGHT - 40, WIDTH, HEIGHT)
    assert ink(told, legend) > ink(bare, legend) > 0


def test_long_and_foreign_names_do_not_break_it() -> None:
    names = ["x" * 500, "日本 — ελληνικά ≥ 15", "", "line\nbreak", "ok", "ok too"]

    png = draw_chart("y" * 500, "z" * 500, [line(name, [1, at]) for at, name in enumerate(names)])

    assert len(names) == MAX_LINES
    assert opened(png).size == (WIDTH, HEIGHT)


def test_nothing_to_draw_is_refused() -> None:
    with pytest.raises(ValueError, match="no values to draw"):
        draw_chart("", "", [ChartSeries("a", ())])


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.dates(), st.floats(-1e300, 1e300, allow_nan=False).filter(lambda v: abs(v) > 1e-300)
        ),
        min_size=1,
        max_size=5,
    )
)
def test_any_values_can_be_drawn(points: list[tuple[date, float]]) -> None:
    png = draw_chart("", "", [ChartSeries("", tuple(sorted(points)))])

    assert opened(png).size == (WIDTH, HEIGHT)
