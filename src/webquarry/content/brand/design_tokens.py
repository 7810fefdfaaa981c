"""Design tokens of a brand, in the format of the W3C community group (2025.10)."""

import re
from typing import Any

from webquarry.models.brand import Colors, Font, Typography

Group = dict[str, Any]
_ROLES = ("primary", "secondary", "accent", "background", "text", "surface", "text_secondary")
_USES = ("heading", "body", "mono")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)(px|rem)")  # the only units of the format


def tokens_of(colors: Colors, typography: Typography) -> Group:
    """Return the tokens of the colors, fonts and sizes that are known."""
    groups: dict[str, Group] = {
        "color": _color_group(colors),
        "font": {use: _font_tokens(font) for use in _USES if (font := getattr(typography, use))},
        "size": _size_group(typography.scale or {}),
    }
    return {name: group for name, group in groups.items() if group}


def _color_group(colors: Colors) -> Group:
    group: Group = {role: _color_token(hex_) for role in _ROLES if (hex_ := getattr(colors, role))}
    palette: Group = {}
    for swatch in colors.palette:
        key = _unique_key(swatch.name or swatch.hex, palette)
        palette[key] = _color_token(swatch.hex, swatch.name)
    return group | ({"palette": palette} if palette else {})


def _color_token(hex_: str, name: str | None = None) -> Group:
    channels = [round(channel / 255, 4) for channel in bytes.fromhex(hex_[1:])]
    value = {"colorSpace": "srgb", "components": channels, "hex": hex_}
    return {"$type": "color", "$value": value, **({"$description": name} if name else {})}


def _font_tokens(font: Font) -> Group:
    weights = {f"weight-{w}": {"$type": "fontWeight", "$value": w} for w in font.weights}
    return {"family": {"$type": "fontFamily", "$value": font.family}, **weights}


def _size_group(scale: dict[str, str]) -> Group:
    group: Group = {}
    for name, size in scale.items():
        if match := _SIZE.fullmatch(size):
            number = float(match[1])
            value = {"value": int(number) if number.is_integer() else number, "unit": match[2]}
            group[_unique_key(name, group)] = {"$type": "dimension", "$value": value}
    return group


def _unique_key(name: str, taken: Group) -> str:
    """Return a unique name; the format forbids dots, braces and a leading dollar sign."""
    plain = re.sub(r"[^\w]+", "-", name.lower()).strip("-_") or "token"
    keys = (plain, *(f"{plain}-{number}" for number in range(2, len(taken) + 2)))
    return next(key for key in keys if key not in taken)
