"""Images of a page: the URL that a browser loads in the end, and the alternative text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from webquarry.content.html.dom import Element
from webquarry.content.text.word_list import words

_LAZY_ATTRIBUTES = words(
    "data-src data-lazy-src data-original data-lazy data-image data-hi-res-src"
)
_SRCSET_ATTRIBUTES = ("data-srcset", "data-lazy-srcset", "srcset")
_CANDIDATE = re.compile(r"(?:(?<!\s)\s++)?(?<!\S)(\S+?)(?:\s+([\d.]+)[wx])?\s*(?:,\s|,$|$)")
_PLACEHOLDER = re.compile(
    r"(^|[/_-])(blank|spacer|pixel|placeholder|loading|transparent|1x1)\b", re.I
)
_MAX_ICON = 32  # pixels: icons and trackers are at most this large
_FIGURE_LEVELS = 4


@dataclass(frozen=True)
class PageImage:
    """An image worth showing."""

    url: str
    alt: str


def page_image(element: Element) -> PageImage | None:
    """Return the image of an <img>, or None for placeholders, icons and trackers."""
    url = next((url for url in _candidate_urls(element) if _is_usable(url)), "")
    alt = " ".join((element.get("alt") or element.get("title", "")).split())
    if not url or _is_tiny(element):
        return None
    # without a text an image means nothing to a reader of Markdown
    return PageImage(url, alt) if alt or _is_in_figure(element) else None


def _candidate_urls(element: Element) -> Iterator[str]:
    """Yield the URLs of an image in the order of preference."""
    for name in _LAZY_ATTRIBUTES:
        yield element.get(name, "")
    source = element.get("src", "")
    if not _PLACEHOLDER.search(source):
        yield source
    for name in _SRCSET_ATTRIBUTES:
        yield _largest(element.get(name))
    parent = element.getparent()
    if parent is not None and parent.tag == "picture":
        for part in parent.iter("source"):
            yield _largest(part.get("srcset") or part.get("data-srcset"))


def _largest(srcset: str | None) -> str:
    best, width = "", -1.0
    for match in _CANDIDATE.finditer(srcset or ""):
        size = float(match[2]) if match[2] and match[2].count(".") < 2 else 0.0
        if size > width:
            best, width = match[1].rstrip(","), size
    return best


def _is_usable(url: str) -> bool:
    return bool(url) and not url.lstrip().lower().startswith(("data:", "about:"))


def _is_tiny(element: Element) -> bool:
    for name in ("width", "height"):
        size = element.get(name, "").removesuffix("px")
        if size.isdecimal() and int(size) <= _MAX_ICON:
            return True
    return False


def _is_in_figure(element: Element) -> bool:
    return any(e.tag == "figure" for e in islice(element.iterancestors(), _FIGURE_LEVELS))
