"""Colors as guidelines write them: #0A66C2, HEX 0A66C2, RGB 10 102 194."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from webquarry.content.visibility.css_colors import colour_of

_HEX = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-z_])", re.IGNORECASE)
_BARE = re.compile(r"\bhex(?:adecimal)?(?: code| value)?[\s:=]*([0-9a-f]{6})\b", re.IGNORECASE)
_RGB = re.compile(
    r"\brgb[\s:=(]*(\d{1,3})[\s,/|.\u00b7-]+(\d{1,3})[\s,/|.\u00b7-]+(\d{1,3})\b\)?"
    r"|\bR\s*[:=]?\s*(\d{1,3})[\s,/|]*G\s*[:=]?\s*(\d{1,3})[\s,/|]*B\s*[:=]?\s*(\d{1,3})\b",
    re.IGNORECASE,
)
_STYLE = re.compile(r"(?:^|;)\s*background(?:-color)?\s*:\s*([^;]+)", re.IGNORECASE)
# everything else that is written beside a color and names nothing
_NOTATION = re.compile(
    r"#[0-9a-f]{3,8}\b|\bhex(?:adecimal)?(?: code| value)?\b[\s:=]*(?:[0-9a-f]{6}\b)?"
    r"|\brgba?\b[\s:=(]*[\d\s,./|%\u00b7-]*\)?|\bR\s*[:=]?\s*\d+[\s,/|]*G\s*[:=]?\s*\d+[\s,/|]*B\s*[:=]?\s*\d+"
    r"|\bcmyk\b[\s:=(]*[\d\s,./|%\u00b7-]*\)?|\bC\s*\d+\s*%?[\s,/|]*M\s*\d+\s*%?[\s,/|]*Y\s*\d+\s*%?[\s,/|]*K\s*\d+\s*%?"
    r"|\bhs[lvb]\b[\s:=(]*[\d\s,./|%\u00b0-]*\)?|\b(?:pantone|pms)\b[\s:=]*[\w ]*?\d*\s*[cu]?\b"
    r"|\bral\b\s*\d*|\bncs\b[\s\w-]*|\bcopy\b|\bcopied\b",
    re.IGNORECASE,
)  # fmt: skip
NOTATIONS = re.compile(r"\b(hex|rgb|cmyk|pantone|pms|hsl)\b", re.IGNORECASE)
WRITTEN, MEASURED, SHOWN = 3, 2, 1  # as a hex, as other numbers, as a filled area


class Mention(NamedTuple):
    """A color on a page: where it begins and ends in its line."""

    hex: str
    strength: int
    start: int
    end: int


def mentions_in(text: str) -> list[Mention]:
    """Return the colors of a line in order; numbers only where no hex is written."""
    found = [*_written(text)] or [*_measured(text)]
    return sorted(found, key=lambda mention: mention.start)


def filling(style: str | None) -> str | None:
    """Return the one plain color that an inline style fills its element with."""
    found = _STYLE.search(style or "")
    return as_hex(found[1]) if found else None


def as_hex(value: str) -> str | None:
    """Return a plain opaque CSS color as #rrggbb, None for anything else."""
    low = value.strip().lower()
    if re.fullmatch(r"#[0-9a-f]{3}|#[0-9a-f]{6}|[a-z]+|rgb\([\d\s,]+\)", low) is None:
        return None
    colour = colour_of(low)
    return "#{:02x}{:02x}{:02x}".format(*colour) if colour else None


def brightness(hex_: str) -> int:
    """Return how bright a color looks, 0 to 255 (ITU-R BT.709)."""
    red, green, blue = (int(hex_[at : at + 2], 16) for at in (1, 3, 5))
    return round(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def without_notation(text: str) -> str:
    """Return what is left of a line when the numbers of its color are taken out."""
    return _NOTATION.sub(" ", text).strip(" \t\n:;,.|/\u2013\u2014\u2022()[]-=")


def _written(text: str) -> Iterator[Mention]:
    for match in _HEX.finditer(text):
        digits = match[1].lower()
        whole = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
        yield Mention(f"#{whole}", WRITTEN, match.start(), match.end())
    for match in _BARE.finditer(text):
        yield Mention(f"#{match[1].lower()}", WRITTEN, match.start(), match.end())


def _measured(text: str) -> Iterator[Mention]:
    for match in _RGB.finditer(text):
        channels = [int(digits) for digits in match.groups() if digits]
        if max(channels) <= 255:
            yield Mention(
                "#{:02x}{:02x}{:02x}".format(*channels), MEASURED, match.start(), match.end()
            )
