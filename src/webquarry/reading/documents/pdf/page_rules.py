"""Rules of a PDF page: the straight lines that separate the rows and columns of tables."""

import ctypes
from typing import Any, NamedTuple

from webquarry.reading.documents.pdf.page_objects import (
    Box,
    Matrix,
    PageObjects,
    PaintedPath,
    transformed,
)

_THIN = 3.0  # points; a thinner rectangle is a line
_MIN_LENGTH = 8.0
_MAX_RULES = 3_000  # of a page, before they are joined
_MAX_SEGMENTS = 400  # of one path; a drawing has more
_RECTANGLE = 6  # segments
_SAME_LINE = 1.5  # points between two strokes of one line
_MAX_GAP = 3.0  # points between two pieces of one line
_LINE_TO, _MOVE_TO = 0, 2  # types of segments

Point = tuple[float, float]


class Rule(NamedTuple):
    """A horizontal or vertical line: its y or x, and where it begins and ends."""

    at: float
    low: float
    high: float

    @property
    def length(self) -> float:
        """Its length in points."""
        return self.high - self.low

    def covers(self, low: float, high: float, slack: float = 2.0) -> bool:
        """Return whether it runs along the whole interval."""
        return self.low <= low + slack and self.high >= high - slack


class PageRules:
    """The rules of one page."""

    __slots__ = ("horizontal", "vertical")

    def __init__(self, horizontal: list[Rule], vertical: list[Rule]) -> None:
        self.horizontal = horizontal
        self.vertical = vertical

    def upright(self, angle: int) -> "PageRules":
        """Return the rules on a page rotated so that text of this angle is upright."""
        h, v = self.horizontal, self.vertical
        if angle == 90:
            return PageRules([Rule(-r.at, r.low, r.high) for r in v], h)
        if angle == 180:
            return PageRules(*([Rule(-r.at, -r.high, -r.low) for r in part] for part in (h, v)))
        if angle == 270:
            turned = [Rule(-r.at, r.low, r.high) for r in h]
            return PageRules([Rule(r.at, -r.high, -r.low) for r in v], turned)
        return self


class RuleReader:
    """Collects the lines of the paths of one page."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._x, self._y = ctypes.c_float(), ctypes.c_float()
        self._matrix = raw.FS_MATRIX()
        self._boxes: list[Box] = []

    def read(self, objects: PageObjects) -> PageRules:
        """Return the lines, pieces of one line joined."""
        for path in objects.paths:
            if len(self._boxes) >= _MAX_RULES:
                break
            self._add(path)
        horizontal = [
            Rule((b.bottom + b.top) / 2, b.left, b.right)
            for b in self._boxes
            if b.right - b.left >= b.top - b.bottom
        ]
        vertical = [
            Rule((b.left + b.right) / 2, b.bottom, b.top)
            for b in self._boxes
            if b.top - b.bottom > b.right - b.left
        ]
        return PageRules(joined_rules(horizontal), joined_rules(vertical))

    def _add(self, path: PaintedPath) -> None:
        if _is_thin(path.box):
            self._boxes.append(path.box)
            return
        count = self._raw.FPDFPath_CountSegments(path.pointer)
        is_area = not path.stroked and count <= _RECTANGLE
        if not is_area and count <= _MAX_SEGMENTS:
            self._add_segments(path, count)

    def _add_segments(self, path: PaintedPath, count: int) -> None:
        to_page = self._to_page(path.pointer, path.matrix)
        for points in self._outlines(path.pointer, count):
            placed = [_placed(point, to_page) for point in points]
            box = _box_of(placed)
            if _is_thin(box):
                self._boxes.append(box)
            elif path.stroked:
                closed = zip(placed, [*placed[1:], placed[0]], strict=True)
                sides = (_box_of([start, end]) for start, end in closed)
                self._boxes += [side for side in sides if _is_thin(side)]

    def _outlines(self, path: Any, count: int) -> list[list[Point]]:
        """Return the corners of the closed parts of the path; a part with curves is no line."""
        raw, x, y = self._raw, self._x, self._y
        outlines: list[list[Point]] = []
        for number in range(count):
            segment = raw.FPDFPath_GetPathSegment(path, number)
            raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
            kind = raw.FPDFPathSegment_GetType(segment)
            if kind == _MOVE_TO:
                outlines.append([(x.value, y.value)])
            elif kind == _LINE_TO and outlines:
                outlines[-1].append((x.value, y.value))
            else:
                return []
        return [outline for outline in outlines if len(outline) > 1]

    def _to_page(self, path: Any, matrix: Matrix) -> Matrix:
        own = self._matrix
        if not self._raw.FPDFPageObj_GetMatrix(path, ctypes.byref(own)):
            return matrix
        return _product((own.a, own.b, own.c, own.d, own.e, own.f), matrix)


def _product(first: Matrix, second: Matrix) -> Matrix:
    origin = transformed(Box(first[4], first[5], first[4], first[5]), second)
    a, b, c, d, _, _ = first
    a2, b2, c2, d2, _, _ = second
    return (
        a * a2 + b * c2, a * b2 + b * d2, c * a2 + d * c2, c * b2 + d * d2, origin[0], origin[1],
    )  # fmt: skip


def _placed(point: Point, matrix: Matrix) -> Point:
    a, b, c, d, e, f = matrix
    x, y = point
    return a * x + c * y + e, b * x + d * y + f


def _box_of(points: list[Point]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Box(min(xs), min(ys), max(xs), max(ys))


def _is_thin(box: Box) -> bool:
    return min(box.right - box.left, box.top - box.bottom) <= _THIN


def joined_rules(rules: list[Rule]) -> list[Rule]:
    """Join the pieces of each line; leave out short ones."""
    lines: list[list[Rule]] = []
    for rule in sorted(rules):
        if lines and rule.at - lines[-1][0].at <= _SAME_LINE:
            lines[-1].append(rule)
        else:
            lines.append([rule])
    return [rule for line in lines for rule in _pieces(line) if rule.length >= _MIN_LENGTH]


def _pieces(line: list[Rule]) -> list[Rule]:
    joined: list[Rule] = []
    for rule in sorted(line, key=lambda rule: rule.low):
        if joined and rule.low <= joined[-1].high + _MAX_GAP:
            last = joined[-1]
            joined[-1] = Rule(last.at, last.low, max(last.high, rule.high))
        else:
            joined.append(rule)
    return joined
