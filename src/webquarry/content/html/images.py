"""Images: the address a browser would load in the end, and the words that describe it."""

import re
from dataclasses import dataclass

from webquarry.content.html.dom import Element

_LAZY = ("data-src", "data-lazy-src", "data-original", "data-lazy", "data-image", "data-hi-res-src")
_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
_CANDIDATE = re.compile(r"\s*(\S+?)(?:\s+([\d.]+)[wx])?\s*(?:,\s|,$|$)")
_PLACEHOLDER = re.compile(
    r"(^|[/_-])(blank|spacer|pixel|placeholder|loading|transparent|1x1)\b", re.I
)
_TINY = 32  # pixels: icons and trackers


@dataclass(frozen=True)
class PageImage:
    """An image worth showing."""

    address: str
    words: str


def picture(element: Element) -> PageImage | None:
    """Return the picture of an <img>, or None for placeholders, icons and trackers."""
    address = _address(element)
    words = " ".join((element.get("alt") or element.get("title") or "").split())
    if not address or _is_tiny(element):
        return None
    if not words and not _in_figure(element):
        return None  # without words an image tells a reader of text nothing
    return PageImage(address, words)


def _address(element: Element) -> str:
    for name in _LAZY:
        if _usable(element.get(name)):
            return element.get(name) or ""
    source = element.get("src")
    if _usable(source) and not _PLACEHOLDER.search(source or ""):
        return source or ""
    sets = [element.get(name) for name in _SETS] + _picture_sources(element)
    return next((best for best in map(_largest, sets) if _usable(best)), "")


def _picture_sources(element: Element) -> list[str | None]:
    parent = element.getparent()
    if parent is None or parent.tag != "picture":
        return []
    return [source.get("srcset") or source.get("data-srcset") for source in parent.iter("source")]


def _largest(candidates: str | None) -> str:
    best, width = "", -1.0
    for match in _CANDIDATE.finditer(candidates or ""):
        size = float(match[2]) if match[2] and match[2].count(".") < 2 else 0.0
        if size > width:
            best, width = match[1].rstrip(","), size
    return best


def _usable(address: str | None) -> bool:
    return bool(address) and not (address or "").lstrip().lower().startswith(("data:", "about:"))


def _is_tiny(element: Element) -> bool:
    for name in ("width", "height"):
        size = (element.get(name) or "").removesuffix("px")
        if size.isdecimal() and int(size) <= _TINY:
            return True
    return False


def _in_figure(element: Element) -> bool:
    parent = element.getparent()
    for _ in range(4):
        if parent is None:
            return False
        if parent.tag == "figure":
            return True
        parent = parent.getparent()
    return False
