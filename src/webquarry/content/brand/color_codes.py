"""Finds colors in text: #0A66C2, HEX 0A66C2, RGB 10 102 194."""

import re
from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from webquarry.content.visibility.css_colors import parse_colour

_HEX = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-z_])", re.IGNORECASE)
_BARE_HEX = re.compile(r"\bhex(?:adecimal)?(?: code| value)?[\s:=]*([0-9a-f]{6})\b", re.IGNORECASE)
_RGB = re.compile(
    r"\brgb[\s:=(]*(\d{1,3})[\s,/|.\u00b7-]+(\d{1,3})[\s,/|.\u00b7-]+(\d{1,3})\b\)?"
    r"|\bR\s*+(?:[:=]\s*+)?(\d{1,3})[\s,/|]*+G\s*+(?:[:=]\s*+)?(\d{1,3})"
    r"[\s,/|]*+B\s*+(?:[:=]\s*+)?(\d{1,3})\b",
    re.IGNORECASE,
)
_BACKGROUND = re.compile(r"(?:^|;)\s*background(?:-color)?\s*:\s*([^;]+)", re.IGNORECASE)
# color codes of all notations, and button texts beside them; the rest of the line is the name
_NOTATION = re.compile(
    r"#[0-9a-f]{3,8}\b|\bhex(?:adecimal)?(?: code| value)?\b[\s:=]*(?:[0-9a-f]{6}\b)?"
    r"|\brgba?\b[\s:=(]*+[\d\s,./|%\u00b7-]*+\)?"
    r"|\bR\s*+(?:[:=]\s*+)?\d++[\s,/|]*+G\s*+(?:[:=]\s*+)?\d++[\s,/|]*+B\s*+(?:[:=]\s*+)?\d+"
    r"|\bcmyk\b[\s:=(]*+[\d\s,./|%\u00b7-]*+\)?"
    r"|\bC\s*+\d++\s*+%?[\s,/|]*+M\s*+\d++\s*+%?[\s,/|]*+Y\s*+\d++\s*+%?[\s,/|]*+K\s*+\d+\s*%?"
    r"|\bhs[lvb]\b[\s:=(]*+[\d\s,./|%\u00b0-]*+\)?"
    r"|\b(?:pantone|pms)\b(?:[\s:=]++(?:\d*+\s*+[cu]?\b|\d++\b)?)?"
    r"|\bral\b\s*\d*|\bncs\b[\s\w-]*|\bcopy\b|\bcopied\b",
    re.IGNORECASE,
)  # fmt: skip
NOTATIONS = re.compile(r"\b(hex|rgb|cmyk|pantone|pms|hsl)\b", re.IGNORECASE)
AS_HEX_CODE, AS_RGB_NUMBERS, AS_FILLED_AREA = 3, 2, 1  # reliability of a mention


class Mention(NamedTuple):
    """A color on a page, and its position in its line."""

    hex: str
    strength: int
    start: int
    end: int


def mentions_in(text: str) -> list[Mention]:
    """Return the colors of a line in order; RGB numbers only if there is no hex code."""
    mentions = [*_hex_mentions(text)] or [*_rgb_mentions(text)]
    return sorted(mentions, key=attrgetter("start"))


def background_color(style: str | None) -> str | None:
    """Return the background color of an inline style."""
    match = _BACKGROUND.search(style or "")
    return as_hex(match[1]) if match else None


def as_hex(value: str) -> str | None:
    """Return an opaque CSS color as #rrggbb, None for anything else."""
    css = value.strip().lower()
    if re.fullmatch(r"#[0-9a-f]{3}|#[0-9a-f]{6}|[a-z]+|rgb\([\d\s,]+\)", css) is None:
        return None
    colour = parse_colour(css)
    return "#{:02x}{:02x}{:02x}".format(*colour) if colour else None


def brightness(hex_: str) -> int:
    """Return the luma of a color, 0 to 255 (ITU-R BT.709)."""
    red, green, blue = bytes.fromhex(hex_[1:])
    return round(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def without_notation(text: str) -> str:
    """Return a line without color codes."""
    return _NOTATION.sub(" ", text).strip(" \t\n:;,.|/\u2013\u2014\u2022()[]-=")


def _hex_mentions(text: str) -> Iterator[Mention]:
    for match in (*_HEX.finditer(text), *_BARE_HEX.finditer(text)):
        digits = match[1].lower()
        full = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
        yield Mention(f"#{full}", AS_HEX_CODE, match.start(), match.end())


def _rgb_mentions(text: str) -> Iterator[Mention]:
    for match in _RGB.finditer(text):
        channels = [int(digits) for digits in match.groups() if digits]
        if max(channels) <= 255:
            yield Mention(
                "#{:02x}{:02x}{:02x}".format(*channels), AS_RGB_NUMBERS, match.start(), match.end()
            )
