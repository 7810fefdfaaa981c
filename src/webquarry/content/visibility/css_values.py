"""Numbers and lengths of CSS, with arithmetic, and values that browsers would ignore."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

import tinycss2

from webquarry.content.visibility.media_queries import is_display

_NUMBER = re.compile(r"([+-]?(?:\d{1,12}(?:\.\d{0,12})?|\.\d{1,12})(?:e[+-]?\d{1,3})?)(%|[a-z]*)")
_FUNCTION = re.compile(r"(?<![a-z0-9-])([a-z0-9-]{1,30})\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_PIXELS = {
    "": 1.0, "px": 1.0, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "pt": 1.333, "pc": 16.0,
    "in": 96.0, "cm": 37.8, "mm": 3.78, "q": 0.945, "vw": 13.66, "vh": 7.68, "vmin": 7.68,
    "vmax": 13.66, "dvw": 13.66, "dvh": 7.68, "svw": 13.66, "svh": 7.68, "lvw": 13.66, "lvh": 7.68,
    "lh": 20.0, "rlh": 20.0, "cqw": 13.66, "vi": 13.66, "vb": 7.68,
}  # fmt: skip
_PERCENT = 8.0  # pixels: a box of 800 pixels
_MAX_DEPTH = 6
_MAX_TOKENS = 60
_VISIBILITIES = frozenset(("visible", "hidden", "collapse"))
_POSITIONS = frozenset(("static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky"))
_GLOBAL = frozenset(("inherit", "initial", "unset", "revert", "revert-layer"))


def pixels(value: str | None, *, percent: float = _PERCENT) -> float | None:
    """Return a length in pixels; None for anything else. `percent` is the size of 1 %."""
    if not value:
        return None
    match = _NUMBER.fullmatch(value)
    if match:
        return _scaled(float(match[1]), match[2], percent)
    return _calculated(value, percent) if "(" in value else None


def number(value: str | None) -> float | None:
    """Return a number or a percentage as a fraction; None for anything else."""
    match = _NUMBER.fullmatch(value or "")
    if match and match[2] in ("", "%"):
        return float(match[1]) / (100 if match[2] else 1)
    return _calculated(value, 0.01) if value and "(" in value else None


def functions_of(value: str | None) -> list[tuple[str, str]]:
    """Return the functions in a value such as that of `transform`, with their arguments."""
    return _FUNCTION.findall(value) if value and "(" in value else []


def is_valid(name: str, value: str) -> bool:
    """Tell whether a browser would accept the value, for the properties where it matters most."""
    check = _CHECKS.get(name)
    return check is None or "var(" in value or value in _GLOBAL or check(value)


def _scaled(amount: float, unit: str, percent: float) -> float | None:
    if unit == "%":
        return amount * percent
    return amount * _PIXELS[unit] if unit in _PIXELS else None


@lru_cache(maxsize=1024)
def _calculated(value: str, percent: float) -> float | None:
    """Return the result of calc(), min(), max() or clamp()."""
    nodes: list[Any] = cast("Any", tinycss2).parse_component_value_list(value, skip_comments=True)
    parts = [node for node in nodes if node.type != "whitespace"]
    if len(parts) != 1 or parts[0].type != "function":
        return None
    return _function(parts[0], percent, 0)


def _function(node: Any, percent: float, depth: int) -> float | None:
    groups: list[list[Any]] = [[]]
    for part in node.arguments[:_MAX_TOKENS]:
        if part.type == "literal" and part.value == ",":
            groups.append([])
        elif part.type != "whitespace":
            groups[-1].append(part)
    values = [_sum(group, percent, depth + 1) for group in groups]
    known = [value for value in values if value is not None]
    combine = _FUNCTIONS.get(node.lower_name)
    if combine is None or len(known) != len(values):
        return None
    return combine(known)


def _clamp(values: list[float]) -> float | None:
    return max(values[0], min(values[1], values[2])) if len(values) == 3 else None


def _sum(nodes: list[Any], percent: float, depth: int) -> float | None:
    """Return the value of an expression; signs of numbers are part of their tokens."""
    total, sign = 0.0, 1.0
    term: float | None = None
    operator = ""
    for node in nodes:
        if node.type == "literal":
            if node.value in "+-":
                total, term = total + sign * (term or 0.0), None
                sign = -1.0 if node.value == "-" else 1.0
            operator = node.value
            continue
        value = _operand(node, percent, depth)
        if value is None or (operator == "/" and not value):
            return None
        term = _applied(operator, term or 0.0, value)
    return total + sign * (term or 0.0)


def _applied(operator: str, term: float, value: float) -> float:
    if operator == "*":
        return term * value
    return term / value if operator == "/" else value


def _operand(node: Any, percent: float, depth: int) -> float | None:
    if node.type == "number":
        return float(node.value)
    if node.type == "dimension":
        return _scaled(float(node.value), node.lower_unit, percent)
    if node.type == "percentage":
        return float(node.value) * percent
    if depth > _MAX_DEPTH:
        return None
    if node.type == "() block":
        inner = [part for part in node.content[:_MAX_TOKENS] if part.type != "whitespace"]
        return _sum(inner, percent, depth + 1)
    return _function(node, percent, depth) if node.type == "function" else None


_FUNCTIONS: dict[str, Callable[[list[float]], float | None]] = {
    "calc": lambda values: values[0] if len(values) == 1 else None,
    "-webkit-calc": lambda values: values[0] if len(values) == 1 else None,
    "min": min,
    "max": max,
    "clamp": _clamp,
}
_CHECKS: dict[str, Callable[[str], bool]] = {
    "display": is_display,
    "visibility": _VISIBILITIES.__contains__,
    "position": _POSITIONS.__contains__,
    "opacity": lambda value: number(value) is not None,
}
