"""CSS colours, as far as needed to compare a text with its background."""

import re

Colour = tuple[int, int, int]

WHITE: Colour = (255, 255, 255)
_NAMES: dict[str, Colour] = {
    "white": WHITE,
    "black": (0, 0, 0),
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255),
    "whitesmoke": (245, 245, 245),
    "red": (255, 0, 0),
    "green": (0, 128, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "gray": (128, 128, 128),
    "grey": (128, 128, 128),
    "silver": (192, 192, 192),
    "lightgray": (211, 211, 211),
    "lightgrey": (211, 211, 211),
    "navy": (0, 0, 128),
    "orange": (255, 165, 0),
    "purple": (128, 0, 128),
}
_HEX = re.compile(r"#([0-9a-f]{3,8})\b")
_FUNCTION = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+([\d.]+)(%?))?\s*\)")
_MAX_DIFFERENCE = 10  # per channel: people see such colours as one
_NOT_PLAIN = ("url(", "gradient", "image", "var(")


def parse_colour(value: str) -> Colour | None:
    """Return a plain opaque colour, None for anything else."""
    lower = value.strip().lower()
    if any(word in lower for word in _NOT_PLAIN):
        return None
    for word in lower.split():
        if word in _NAMES:
            return _NAMES[word]
    return _from_hex(lower) or _from_function(lower)


def is_transparent(value: str) -> bool:
    """Tell whether text in this colour is invisible on any background."""
    lower = value.strip().lower()
    match = _FUNCTION.fullmatch(lower)
    return _has_zero_alpha(match) if match else lower == "transparent"


def is_indistinguishable(one: Colour, other: Colour) -> bool:
    """Tell whether people see the two colours as one."""
    return all(abs(a - b) <= _MAX_DIFFERENCE for a, b in zip(one, other, strict=True))


def _from_hex(value: str) -> Colour | None:
    match = _HEX.search(value)
    if match is None or len(match[1]) not in (3, 6):
        return None
    digits = match[1] if len(match[1]) == 6 else "".join(digit * 2 for digit in match[1])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def _from_function(value: str) -> Colour | None:
    match = _FUNCTION.search(value)
    if match is None or _has_zero_alpha(match):
        return None
    return min(int(match[1]), 255), min(int(match[2]), 255), min(int(match[3]), 255)


def _has_zero_alpha(match: re.Match[str]) -> bool:
    alpha = match[4] or "1"
    # not float(): a page may write "." or "0.0.0"
    return "0" in alpha and not alpha.strip("0.") and alpha.count(".") < 2
