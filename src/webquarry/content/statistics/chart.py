"""Draws a line chart of time series as a small PNG."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from io import BytesIO
from math import floor, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw as Pen
    from PIL.ImageFont import FreeTypeFont, ImageFont

WIDTH, HEIGHT = 640, 360
MAX_LINES = 6
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 36, 54, 46
_LEGEND_ROW = 16
_SUPERSAMPLE = 2  # lines are drawn at this scale and shrunk, which smooths them
_DARK, _LIGHT, _WHITE = (34, 34, 34), (222, 222, 222), (255, 255, 255)
# the Okabe-Ito palette, distinguishable for colour-blind readers
_COLOURS = ((0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (230, 159, 0),
            (86, 180, 233))  # fmt: skip
_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k"))
_TICK_COUNT = 5
# characters that Pillow's built-in font lacks
_REPLACEMENTS = str.maketrans(
    {"\u2013": "-", "\u2014": "-", "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"',
     "\u2026": "...", "\u2265": ">="}
)  # fmt: skip

Point = tuple[date, float]
PixelPoint = tuple[float, float]


@dataclass(frozen=True)
class ChartSeries:
    """One series in chronological order."""

    name: str
    points: tuple[Point, ...]


def draw_chart(title: str, unit: str, lines: Sequence[ChartSeries]) -> bytes:
    """Return a PNG with title, labelled axes, and a legend if there are several lines."""
    # imported here because most calls need no chart
    from PIL import Image, ImageDraw, ImageFont

    plot = _Plot.around(lines, legend=len(lines) if len(lines) > 1 else 0)
    large = Image.new("RGB", (WIDTH * _SUPERSAMPLE, HEIGHT * _SUPERSAMPLE), _WHITE)
    _draw_lines(ImageDraw.Draw(large), plot, lines)
    image = large.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    pen = ImageDraw.Draw(image)
    small, big = ImageFont.load_default(size=12), ImageFont.load_default(size=14)
    pen.text((12, 8), _fit_text(pen, title, big, WIDTH - 24), fill=_DARK, font=big)
    pen.text((12, 30), _fit_text(pen, unit or "Value", small, WIDTH - 24), fill=_DARK, font=small)
    _write_axes(pen, plot, small)
    if len(lines) > 1:
        _write_legend(pen, lines, small)
    output = BytesIO()
    image.quantize(64).save(output, "PNG", optimize=True)
    return output.getvalue()


@dataclass(frozen=True)
class _Plot:
    """The area inside the axes and the range of its values."""

    first: int  # days, as ordinals
    last: int
    ticks: tuple[float, ...]  # of the values, lowest first
    bottom: int

    @classmethod
    def around(cls, lines: Sequence[ChartSeries], *, legend: int) -> "_Plot":
        points = [point for line in lines for point in line.points]
        if not points:
            raise ValueError("no values to draw")
        days = [day.toordinal() for day, _ in points]
        ticks = _ticks([value for _, value in points])
        return cls(min(days), max(days), ticks, HEIGHT - _BOTTOM - legend * _LEGEND_ROW)

    def at(self, day: float, value: float) -> PixelPoint:
        """Return the pixel of a value on a day."""
        span, low, high = self.last - self.first, self.ticks[0], self.ticks[-1]
        across = (day - self.first) / span if span else 0.5
        return (
            _LEFT + (WIDTH - _LEFT - _RIGHT) * across,
            self.bottom - (self.bottom - _TOP) * (value - low) / (high - low),
        )


def _draw_lines(pen: "Pen", plot: _Plot, lines: Sequence[ChartSeries]) -> None:
    for value in plot.ticks:
        _, y = plot.at(plot.first, value)
        pen.line(_scaled_up([(_LEFT, y), (WIDTH - _RIGHT, y)]), fill=_LIGHT, width=_SUPERSAMPLE)
    pen.line(_scaled_up([(_LEFT, _TOP), (_LEFT, plot.bottom)]), fill=_DARK, width=_SUPERSAMPLE)
    for line, colour in zip(lines, _COLOURS, strict=False):
        pixels = _scaled_up([plot.at(day.toordinal(), value) for day, value in line.points])
        pen.line(pixels, fill=colour, width=2 * _SUPERSAMPLE, joint="curve")
        for x, y in pixels if len(pixels) <= 40 else ():
            pen.ellipse((x - 5, y - 5, x + 5, y + 5), fill=colour)


def _scaled_up(pixels: list[PixelPoint]) -> list[PixelPoint]:
    return [(x * _SUPERSAMPLE, y * _SUPERSAMPLE) for x, y in pixels]


def _write_axes(pen: "Pen", plot: _Plot, font: "FreeTypeFont | ImageFont") -> None:
    largest = max(map(abs, plot.ticks))
    scale, suffix = next((unit for unit in _UNITS if largest >= 10 * unit[0]), (1.0, ""))
    digits = max(0, -floor(log10((plot.ticks[1] - plot.ticks[0]) / scale)))
    for value in plot.ticks:
        x, y = plot.at(plot.first, value)
        text = f"{value / scale:,.{digits}f}{suffix}"
        pen.text((_LEFT - 6, y), text, fill=_DARK, font=font, anchor="rm")
    span = plot.last - plot.first
    chars = 4 if span > 10 * 366 else 7 if span > 120 else 10  # year, month or day
    shares = (number / _TICK_COUNT for number in range(_TICK_COUNT + 1))
    for ordinal in dict.fromkeys(round(plot.first + span * share) for share in shares):
        x, _ = plot.at(ordinal, plot.ticks[0])
        text = date.fromordinal(ordinal).isoformat()[:chars]
        pen.text((x, plot.bottom + 6), text, fill=_DARK, font=font, anchor="ma")
    pen.text((WIDTH // 2, plot.bottom + 22), "Date", fill=_DARK, font=font, anchor="ma")


def _write_legend(
    pen: "Pen", lines: Sequence[ChartSeries], font: "FreeTypeFont | ImageFont"
) -> None:
    y = HEIGHT - _LEGEND_ROW * len(lines) - 4
    for line, colour in zip(lines, _COLOURS, strict=False):
        pen.rectangle((_LEFT, y + 5, _LEFT + 14, y + 9), fill=colour)
        name = _fit_text(pen, line.name, font, WIDTH - _LEFT - _RIGHT - 22)
        pen.text((_LEFT + 20, y), name, fill=_DARK, font=font)
        y += _LEGEND_ROW


def _ticks(values: Sequence[float]) -> tuple[float, ...]:
    """Return round numbers from at most the lowest to at least the highest value."""
    low, high = min(values), max(values)
    if high - low <= abs(high) * 1e-12:
        low, high = low - (abs(low) or 1) / 2, high + (abs(high) or 1) / 2
    rough = (high - low) / _TICK_COUNT
    power = 10.0 ** floor(log10(rough))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= rough * (1 - 1e-9))
    first = floor(low / step)
    count = 2
    while (first + count - 1) * step < high:
        count += 1
    return tuple((first + i) * step for i in range(count))


def _fit_text(pen: "Pen", text: str, font: "FreeTypeFont | ImageFont", room: int) -> str:
    clean = " ".join(text.translate(_REPLACEMENTS).split())
    if pen.textlength(clean, font=font) <= room:
        return clean
    while clean and pen.textlength(f"{clean}...", font=font) > room:
        clean = clean[:-1]
    return f"{clean}..."
