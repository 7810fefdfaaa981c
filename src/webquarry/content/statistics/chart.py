"""Draws series over time as a small PNG that a person or a model can read."""

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
MOST_LINES = 6
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 36, 54, 46
_LEGEND_ROW = 16
_FINE = 2  # lines are drawn this much larger and shrunk, which smooths them
_INK, _FAINT, _PAPER = (34, 34, 34), (222, 222, 222), (255, 255, 255)
# distinguishable for colour-blind readers: Okabe and Ito
_COLOURS = ((0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (230, 159, 0),
            (86, 180, 233))  # fmt: skip
_SCALES = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k"))
_TICKS = 5
# the built-in font has Latin letters but not these
_PLAIN = str.maketrans(
    {"\u2013": "-", "\u2014": "-", "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"',
     "\u2026": "...", "\u2265": ">="}
)  # fmt: skip

Point = tuple[date, float]
Spot = tuple[float, float]


@dataclass(frozen=True)
class ChartSeries:
    """One series, in order of time."""

    name: str
    points: tuple[Point, ...]


def draw(title: str, unit: str, lines: Sequence[ChartSeries]) -> bytes:
    """Return a PNG with the title, both axes labelled, and a legend for several lines."""
    # imported here because most calls draw nothing
    from PIL import Image, ImageDraw, ImageFont

    plot = _Plot.around(lines, legend=len(lines) if len(lines) > 1 else 0)
    large = Image.new("RGB", (WIDTH * _FINE, HEIGHT * _FINE), _PAPER)
    _draw_lines(ImageDraw.Draw(large), plot, lines)
    image = large.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    pen = ImageDraw.Draw(image)
    small, big = ImageFont.load_default(size=12), ImageFont.load_default(size=14)
    pen.text((12, 8), _fit(pen, title, big, WIDTH - 24), fill=_INK, font=big)
    pen.text((12, 30), _fit(pen, unit or "Value", small, WIDTH - 24), fill=_INK, font=small)
    _write_axes(pen, plot, small)
    if len(lines) > 1:
        _write_legend(pen, lines, small)
    packed = BytesIO()
    image.quantize(64).save(packed, "PNG", optimize=True)
    return packed.getvalue()


@dataclass(frozen=True)
class _Plot:
    """The area inside the axes and what it spans."""

    first: int  # days, as ordinals
    last: int
    ticks: tuple[float, ...]  # of the values, lowest first
    bottom: int

    @classmethod
    def around(cls, lines: Sequence[ChartSeries], *, legend: int) -> "_Plot":
        points = [point for line in lines for point in line.points]
        if not points:
            raise ValueError("there is no value to draw")
        days = [day.toordinal() for day, _ in points]
        ticks = _ticks([value for _, value in points])
        return cls(min(days), max(days), ticks, HEIGHT - _BOTTOM - legend * _LEGEND_ROW)

    def at(self, day: float, value: float) -> Spot:
        wide, low, high = (self.last - self.first) or 1, self.ticks[0], self.ticks[-1]
        inset = 0.5 if self.last == self.first else (day - self.first) / wide
        return (
            _LEFT + (WIDTH - _LEFT - _RIGHT) * inset,
            self.bottom - (self.bottom - _TOP) * (value - low) / (high - low),
        )


def _draw_lines(pen: "Pen", plot: _Plot, lines: Sequence[ChartSeries]) -> None:
    for value in plot.ticks:
        _, y = plot.at(plot.first, value)
        pen.line(_larger([(_LEFT, y), (WIDTH - _RIGHT, y)]), fill=_FAINT, width=_FINE)
    pen.line(_larger([(_LEFT, _TOP), (_LEFT, plot.bottom)]), fill=_INK, width=_FINE)
    for line, colour in zip(lines, _COLOURS, strict=False):
        spots = _larger([plot.at(day.toordinal(), value) for day, value in line.points])
        pen.line(spots, fill=colour, width=2 * _FINE, joint="curve")
        for x, y in spots if len(spots) <= 40 else ():
            pen.ellipse((x - 5, y - 5, x + 5, y + 5), fill=colour)


def _larger(spots: list[Spot]) -> list[Spot]:
    return [(x * _FINE, y * _FINE) for x, y in spots]


def _write_axes(pen: "Pen", plot: _Plot, font: "FreeTypeFont | ImageFont") -> None:
    scale, suffix = _scale(plot.ticks)
    digits = max(0, -floor(log10((plot.ticks[1] - plot.ticks[0]) / scale)))
    for value in plot.ticks:
        x, y = plot.at(plot.first, value)
        text = f"{value / scale:,.{digits}f}{suffix}"
        pen.text((_LEFT - 6, y), text, fill=_INK, font=font, anchor="rm")
    for ordinal in _days(plot.first, plot.last):
        x, _ = plot.at(ordinal, plot.ticks[0])
        text = _moment(date.fromordinal(ordinal), plot)
        pen.text((x, plot.bottom + 6), text, fill=_INK, font=font, anchor="ma")
    pen.text((WIDTH // 2, plot.bottom + 22), "Date", fill=_INK, font=font, anchor="ma")


def _write_legend(
    pen: "Pen", lines: Sequence[ChartSeries], font: "FreeTypeFont | ImageFont"
) -> None:
    y = HEIGHT - _LEGEND_ROW * len(lines) - 4
    for line, colour in zip(lines, _COLOURS, strict=False):
        pen.rectangle((_LEFT, y + 5, _LEFT + 14, y + 9), fill=colour)
        name = _fit(pen, line.name, font, WIDTH - _LEFT - _RIGHT - 22)
        pen.text((_LEFT + 20, y), name, fill=_INK, font=font)
        y += _LEGEND_ROW


def _ticks(values: Sequence[float]) -> tuple[float, ...]:
    """Return round numbers from below the lowest to above the highest value."""
    low, high = min(values), max(values)
    if high - low <= abs(high) * 1e-12:
        low, high = low - (abs(low) or 1) / 2, high + (abs(high) or 1) / 2
    rough = (high - low) / _TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= rough * (1 - 1e-9))
    first = floor(low / step)
    count = 2
    while (first + count - 1) * step < high:
        count += 1
    return tuple((first + i) * step for i in range(count))


def _scale(ticks: Sequence[float]) -> tuple[float, str]:
    largest = max(abs(tick) for tick in ticks)
    return next((s for s in _SCALES if largest >= 10 * s[0]), (1.0, ""))


def _days(first: int, last: int) -> list[int]:
    return sorted({round(first + (last - first) * i / _TICKS) for i in range(_TICKS + 1)})


def _moment(day: date, plot: _Plot) -> str:
    span = plot.last - plot.first
    return day.isoformat()[: 4 if span > 10 * 366 else 7 if span > 120 else 10]


def _fit(pen: "Pen", text: str, font: "FreeTypeFont | ImageFont", room: int) -> str:
    clean = " ".join(text.translate(_PLAIN).split())
    if pen.textlength(clean, font=font) <= room:
        return clean
    while clean and pen.textlength(f"{clean}...", font=font) > room:
        clean = clean[:-1]
    return f"{clean}..."
