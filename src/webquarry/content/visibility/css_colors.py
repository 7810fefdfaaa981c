"""CSS colours, far enough to tell whether text can be told from what is behind it."""

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
_NEAR = 10  # closer than this in every channel, an eye sees one colour
_NO_PLAIN = ("url(", "gradient", "image", "var(")


def colour_of(value: str) -> Colour | None:
    """Return a plain opaque colour, None for anything else."""
    low = value.strip().lower()
    if any(word in low for word in _NO_PLAIN):
        return None
    for word in low.split():
        if word in _NAMES:
            return _NAMES[word]
    return _from_hex(low) or _from_function(low)


def is_see_through(value: str) -> bool:
    """Tell whether text in this colour cannot be seen on any ground."""
    low = value.strip().lower()
    found = _FUNCTION.fullmatch(low)
    if found and found[4]:
        return float(found[4] if found[4].count(".") < 2 else 1) == 0
    return low == "transparent"


def looks_same(one: Colour, other: Colour) -> bool:
    """Tell whether an eye cannot tell the two colours apart."""
    return all(abs(a - b) <= _NEAR for a, b in zip(one, other, strict=True))


def _from_hex(value: str) -> Colour | None:
    found = _HEX.search(value)
    if found is None or len(found[1]) not in (3, 6):
        return None
    digits = found[1] if len(found[1]) == 6 else "".join(digit * 2 for digit in found[1])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def _from_function(value: str) -> Colour | None:
    found = _FUNCTION.search(value)
    if found is None or (found[4] and float(found[4] if found[4].count(".") < 2 else 1) == 0):
        return None
    return min(int(found[1]), 255), min(int(found[2]), 255), min(int(found[3]), 255)
