"""Evaluates media queries and feature queries for an ordinary computer."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

_MAX_CONDITION = 500  # characters
# the window of the browser tier, a mouse, no preferences
_WIDTH, _HEIGHT = 1366.0, 768.0
_LENGTHS = {"width": _WIDTH, "height": _HEIGHT, "device-width": _WIDTH, "device-height": _HEIGHT}
_KEYWORDS = {
    "orientation": "landscape", "hover": "hover", "any-hover": "hover", "pointer": "fine",
    "any-pointer": "fine", "prefers-color-scheme": "light", "scripting": "enabled",
    "prefers-reduced-motion": "no-preference", "prefers-contrast": "no-preference",
    "prefers-reduced-transparency": "no-preference", "forced-colors": "none", "update": "fast",
    "display-mode": "browser", "inverted-colors": "none", "overflow-block": "scroll",
    "color-gamut": "srgb", "dynamic-range": "standard", "prefers-reduced-data": "no-preference",
}  # fmt: skip
_OFF = frozenset(("none", "no-preference"))
_NUMBERS = {"color": 8.0, "monochrome": 0.0, "grid": 0.0, "resolution": 1.0, "aspect-ratio": 1.78}
_UNITS = {
    "px": 1.0,
    "em": 16.0,
    "rem": 16.0,
    "": 1.0,
    "dppx": 1.0,
    "x": 1.0,
    "dpi": 1 / 96,
    "cm": 37.8,
    "in": 96.0,
    "pt": 1.333,
}
_VALUE = re.compile(r"(-?\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})([a-z]*)(?:\s*/\s*(\d{1,6}))?")
_COMPARISON = re.compile(r"(<=|>=|<|>|=)")
_MAX_DEPTH = 8
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": lambda one, other: one < other,
    ">": lambda one, other: one > other,
    "<=": lambda one, other: one <= other,
    ">=": lambda one, other: one >= other,
    "=": lambda one, other: one == other,
}
_DISPLAYS = re.compile(
    r"(?:inline-|table-|ruby-)?(?:none|block|inline|flex|grid|table|list-item|contents|flow-root|flow"
    r"|ruby|cell|row|group|caption|column|row-group|header-group|footer-group|column-group|base|text)"
    r"|-webkit-(?:inline-)?(?:box|flex)|-ms-(?:inline-)?(?:flexbox|grid)|math|inherit|initial|unset"
    r"|revert|revert-layer|run-in"
)


def is_display(value: str) -> bool:
    """Tell whether this is a valid value of `display`."""
    return all(_DISPLAYS.fullmatch(word) for word in value.split()) or "(" in value


@lru_cache(maxsize=512)
def media_applies(query: str) -> bool:
    """Tell whether rules for these media apply."""
    text = query.strip().lower()
    if len(text) > _MAX_CONDITION:
        return False
    return not text or any(_query_applies(part.strip()) for part in text.split(","))


@lru_cache(maxsize=256)
def supports_applies(condition: str) -> bool:
    """Tell whether a browser of today supports these features."""
    text = condition.strip().lower()
    return len(text) <= _MAX_CONDITION and _holds(text, _is_supported)


def _query_applies(query: str) -> bool:
    words = query.split(None, 1)
    negated = bool(words) and words[0] == "not" and not query.startswith(("not(", "not ("))
    if words and words[0] in ("not", "only") and len(words) > 1 and not words[1].startswith("("):
        query = words[1]
    kind, _, rest = query.partition(" and ")
    if not kind.startswith("(") and kind.split("(")[0].strip() not in ("not", ""):
        is_screen = kind.strip() in ("all", "screen")
        applies = is_screen and (not rest or _holds(rest, _has_feature))
        return applies is not negated
    return _holds(query, _has_feature)


def _holds(text: str, test: Callable[[str], bool], depth: int = 0) -> bool:
    """Evaluate features in parentheses, joined by `and`, `or` and `not`."""
    result, joined_by_or, negated = True, False, False
    for part in _parts(text):
        if part == "not":
            negated = True
        elif part in ("and", "or"):
            joined_by_or = part == "or"
        else:
            inner = part.removeprefix("(").removesuffix(")").strip()
            is_group = "(" in inner and inner.startswith(("(", "not")) and depth < _MAX_DEPTH
            value = _holds(inner, test, depth + 1) if is_group else test(inner)
            value = value is not negated
            result = result or value if joined_by_or else result and value
            negated = False
    return result


def _parts(text: str) -> Iterator[str]:
    """Yield the words and the parts in parentheses."""
    depth = start = 0
    for position, char in enumerate(f"{text} "):
        if depth == 0 and (char.isspace() or char == "(") and position > start:
            word = text[start:position]
            if char != "(" or word in ("not", "and", "or"):
                yield word
                start = position
        if depth == 0 and char.isspace():
            start = position + 1
        depth += (char == "(") - (char == ")")
        if char == ")" and depth == 0:
            yield text[start : position + 1]
            start = position + 1


def _is_supported(feature: str) -> bool:
    name, _, value = feature.partition(":")
    return name.strip() != "display" or is_display(value.strip())


def _has_feature(feature: str) -> bool:
    """Tell whether the computer has a feature: `hover`, `min-width: 9em`, `400px <= width`."""
    if _COMPARISON.search(feature):
        return _compares(_COMPARISON.split(feature))
    name, colon, value = (part.strip() for part in feature.partition(":"))
    prefix = name[:4] if name.startswith(("min-", "max-")) else ""
    actual = _LENGTHS.get(name.removeprefix(prefix), _NUMBERS.get(name.removeprefix(prefix)))
    if name in _KEYWORDS:
        return _KEYWORDS[name] == value if colon else _KEYWORDS[name] not in _OFF
    if actual is None:
        return False
    if not colon:
        return actual > 0
    number = _number(value)
    compare = _COMPARE[{"min-": ">=", "max-": "<="}.get(prefix, "=")]
    return number is not None and compare(actual, number)


def _compares(parts: list[str]) -> bool:
    """Evaluate `width >= 400px` and `400px <= width <= 700px`."""
    operands = [_operand(part.strip()) for part in parts[::2]]
    pairs = zip(operands, parts[1::2], operands[1:], strict=False)
    return all(
        one is not None and other is not None and _COMPARE[sign](one, other)
        for one, sign, other in pairs
    )


def _operand(text: str) -> float | None:
    return _LENGTHS.get(text, _NUMBERS.get(text, _number(text)))


def _number(text: str) -> float | None:
    match = _VALUE.fullmatch(text)
    if match is None or match[2] not in _UNITS:
        return None
    return float(match[1]) * _UNITS[match[2]] / float(match[3] or 1)
