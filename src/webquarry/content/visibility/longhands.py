"""Declarations as physical longhand properties: no shorthands, prefixes or logical names."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from webquarry.content.visibility.css_syntax import CssDeclaration, Declarations, declarations_of

_ALIASES = {
    "-webkit-transform": "transform", "-ms-transform": "transform", "-moz-transform": "transform",
    "-webkit-filter": "filter", "-webkit-clip-path": "clip-path", "-webkit-mask": "mask",
    "-webkit-mask-image": "mask-image", "-webkit-opacity": "opacity", "-moz-opacity": "opacity",
    "inset-inline-start": "left", "inset-inline-end": "right", "inset-block-start": "top",
    "inset-block-end": "bottom", "margin-inline-start": "margin-left", "block-size": "height",
    "margin-block-start": "margin-top", "inline-size": "width", "max-block-size": "max-height",
    "max-inline-size": "max-width", "-webkit-text-fill-color": "text-fill-color",
    "-webkit-background-clip": "background-clip", "margin-inline": "margin-left",
}  # fmt: skip
_SIDES = ("top", "right", "bottom", "left")
_FONT_SIZE = re.compile(r"(\d[\w.%]*|\.\d[\w.%]*|calc\([^)]*\))(?:/(\S+))?")
_WEIGHT = re.compile(r"[1-9]\d{2,3}")
# they decide nothing about visibility; variables are read elsewhere
_SKIPPED = (
    "--", "padding", "border", "outline", "cursor", "box-", "align-", "justify-", "grid-", "z-",
    "text-align", "text-decoration", "text-transform", "text-shadow", "font-family", "font-weight",
    "font-style", "letter-", "word-", "white-", "vertical-", "list-", "float", "clear", "src",
    "user-", "pointer-", "order", "gap", "-webkit-box", "-moz-box", "-webkit-user",
)  # fmt: skip
_MAX_CACHED = 400


def longhands_of(style: str) -> Declarations:
    """Return the declarations that matter to visibility, by longhand property."""
    return _cached(style) if len(style) <= _MAX_CACHED else _longhands(style)


@lru_cache(maxsize=4096)
def _cached(style: str) -> Declarations:
    return _longhands(style)


def _longhands(style: str) -> Declarations:
    expanded: Declarations = {}
    for name, (value, important) in declarations_of(style, _SKIPPED).items():
        plain = _ALIASES.get(name, name)
        for longhand, part in _EXPANSIONS.get(plain, _itself)(plain, value):
            expanded[longhand] = CssDeclaration(part, important)
    return expanded


def _itself(name: str, value: str) -> Iterator[tuple[str, str]]:
    yield name, value


def _four_sides(name: str, value: str) -> Iterator[tuple[str, str]]:
    parts = value.split() if "(" not in value else [value]
    prefix = "margin-" if name == "margin" else ""
    for number, side in enumerate(_SIDES[: 4 if parts else 0]):
        part = parts[number] if number < len(parts) else parts[max(0, number - 2) % len(parts)]
        yield f"{prefix}{side}", part


def _font(_: str, value: str) -> Iterator[tuple[str, str]]:
    for word in value.split():
        match = _FONT_SIZE.fullmatch(word)
        if match and not _WEIGHT.fullmatch(word):
            yield "font-size", match[1]
            if match[2]:
                yield "line-height", match[2]
            return


_EXPANSIONS: dict[str, Callable[[str, str], Iterator[tuple[str, str]]]] = {
    "inset": _four_sides,
    "margin": _four_sides,
    "font": _font,
}
