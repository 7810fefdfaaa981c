"""Elements that CSS declarations place, push or move out of the window."""

from collections.abc import Mapping

from webquarry.content.html.dom import Element
from webquarry.content.visibility.css_values import functions_of, pixels

PLACED = frozenset(("absolute", "fixed"))  # positions
_OFF_SCREEN = 500  # pixels left of or above the page
_FAR_RIGHT = 4000  # pixels: pages scroll to what is nearer, and slides wait there
_FAR_RIGHT_FIXED = 1600
Declared = Mapping[str, str]


def off_screen_reason(_: Element, declared: Declared) -> str | None:
    """Return why an element with these declarations is off screen."""
    is_off = (
        _is_placed_outside(declared) or _is_pushed_outside(declared) or is_moved_outside(declared)
    )
    return "off screen" if is_off else None


def _is_placed_outside(declared: Declared) -> bool:
    position = declared.get("position")
    if position == "relative":
        return _is_outside(_length(declared, "left"), _FAR_RIGHT) or _is_far_back(declared, "top")
    if position not in PLACED:
        return False
    if any(_is_far_back(declared, side) for side in ("left", "top", "right", "bottom")):
        return True
    if position == "absolute":
        return _length(declared, "left") >= _FAR_RIGHT
    is_below = _length(declared, "top") >= _FAR_RIGHT_FIXED / 2
    return is_below or _length(declared, "left") >= _FAR_RIGHT_FIXED


def _is_far_back(declared: Declared, name: str) -> bool:
    return _length(declared, name) <= -_OFF_SCREEN


def _is_outside(length: float, far: float) -> bool:
    return length <= -_OFF_SCREEN or length >= far


def _length(declared: Declared, name: str) -> float:
    return pixels(declared.get(name)) or 0.0


def _is_pushed_outside(declared: Declared) -> bool:
    if _is_far_back(declared, "margin-top") or _is_outside(
        _length(declared, "text-indent"), _FAR_RIGHT
    ):
        return True
    return _is_outside(_length(declared, "margin-left") + _offset(declared), _FAR_RIGHT)


def _offset(declared: Declared) -> float:
    """Return how far `left` moves the element to the right: half the window centres a wide one."""
    left = declared.get("left", "")
    is_share = left.endswith("%") and declared.get("position", "static") != "static"
    return max(0.0, pixels(left) or 0.0) if is_share else 0.0


def is_moved_outside(declared: Declared) -> bool:
    """Tell whether a translation moves the element far away."""
    moves = declared.get("translate", "").split()[:2]
    for name, inside in functions_of(declared.get("transform")):
        parts = [part.strip() for part in inside.split(",")]
        if name.startswith("translate"):
            moves += parts[:2]
        elif name == "matrix" and len(parts) == 6:
            moves += parts[4:]
    lengths = [pixels(move, percent=5.0) or 0.0 for move in moves]
    return any(length <= -2 * _OFF_SCREEN or length >= _FAR_RIGHT for length in lengths)
