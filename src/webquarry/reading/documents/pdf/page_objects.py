"""The objects of a PDF page in the order in which they are painted, from pdfium."""

import ctypes
import sys
from dataclasses import dataclass, field
from typing import Any, NamedTuple

_TEXT, _PATH, _IMAGE, _SHADING, _FORM = 1, 2, 3, 4, 5  # types of page objects
_MAX_OBJECTS = 20_000
_MAX_SHAPES = 100  # the largest are kept: comparing every word with all would take long
_MAX_DEPTH = 4
_MAX_SEGMENTS = 6  # of a rectangle
_MIN_WIDTH, _MIN_HEIGHT = 10.0, 5.0  # points; a smaller shape hides no text
_OPAQUE = 255
_SAME_COLOR = 4  # largest difference of a channel
_SCAN_SHARE = 0.6  # of the page; a larger image is a scan

Color = tuple[int, int, int]
Matrix = tuple[float, float, float, float, float, float]
WHITE: Color = (255, 255, 255)
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Box(NamedTuple):
    """A rectangle on the page; y grows upwards."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def area(self) -> float:
        """Its area in square points, 0 for an empty one."""
        return max(self.right - self.left, 0.0) * max(self.top - self.bottom, 0.0)

    def common(self, other: "Box") -> "Box":
        """Return what both have in common, which may be empty."""
        return Box(
            max(self.left, other.left), max(self.bottom, other.bottom),
            min(self.right, other.right), min(self.top, other.top),
        )  # fmt: skip

    def has_center_of(self, other: "Box") -> bool:
        """Return whether the center of the other is inside."""
        x, y = (other.left + other.right) / 2, (other.bottom + other.top) / 2
        return self.left <= x <= self.right and self.bottom <= y <= self.top


class Shape(NamedTuple):
    """A filled area or an image."""

    order: int
    box: Box
    color: Color | None  # None for images and gradients
    is_image: bool
    covers: bool  # it is an opaque rectangle or an image


class PlacedText(NamedTuple):
    """Where a text object is painted."""

    order: int
    matrix: Matrix  # from its coordinates to those of the page


class PaintedPath(NamedTuple):
    """A path that is filled or stroked."""

    pointer: Any
    box: Box
    matrix: Matrix
    filled: bool
    stroked: bool


@dataclass(slots=True)
class PageObjects:
    """The texts by the addresses of their objects, and the shapes."""

    page_box: Box
    texts: dict[int, PlacedText] = field(default_factory=dict[int, PlacedText])
    shapes: list[Shape] = field(default_factory=list[Shape])
    covers: list[Shape] = field(default_factory=list[Shape])  # last one first
    paths: list[PaintedPath] = field(default_factory=list[PaintedPath])
    is_scan: bool = False
    has_image: bool = False
    only_text: bool = True
    count: int = 0
    _colors: dict[Color, bool] = field(default_factory=dict[Color, bool])

    def may_be_background(self, color: Color) -> bool:
        """Return whether the paper or a shape has this color."""
        if color not in self._colors:
            colors = {WHITE, *(shape.color for shape in self.shapes if shape.color)}
            self._colors[color] = any(is_same_color(color, other) for other in colors)
        return self._colors[color]

    def background(self, order: int, box: Box) -> Color | None:
        """Return the color below the center of the box; None for an image or gradient."""
        for shape in reversed(self.shapes):
            if shape.order < order and shape.box.has_center_of(box):
                return shape.color
        return WHITE

    def is_covered(self, order: int, box: Box) -> bool:
        """Return whether a later shape may cover the center of the box."""
        x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
        for shape in self.covers:
            if shape.order < order:
                return False
            left, bottom, right, top = shape.box
            if left <= x <= right and bottom <= y <= top:
                return True
        return False


def is_same_color(color: Color, other: Color) -> bool:
    """Return whether nobody could tell the colors apart."""
    return all(abs(a - b) <= _SAME_COLOR for a, b in zip(color, other, strict=True))


def address(page_object: Any) -> int:
    """Return the address of an object, the same for every pointer to it."""
    # ctypes.cast makes reference cycles, which cost time to collect
    return int.from_bytes(page_object, sys.byteorder)


def read_objects(raw: Any, page: Any) -> PageObjects:
    """Return the objects of the page and of the forms on it."""
    objects = PageObjects(Box(*page.get_bbox()))
    reader = _ObjectReader(raw, objects)
    size = raw.FPDFPage_CountObjects(page.raw)
    reader.walk(page.raw, raw.FPDFPage_GetObject, size, _IDENTITY, 0)
    objects.shapes.sort(key=lambda shape: -shape.box.area)
    del objects.shapes[_MAX_SHAPES:]
    objects.shapes.sort(key=lambda shape: shape.order)
    images = [shape.box.common(objects.page_box).area for shape in objects.shapes if shape.is_image]
    least = _SCAN_SHARE * objects.page_box.area
    objects.is_scan = sum(images) > least  # perhaps in stripes
    # text under a scan was read in it
    hiding = (s for s in objects.shapes if s.covers and not (s.is_image and objects.is_scan))
    objects.covers = list(reversed(list(hiding)))
    return objects


class _ObjectReader:
    def __init__(self, raw: Any, objects: PageObjects) -> None:
        self._raw = raw
        self._objects = objects
        self._edges = [ctypes.c_float() for _ in range(4)]
        self._edge_pointers = [ctypes.byref(edge) for edge in self._edges]
        self._color = [ctypes.c_uint() for _ in range(4)]
        self._fill, self._stroke = ctypes.c_int(), ctypes.c_int()

    def walk(self, holder: Any, get: Any, size: int, matrix: Matrix, depth: int) -> None:
        """Collect the objects of a page or form."""
        objects, get_type = self._objects, self._raw.FPDFPageObj_GetType
        for index in range(min(size, _MAX_OBJECTS - objects.count)):
            objects.count += 1
            page_object = get(holder, index)
            kind = get_type(page_object)
            if kind == _TEXT:
                objects.texts[address(page_object)] = PlacedText(objects.count, matrix)
                continue
            objects.only_text = False
            objects.has_image = objects.has_image or kind in (_IMAGE, _FORM)
            if kind == _FORM:
                if depth < _MAX_DEPTH:
                    self._form(page_object, matrix, depth)
            elif kind in (_PATH, _IMAGE, _SHADING):
                self._shape(page_object, kind, matrix)

    def _form(self, form: Any, matrix: Matrix, depth: int) -> None:
        raw = self._raw
        own = raw.FS_MATRIX()
        inner = matrix
        if raw.FPDFPageObj_GetMatrix(form, ctypes.byref(own)):
            inner = _product((own.a, own.b, own.c, own.d, own.e, own.f), matrix)
        self.walk(form, raw.FPDFFormObj_GetObject, raw.FPDFFormObj_CountObjects(form), inner,
                  depth + 1)  # fmt: skip

    def _shape(self, page_object: Any, kind: int, matrix: Matrix) -> None:
        raw = self._raw
        if not raw.FPDFPageObj_GetBounds(page_object, *self._edge_pointers):
            return
        left, bottom, right, top = self._edges
        box = Box(left.value, bottom.value, right.value, top.value)
        if matrix is not _IDENTITY:
            box = transformed(box, matrix)
        if kind == _PATH and not self._is_filled(page_object, box, matrix):
            return  # only an outline
        if box.right - box.left < _MIN_WIDTH or box.top - box.bottom < _MIN_HEIGHT:
            return
        color, covers = None, kind == _IMAGE
        if kind == _PATH:
            if not raw.FPDFPageObj_GetFillColor(page_object, *map(ctypes.byref, self._color)):
                return
            color = (self._color[0].value, self._color[1].value, self._color[2].value)
            covers = self._is_opaque_rectangle(page_object)
        order = self._objects.count
        self._objects.shapes.append(Shape(order, box, color, kind == _IMAGE, covers))

    def _is_filled(self, path: Any, box: Box, matrix: Matrix) -> bool:
        """Return whether the path fills an area; keep it as well if it is a line."""
        fill, stroke = self._fill, self._stroke
        if not self._raw.FPDFPath_GetDrawMode(path, ctypes.byref(fill), ctypes.byref(stroke)):
            return False
        filled, stroked = bool(fill.value), bool(stroke.value)
        if filled or stroked:
            self._objects.paths.append(PaintedPath(path, box, matrix, filled, stroked))
        return filled

    def _is_opaque_rectangle(self, path: Any) -> bool:
        return (
            self._color[3].value == _OPAQUE
            and self._raw.FPDFPath_CountSegments(path) <= _MAX_SEGMENTS
            and not self._raw.FPDFPageObj_HasTransparency(path)
        )


def transformed(box: Box, matrix: Matrix) -> Box:
    """Return the box that holds the corners of the given one after the transformation."""
    if matrix is _IDENTITY:
        return box
    a, b, c, d, e, f = matrix
    corners = [
        (a * x + c * y + e, b * x + d * y + f)
        for x in (box.left, box.right)
        for y in (box.bottom, box.top)
    ]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))


def _product(first: Matrix, second: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    a2, b2, c2, d2, e2, f2 = second
    return (
        a * a2 + b * c2, a * b2 + b * d2, c * a2 + d * c2, c * b2 + d * d2,
        e * a2 + f * c2 + e2, e * b2 + f * d2 + f2,
    )  # fmt: skip
