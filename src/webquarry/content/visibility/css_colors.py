"""CSS colours, as far as needed to compare a text with its background."""

import re
from functools import lru_cache
from typing import Any, cast

from tinycss2 import color5

Colour = tuple[int, int, int]

WHITE: Colour = (255, 255, 255)
_HEX = re.compile(r"#([0-9a-f]{3,8})\b")
_FUNCTION = re.compile(
    r"\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|light-dark)\([^()]{0,100}\)"
)
_MAX_DIFFERENCE = 10  # per channel: people see such colours as one
_MAX_ALPHA = 0.05  # text with less is invisible
_MAX_COLOUR = 300  # characters
_PERCEPTUAL = frozenset(("lab", "lch", "oklab", "oklch"))
_NOT_PLAIN = ("url(", "gradient", "image", "var(")


def parse_colour(value: str) -> Colour | None:
    """Return a plain colour that is not transparent, None for anything else."""
    colour = _parsed(value.strip().lower()) if len(value) <= _MAX_COLOUR else None
    return colour[0] if colour and colour[1] > 0 else None


def is_transparent(value: str) -> bool:
    """Tell whether text in this colour is invisible on any background."""
    lower = value.strip().lower()
    if lower == "transparent":
        return True
    colour = _parsed(lower) if len(lower) <= _MAX_COLOUR else None
    return colour is not None and colour[1] <= _MAX_ALPHA


def is_indistinguishable(one: Colour, other: Colour) -> bool:
    """Tell whether people see the two colours as one."""
    return all(abs(a - b) <= _MAX_DIFFERENCE for a, b in zip(one, other, strict=True))


@lru_cache(maxsize=2048)
def _parsed(value: str) -> tuple[Colour, float] | None:
    """Return the first colour in a value such as that of `background`, with its alpha."""
    if any(word in value for word in _NOT_PLAIN):
        return None
    if "color-mix" in value:
        return _mixed(value)
    match = _HEX.search(value) or _FUNCTION.search(value)
    words = [match[0]] if match else value.split()
    return next(filter(None, map(_from_library, words)), None)


def _mixed(value: str) -> tuple[Colour, float] | None:
    """Return a mix of one colour with nothing of another; others are not plain."""
    _, *shares = value.partition("color-mix(")[2].rpartition(")")[0].split(",")
    if len(shares) != 2:
        return None
    first, second = (share.split() for share in shares)
    is_one = first[1:] == ["100%"] or second[1:] == ["0%"]
    return _parsed(first[0]) if is_one and first else None


def _from_library(text: str) -> tuple[Colour, float] | None:
    parse = cast("Any", color5).parse_color
    try:
        colour: Any = parse(text)
        if colour is None or isinstance(colour, str):  # currentcolor
            return None
        alpha = float(colour.alpha)
        if colour.space in _PERCEPTUAL:
            return _grey(colour.space, [part or 0.0 for part in colour.coordinates], alpha)
        red, green, blue = colour.to("srgb").coordinates
    except (ValueError, NotImplementedError, TypeError, AttributeError, ZeroDivisionError):
        return None
    return (_channel(red), _channel(green), _channel(blue)), alpha


def _grey(space: str, coordinates: list[float], alpha: float) -> tuple[Colour, float] | None:
    """Return a grey of a perceptual colour space; others would need a conversion."""
    lightness, *chroma = coordinates
    is_polar = space.endswith("lch")
    if abs(chroma[0]) > 0.01 or (not is_polar and abs(chroma[1]) > 0.01):
        return None
    linear = lightness**3 if space.startswith("ok") else ((lightness + 16) / 116) ** 3
    channel = _channel(1.055 * linear ** (1 / 2.4) - 0.055 if linear > 0.0031 else 12.92 * linear)
    return (channel, channel, channel), alpha


def _channel(share: float | None) -> int:
    return max(0, min(255, round((share or 0.0) * 255)))
