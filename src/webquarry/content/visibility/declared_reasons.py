"""Why CSS declarations make an element invisible: not drawn, zero size, clipped."""

import re
from collections.abc import Callable
from typing import TypeGuard

from webquarry.content.html.dom import Element
from webquarry.content.visibility.css_values import functions_of, number, pixels
from webquarry.content.visibility.off_screen import (
    PLACED,
    Declared,
    is_moved_outside,
    off_screen_reason,
)

_LENGTHS = re.compile(r"[\s,]+")
_MIN_OPACITY = 0.02
_OVERFLOWS = ("overflow", "overflow-x", "overflow-y")
_MIN_SCALE = 0.05
_EDGE_ON = (90.0, 270.0, -90.0)
_ANIMATION_ATTRIBUTES = (
    "data-w-id",
    "data-aos",
    "data-animation",
    "data-framer-appear-id",
    "data-scroll",
)
# classes that name a part which appears, for example "js-reveal" or "show_x1"
_APPEARS = re.compile(r"(?:^|[\s_-])(?:show|reveal|appear|animat|fade-?in)", re.IGNORECASE)


def declared_reason(element: Element, declared: Declared) -> str | None:
    """Return why an element with these declarations is invisible, colours aside."""
    for reason_of in (_not_drawn_reason, _size_reason, _clip_reason, off_screen_reason):
        reason = reason_of(element, declared)
        if reason:
            return reason
    return None


def hides_by_shape(declared: Declared) -> bool:
    """Tell whether a transformation or a clip path alone makes an element invisible."""
    if _is_shrunk(declared) or is_moved_outside(declared):
        return True
    return "clip-path" in declared and _is_clipped_by_path(declared)


def _not_drawn_reason(element: Element, declared: Declared) -> str | None:
    if declared.get("display") == "none":
        return "display: none"
    if declared.get("visibility") in ("hidden", "collapse"):
        return "visibility: hidden"
    if declared.get("content-visibility") == "hidden":
        return "content-visibility: hidden"
    if _is_faded_out(declared) and not _is_animated(element, declared):
        return "opacity: 0"
    mask = declared.get("mask-image") or declared.get("mask", "")
    if "gradient(" in mask and not re.search(r"#(?!0+\b)|rgb|hsl|black|white|red", mask):
        return "masked"
    return None


def _is_faded_out(declared: Declared) -> bool:
    opacity = number(declared.get("opacity"))
    if opacity is not None and opacity < _MIN_OPACITY:
        return True
    filters = dict(functions_of(declared.get("filter")))
    faded = number(filters.get("opacity"))
    return faded is not None and faded < _MIN_OPACITY


def _is_animated(element: Element, declared: Declared) -> bool:
    """Tell whether the element fades in, for example when scrolled to."""
    moves = any(name.startswith(("transform", "animation", "will-change")) for name in declared)
    transition = declared.get("transition", "") + declared.get("transition-property", "")
    fades = bool(transition) and _may_fade(transition)
    appears = _APPEARS.search(element.get("class", "")) is not None
    marked = any(element.get(name) is not None for name in _ANIMATION_ATTRIBUTES)
    return moves or fades or appears or marked


def _may_fade(transition: str) -> bool:
    first = transition.split(None, 1)[0]
    return "opacity" in transition or "all" in transition or not first[:1].isalpha()


def _size_reason(_: Element, declared: Declared) -> str | None:
    font_size = declared.get("font-size", "")
    size = pixels(font_size, percent=0.16)
    if size is not None and size < 2 and not (font_size.endswith("em") and size > 0.4):
        return "zero size"
    if _is_flat(declared) or _is_shrunk(declared):
        return "zero size"
    zoom = number(declared.get("zoom"))
    return "zero size" if zoom is not None and 0 < zoom < _MIN_SCALE else None


def _is_flat(declared: Declared) -> bool:
    """Tell whether the element leaves no room for text and cuts off what overflows."""
    if _has_other_size(declared):
        return False
    if not _cuts_off(declared):
        return _scrolls(declared) and _is_tiny(declared, "height") and _is_tiny(declared, "width")
    if pixels(declared.get("line-height"), percent=0.16) == 0:
        return True
    return _is_tiny(declared, "height") or _is_narrow(declared)


def _has_other_size(declared: Declared) -> bool:
    """Tell whether other properties decide its size."""
    return any(name.startswith(("flex", "min-", "transition")) for name in declared)


def _is_narrow(declared: Declared) -> bool:
    return _is_tiny(declared, "width") and declared.get("display") != "table-cell"


