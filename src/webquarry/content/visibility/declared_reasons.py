"""Why CSS declarations make an element invisible: not drawn, zero size, clipped, off screen."""

import re

from webquarry.content.html.dom import Element

_NUMBER = re.compile(r"(-?\d*\.?\d+)\s*(px|em|rem|pt|%|vw|vh|in|cm|)")
_CLIPPED_AWAY = re.compile(
    r"rect\(\s*(?:[01](?:px)?[\s,]*){4}\)|inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0(?:px)?\s+0"
    r"(?:px)?\s*,\s*0(?:px)?\s+0"
)
_SCALED_TO_ZERO = re.compile(r"scale[xy]?\(\s*0(?:\.0+)?\s*[,)]")
_MOVED_AWAY = re.compile(r"translate(?:3d|x|y)?\(\s*-(\d+)(px|%|vw|vh|em)")
_PIXELS = {"em": 16.0, "rem": 16.0, "pt": 1.33, "vw": 12.0, "vh": 8.0, "%": 8.0, "in": 96.0}
_OFF_SCREEN = 500  # pixels left of or above the page
_ANIMATION_ATTRIBUTES = (
    "data-w-id",
    "data-aos",
    "data-animation",
    "data-framer-appear-id",
    "data-scroll",
)


def declared_reason(element: Element, declared: dict[str, str]) -> str | None:
    """Return why an element with these declarations is invisible, colours aside."""
    return (
        _not_drawn_reason(element, declared)
        or _size_reason(declared)
        or _off_screen_reason(declared)
    )


def _not_drawn_reason(element: Element, declared: dict[str, str]) -> str | None:
    if declared.get("display") == "none":
        return "display: none"
    if declared.get("visibility") in ("hidden", "collapse"):
        return "visibility: hidden"
    if _first_number(declared.get("opacity")) == 0 and not _is_animated(element, declared):
        return "opacity: 0"
    return None


def _is_animated(element: Element, declared: dict[str, str]) -> bool:
    """Tell whether the element fades in, for example when scrolled to."""
    moving = any(name.startswith(("transform", "transition", "animation")) for name in declared)
    return moving or any(element.get(name) is not None for name in _ANIMATION_ATTRIBUTES)


def _size_reason(declared: dict[str, str]) -> str | None:
    font_size = declared.get("font-size", "")
    size = _first_number(font_size)
    if size is not None and size < 2 and "%" not in font_size:
        return "zero size" if size < 0.1 or "px" in font_size else None
    if _is_flat(declared) or _SCALED_TO_ZERO.search(declared.get("transform", "")):
        return "zero size"
    clip = f"{declared.get('clip', '')} {declared.get('clip-path', '')}"
    return "clipped away" if _CLIPPED_AWAY.search(clip) else None


def _is_flat(declared: dict[str, str]) -> bool:
    """Tell whether the element has no height and cuts off what overflows."""
    if "hidden" not in declared.get("overflow", "") + declared.get("overflow-y", ""):
        return False
    if any(name.startswith(("flex", "min-", "transition")) for name in declared):
        return False  # other properties decide its size
    return any(_is_tiny_length(declared.get(name)) for name in ("height", "max-height"))


def _is_tiny_length(value: str | None) -> bool:
    number = _first_number(value)
    return number is not None and number <= 1 and "%" not in (value or "")


def _off_screen_reason(declared: dict[str, str]) -> str | None:
    names = ["text-indent", "margin-left", "margin-top"]
    if declared.get("position") in ("absolute", "fixed"):
        names += ["left", "top", "right", "bottom"]
    if any(_pixels(declared.get(name)) <= -_OFF_SCREEN for name in names):
        return "off screen"
    moved = _MOVED_AWAY.search(declared.get("transform", ""))
    if moved and float(moved[1]) * _PIXELS.get(moved[2], 1) >= 2 * _OFF_SCREEN:
        return "off screen"
    return None


def _first_number(value: str | None) -> float | None:
    match = _NUMBER.match(value or "")
    return float(match[1]) if match else None


def _pixels(value: str | None) -> float:
    match = _NUMBER.match(value or "")
    return float(match[1]) * _PIXELS.get(match[2], 1.0) if match else 0.0
