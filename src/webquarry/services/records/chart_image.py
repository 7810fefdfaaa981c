"""Draws observations as a chart image."""

import base64
import logging
from collections.abc import Sequence
from math import isfinite

from webquarry.content.statistics.chart import MAX_LINES, ChartSeries, Point, draw_chart
from webquarry.models.periods import span
from webquarry.models.result import ImageBlock
from webquarry.models.series import SeriesItem

logger = logging.getLogger(__name__)


def chart_block(items: Sequence[SeriesItem]) -> tuple[ImageBlock | None, str | None]:
    """Return a chart of the observations, and a note if it is missing or incomplete."""
    lines = _series(items)
    if not lines:
        return None, "No chart: no observation has both a date and a number."
    units = ", ".join(dict.fromkeys(item.units for item in items if item.units))
    title, named = _title_and_series(items[0].seriesId, lines)
    try:
        drawn = draw_chart(title, units, named[:MAX_LINES])
    # the numbers are returned even if drawing them fails
    except (ArithmeticError, ImportError, OSError, TypeError, ValueError) as exc:
        logger.warning("no chart: %r", exc)
        return None, "The chart could not be drawn; the numbers are complete."
    block = ImageBlock(data=base64.b64encode(drawn).decode(), mimeType="image/png")
    if len(lines) <= MAX_LINES:
        return block, None
    return block, f"The chart shows {MAX_LINES} of {len(lines)} series."


def _series(items: Sequence[SeriesItem]) -> list[ChartSeries]:
    points: dict[str, list[Point]] = {}
    for item in items:
        covered, value = span(item.date or ""), _number(item)
        if covered and value is not None:
            points.setdefault(item.title or item.seriesId, []).append((covered.start, value))
    return [ChartSeries(name, tuple(sorted(each))) for name, each in points.items()]


def _title_and_series(series: str, lines: list[ChartSeries]) -> tuple[str, list[ChartSeries]]:
    """Return the common part of the names as the title, and the series with the rest as names."""
    if len(lines) == 1:
        return lines[0].name, lines
    parts = [line.name.partition(" — ") for line in lines]
    common = {before for before, _, after in parts if after}
    if len(common) != 1 or not all(after for *_, after in parts):
        return series, lines
    named = [
        ChartSeries(after, line.points) for (*_, after), line in zip(parts, lines, strict=True)
    ]
    return common.pop(), named


def _number(item: SeriesItem) -> float | None:
    try:
        value = None if item.value is None else float(item.value)
    except ValueError:  # text such as "<5"
        return None
    return value if value is not None and isfinite(value) else None