def _overflow(declared: Declared) -> str:
    return " ".join(declared.get(name, "") for name in _OVERFLOWS)


def _cuts_off(declared: Declared) -> bool:
    overflow = _overflow(declared)
    return "hidden" in overflow or "clip" in overflow


def _scrolls(declared: Declared) -> bool:
    overflow = _overflow(declared)
    return "auto" in overflow or "scroll" in overflow


def _is_tiny(declared: Declared, name: str) -> bool:
    return any(_is_tiny_length(declared.get(full)) for full in (name, f"max-{name}"))


def _is_tiny_length(value: str | None) -> bool:
    length = pixels(value)
    return length is not None and length <= 1 and "%" not in (value or "")


def _is_shrunk(declared: Declared) -> bool:
    """Tell whether a transformation leaves nothing of the element to see."""
    if _is_scaled_down(declared.get("scale", "")) or _is_turned(declared.get("rotate", "")):
        return True
    transforms = functions_of(declared.get("transform"))
    return any(_SHRINKING[name](inside) for name, inside in transforms if name in _SHRINKING)


def _is_scaled_down(scale: str) -> bool:
    return _scales_to_nothing(",".join(scale.split()))


def _is_turned(rotation: str) -> bool:
    axis, _, angle = rotation.partition(" ")
    return axis in ("x", "y") and _is_edge_on(angle)


def _scales_to_nothing(inside: str) -> bool:
    factors = [number(part.strip()) for part in inside.split(",")[:2]]
    return any(factor is not None and abs(factor) < _MIN_SCALE for factor in factors)


def _is_flat_matrix(inside: str) -> bool:
    cells = [number(part.strip()) for part in inside.split(",")]
    if len(cells) != 6 or None in cells[:4]:
        return False
    a, b, c, d = (cell or 0.0 for cell in cells[:4])
    return abs(a * d - b * c) < _MIN_SCALE**2


def _is_edge_on(inside: str) -> bool:
    return _degrees(inside.strip()) in _EDGE_ON


def _degrees(angle: str) -> float | None:
    for unit, factor in (("deg", 1.0), ("turn", 360.0), ("grad", 0.9)):
        if angle.endswith(unit):
            amount = number(angle.removesuffix(unit))
            return None if amount is None else amount * factor
    return None


_SHRINKING: dict[str, Callable[[str], bool]] = {
    "scale": _scales_to_nothing,
    "scalex": _scales_to_nothing,
    "scaley": _scales_to_nothing,
    "scale3d": _scales_to_nothing,
    "matrix": _is_flat_matrix,
    "rotatex": _is_edge_on,
    "rotatey": _is_edge_on,
}


def _clip_reason(_: Element, declared: Declared) -> str | None:
    is_clipped = _is_clipped_by_rect(declared) or _is_clipped_by_path(declared)
    return "clipped away" if is_clipped else None


def _is_clipped_by_rect(declared: Declared) -> bool:
    clips = dict(functions_of(declared.get("clip")))
    if "rect" not in clips or declared.get("position") not in PLACED:
        return False
    edges = list(filter(_is_known, map(pixels, _LENGTHS.split(clips["rect"].strip()))))
    return len(edges) == 4 and _is_empty_box(*edges)


def _is_known(length: float | None) -> TypeGuard[float]:
    return length is not None


def _is_empty_box(top: float, right: float, bottom: float, left: float) -> bool:
    return right - left <= 1 or bottom - top <= 1


def _is_clipped_by_path(declared: Declared) -> bool:
    paths = functions_of(declared.get("clip-path"))
    return any(_CLIPS[name](inside) for name, inside in paths if name in _CLIPS)


def _insets_all(inside: str) -> bool:
    parts = inside.partition(" round ")[0].split()
    percents = [number(part) if part.endswith("%") else None for part in parts]
    top = percents[0] if percents else None
    if top is None:
        return False
    bottom = percents[2] if len(percents) > 2 else top
    return top + (bottom or 0.0) >= 1


def _has_no_radius(inside: str) -> bool:
    radius = inside.partition(" at ")[0].split()
    return bool(radius) and any(pixels(part) == 0 for part in radius)


def _has_one_point(inside: str) -> bool:
    return len({" ".join(point.split()) for point in inside.split(",")}) == 1


_CLIPS: dict[str, Callable[[str], bool]] = {
    "inset": _insets_all,
    "circle": _has_no_radius,
    "ellipse": _has_no_radius,
    "polygon": _has_one_point,
}
