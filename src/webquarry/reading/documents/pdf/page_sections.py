"""Cuts a PDF page into sections, each with one column or with columns side by side."""

from dataclasses import dataclass
from heapq import nlargest

from webquarry.reading.documents.pdf.glyphs import WordRun

_MIN_GUTTER = 5.0  # points
_MAX_GUTTERS = 8  # the widest
_EDGE = 0.12  # share of the width beside which no column begins
_ASCENT, _DESCENT = 0.7, 0.2  # em
_SLACK = 1.0

Interval = tuple[float, float]


@dataclass(slots=True)
class Section:
    """Lines below each other, and the gutters that none of them crosses."""

    runs: list[WordRun]
    gutters: list[Interval]  # the widest first; none for one column


@dataclass(slots=True)
class _Strip:
    """Runs beside each other."""

    runs: list[WordRun]
    bottom: float

    def covers(self) -> list[Interval]:
        """Return the intervals of x that hold text."""
        covers: list[Interval] = []
        for run in sorted(self.runs, key=lambda run: run.x0):
            if covers and run.x0 < covers[-1][1] + _SLACK:
                covers[-1] = (covers[-1][0], max(covers[-1][1], run.x1))
            else:
                covers.append((run.x0, run.x1))
        return covers


def sections_of(runs: list[WordRun]) -> list[Section]:
    """Return the sections from top to bottom."""
    low, high = min(run.x0 for run in runs), max(run.x1 for run in runs)
    margin = _EDGE * (high - low)
    inner = (low + margin, high - margin)
    sections: list[Section] = []
    for strip in _strips(runs):
        covers = strip.covers()
        free = _free(covers, inner)
        last = sections[-1] if sections else None
        if last is not None and _goes_on(last, covers, free):
            last.runs += strip.runs
            last.gutters = _common(last.gutters, free)
        else:
            gutters = free if len(covers) > 1 and _is_between(free, covers) else []
            sections.append(Section(strip.runs, gutters))
    for section in sections:
        section.gutters.sort(key=_width, reverse=True)
    return sections


def _strips(runs: list[WordRun]) -> list[_Strip]:
    """Return the runs from top to bottom, those beside each other together."""
    strips: list[_Strip] = []
    for run in sorted(runs, key=lambda run: -run.y - _ASCENT * run.size):
        bottom = run.table.box.bottom if run.table else run.y - _DESCENT * run.size
        top = run.y if run.table else run.y + _ASCENT * run.size
        if strips and top > strips[-1].bottom:
            strips[-1].runs.append(run)
            strips[-1].bottom = min(strips[-1].bottom, bottom)
        else:
            strips.append(_Strip([run], bottom))
    return strips


def _free(covers: list[Interval], inner: Interval) -> list[Interval]:
    """Return the intervals without text in the inner part of the page."""
    free: list[Interval] = []
    start = inner[0]
    for low, high in covers:
        if min(low, inner[1]) - start >= _MIN_GUTTER:
            free.append((start, min(low, inner[1])))
        start = max(start, high)
    if inner[1] - start >= _MIN_GUTTER:
        free.append((start, inner[1]))
    return nlargest(_MAX_GUTTERS, free, key=_width)


def _width(interval: Interval) -> float:
    return interval[1] - interval[0]


def _is_between(free: list[Interval], covers: list[Interval]) -> bool:
    left, right = covers[0][1], covers[-1][0]
    return any(left - _SLACK <= low and high <= right + _SLACK for low, high in free)


def _goes_on(section: Section, covers: list[Interval], free: list[Interval]) -> bool:
    """Return whether a strip belongs to the section above it."""
    if section.gutters:
        return bool(_common(section.gutters, free))
    return len(covers) == 1 or not _is_between(free, covers)


def _common(first: list[Interval], second: list[Interval]) -> list[Interval]:
    common = (
        (max(low, other_low), min(high, other_high))
        for low, high in first
        for other_low, other_high in second
    )
    return [(low, high) for low, high in common if high - low >= _MIN_GUTTER]
