"""Where shapes are on a slide: those beside it are never seen."""

import re
from typing import NamedTuple

from webquarry.content.html.dom import Element
from webquarry.reading.documents.zip_archive import attribute, child, local_name

_NUMBER = re.compile(r"-?\d{1,12}")


class SlideSize(NamedTuple):
    """Width and height of the slides."""

    width: int
    height: int


class ShapeFrame(NamedTuple):
    """Where a shape is on its slide."""

    left: int
    top: int
    width: int
    height: int

    def overlaps(self, other: "ShapeFrame") -> bool:
        """Return whether the two have an area in common."""
        return (
            self.left < other.left + other.width
            and other.left < self.left + self.width
            and self.top < other.top + other.height
            and other.top < self.top + self.height
        )


def slide_size(presentation: Element) -> SlideSize | None:
    """Return the size of the slides; None if the file does not say."""
    numbers = _numbers(child(presentation, "sldSz"), "cx", "cy")
    return SlideSize(*numbers) if numbers else None


def is_beside_slide(shape: Element, size: SlideSize) -> bool:
    """Return whether no part of a shape is on the slide."""
    frame = shape_frame(shape)
    if frame is None:
        return False  # the place comes from the layout
    return _is_outside(frame.left, frame.width, size.width) or _is_outside(
        frame.top, frame.height, size.height
    )


def _is_outside(start: int, length: int, limit: int) -> bool:
    return start >= limit or start + max(length, 1) <= 0


def shape_frame(shape: Element) -> ShapeFrame | None:
    """Return where a shape is; None if the layout decides."""
    transform = _transform(shape)
    start = _numbers(child(transform, "off"), "x", "y")
    length = _numbers(child(transform, "ext"), "cx", "cy")
    return ShapeFrame(*start, *length) if start and length else None


def _transform(shape: Element) -> Element | None:
    """Return the position of a shape, a group or a table."""
    own = child(shape, "xfrm")
    holders = (part for part in shape if local_name(part) in ("spPr", "grpSpPr"))
    return child(next(holders, None), "xfrm") if own is None else own


def _numbers(element: Element | None, *names: str) -> list[int]:
    """Return the attributes as integers; an empty list if one is missing."""
    values = [] if element is None else [attribute(element, name) for name in names]
    return list(map(int, values)) if all(map(_NUMBER.fullmatch, values)) else []
