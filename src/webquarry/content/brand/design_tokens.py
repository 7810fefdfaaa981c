"""A brand as design tokens in the format of the W3C community group (2025.10)."""

import re
from typing import Any

from webquarry.models.brand import Colors, Font, Typography

Token = dict[str, Any]
Group = dict[str, Any]
_ROLES = ("primary", "secondary", "accent", "background", "text", "surface", "text_secondary")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)(px|rem)")  # the only units the format knows


def tokens_of(colors: Colors, typography: Typography) -> Group:
    """Return a token for everything that was found, and nothing else."""
    groups: dict[str, Group] = {
        "color": _colours(colors),
        "font": _fonts(typography),
        "size": _sizes(typography.scale or {}),
    }
    return {name: group for name, group in groups.items() if group}


def _colours(colors: Colors) -> Group:
    group: Group = {}
    for role in _ROLES:
        if hex_ := getattr(colors, role):
            group[role] = _colour(hex_)
    palette: Group = {}
    for swatch in colors.palette:
        key = _key(swatch.name or swatch.hex, palette)
        palette[key] = _colour(swatch.hex, swatch.name)
    return group | ({"palette": palette} if palette else {})


def _colour(hex_: str, name: str | None = None) -> Token:
    channels = [round(int(hex_[at : at + 2], 16) / 255, 4) for at in (1, 3, 5)]
    value = {"colorSpace": "srgb", "components": channels, "hex": hex_}
    return {"$type": "color", "$value": value, **({"$description": name} if name else {})}


def _fonts(typography: Typography) -> Group:
    fonts: dict[str, Font | None] = {
        "heading": typography.heading,
        "body": typography.body,
        "mono": typography.mono,
    }
    return {use: _font(font) for use, font in fonts.items() if font}


def _font(font: Font) -> Group:
    weights = {f"weight-{w}": {"$type": "fontWeight", "$value": w} for w in font.weights}
    return {"family": {"$type": "fontFamily", "$value": font.family}, **weights}


def _sizes(scale: dict[str, str]) -> Group:
    group: Group = {}
    for name, size in scale.items():
        if found := _SIZE.fullmatch(size):
            number = float(found[1])
            value = {"value": int(number) if number.is_integer() else number, "unit": found[2]}
            group[_key(name, group)] = {"$type": "dimension", "$value": value}
    return group


def _key(name: str, taken: Group) -> str:
    """Return a name that the format allows: it may hold no dot, brace or leading dollar."""
    plain = re.sub(r"[^\w]+", "-", name.lower()).strip("-_") or "token"
    key, number = plain, 2
    while key in taken:
        key, number = f"{plain}-{number}", number + 1
    return key
