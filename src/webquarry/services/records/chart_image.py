"""Draws observations as a chart image."""

import base64
import logging
from collections.abc import Sequence
from math import isfinite

from webquarry.content.statistics.chart import MAX_LINES, ChartSeries, Point, draw_chart
from webquarry.content.text.length_limits import cap_text
from webquarry.errors import WebquarryError
from webquarry.models.periods import span
from webquarry.models.result import ImageBlock
from webquarry.models.series import SeriesItem
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import WORKER_ONLY, ParseTask

logger = logging.getLogger(__name__)

_NOT_DRAWN = "The chart could not be drawn; the numbers are complete."
_MAX_NAME = 300  # characters; the chart has room for about a hundred


async def chart_block(
    parsers: Parsers, items: Sequence[SeriesItem]
) -> tuple[ImageBlock | None, str | None]:
    """Return a chart of the observations, and a note if it is missing or incomplete."""
    task = ParseTask(drawn_chart, "The chart", inline_bytes=WORKER_ONLY)
    try:
        return await parsers.run_in_worker(task, b"", items=tuple(items))
    except WebquarryError as error:  # the numbers are returned even if drawing them fails
        logger.warning("no chart: %s", error)
        return None, _NOT_DRAWN


def drawn_chart(
    _content: bytes, *, items: tuple[SeriesItem, ...]
) -> tuple[ImageBlock | None, str | None]:
    """Draw the chart; runs in a worker process, as names and values are foreign."""
    lines = _series(items)
    if not lines:
        return None, "No chart: no observation has both a date and a number."
    units = ", ".join(
        dict.fromkeys(cap_text(item.units, _MAX_NAME) for item in items if item.units)
    )
    title, named = _title_and_series(items[0].seriesId, lines)
    try:
        drawn = draw_chart(title, cap_text(units, _MAX_NAME), named[:MAX_LINES])
    # the numbers are returned even if drawing them fails
    except (ArithmeticError, ImportError, OSError, TypeError, ValueError) as exc:
        logger.warning("no chart: %r", exc)
        return None, _NOT_DRAWN
    block = ImageBlock(data=base64.b64encode(drawn).decode(), mimeType="image/png")
    if len(lines) <= MAX_LINES:
        return block, None
    return block, f"The chart shows {MAX_LINES} of {len(lines)} series."


def _series(items: Sequence[SeriesItem]) -> list[ChartSeries]:
    points: dict[str, list[Point]] = {}
    for item in items:
        covered, value = span(item.date or ""), _number(item)
        if covered and value is not None:
            name = cap_text(item.title or item.seriesId, _MAX_NAME)
            points.setdefault(name, []).append((covered.start, value))
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
    except (ValueError, OverflowError):  # text such as "<5", or an integer of 400 digits
        return None
    return value if value is not None and isfinite(value) else None
