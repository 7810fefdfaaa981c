"""Which text of an OpenDocument a reader cannot see."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from webquarry.content.html.dom import Element
from webquarry.reading.documents.zip_archive import attribute, child, local_name

_WHITE = re.compile(r"#(?:f[c-f]){3}", re.IGNORECASE)
_LENGTH = re.compile(r"(\d{1,6}(?:\.\d{1,9})?)(pt|px|mm|cm|in|%)")
_POINTS = {"pt": 1.0, "px": 0.75, "mm": 2.835, "cm": 28.35, "in": 72.0, "%": 0.12}
_MAX_TINY_SIZE = 2.0  # points
_NARROW = re.compile(r"0*[0-4](?:\.\d{1,9})?%")  # of the usual width of characters
_NO_OPACITY = re.compile(r"0{1,9}(?:\.0{1,9})?%?")


class OdfVisibility(NamedTuple):
    """What a style says about being seen; None where the style around it decides."""

    hidden: bool | None = None
    tiny: bool | None = None
    narrow: bool | None = None
    transparent: bool | None = None
    white: bool | None = None

    def inside(self, outer: "OdfVisibility") -> "OdfVisibility":
        """Return what holds for text of this style in text of another."""
        pairs = zip(self, outer, strict=True)
        return OdfVisibility(*(inherited if own is None else own for own, inherited in pairs))

    @property
    def hidden_reason(self) -> str:
        """Why a reader cannot see the text on white paper; empty if they can."""
        reasons = (
            (self.hidden, "hidden text"),
            (self.tiny or self.narrow, "tiny text"),
            (self.transparent, "transparent text"),
            (self.white, "white text"),
        )
        return next((reason for applies, reason in reasons if applies), "")


INHERITED = OdfVisibility()


def read_visibility(fonts: Iterable[Element]) -> OdfVisibility:
    """Return what the text properties of a style and its parents say, the nearest first."""
    properties = list(fonts)
    return OdfVisibility(
        hidden=_declared(properties, "display", lambda value: value == "none"),
        tiny=_declared(properties, "font-size", _is_tiny),
        narrow=_declared(properties, "text-scale", _NARROW.fullmatch),
        transparent=_declared_color(properties, "opacity", _NO_OPACITY.fullmatch),
        white=_declared_color(properties, "color", _WHITE.fullmatch),
    )


def is_hidden_block(part: Element) -> bool:
    """Return whether a section, row or paragraph is hidden, by itself or by a condition."""
    if attribute(part, "display") == "none" or attribute(part, "is-hidden") == "true":
        return True
    return attribute(part, "visibility") in ("collapse", "filter") or any(
        local_name(entry) == "hidden-paragraph" and attribute(entry, "is-hidden") == "true"
        for entry in part
    )


def is_colored(properties: Element) -> bool:
    """Return whether properties give a background other than white."""
    image = child(properties, "background-image")
    if image is not None and attribute(image, "href"):
        return True
    color = attribute(properties, "background-color")
    return color not in ("", "transparent") and not _WHITE.fullmatch(color)


def _declared(fonts: list[Element], name: str, test: Callable[[str], object]) -> bool | None:
    value = next((value for font in fonts if (value := attribute(font, name))), "")
    return bool(test(value)) if value else None


def _declared_color(fonts: list[Element], name: str, test: Callable[[str], object]) -> bool | None:
    """Return what is declared; an automatic colour is seen, though LibreOffice says opacity 0 %."""
    for font in fonts:
        if attribute(font, "use-window-font-color") == "true":
            return False
        if value := attribute(font, name):
            return bool(test(value))
    return None


def _is_tiny(size: str) -> bool:
    match = _LENGTH.fullmatch(size)
    return match is not None and float(match[1]) * _POINTS[match[2]] <= _MAX_TINY_SIZE
