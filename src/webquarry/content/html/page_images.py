"""The images of a page: their URLs, also of those that load later."""

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urljoin

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_MAX_IMAGES = 1_000
_SOURCES = ("src", "data-src", "data-lazy-src", "data-original")
_SOURCE_SETS = ("srcset", "data-srcset")
_PREVIEWS = frozenset(("og:image", "og:image:url", "twitter:image"))


def page_images(html: bytes | str, url: str) -> tuple[str, ...]:
    """Return the URLs of all images of a page, each once: previews first, then in their order."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(html)
    found = (_absolute(url, reference) for reference in (*_previews(tree), *_shown(tree)))
    return tuple(dict.fromkeys(each for each in found if each))[:_MAX_IMAGES]


def _previews(tree: "LexborHTMLParser") -> Iterator[str]:
    for node in tree.tags("meta"):
        name = node.attributes.get("property") or node.attributes.get("name") or ""
        if name.lower() in _PREVIEWS:
            yield node.attributes.get("content") or ""


def _shown(tree: "LexborHTMLParser") -> Iterator[str]:
    for node in tree.css("img, picture source"):
        attributes = node.attributes
        yield from (attributes.get(name) or "" for name in _SOURCES)
        for name in _SOURCE_SETS:
            yield _largest(attributes.get(name) or "")


def _largest(source_set: str) -> str:
    """Return the URL of a source set with the greatest width or density."""
    best, best_size = "", -1.0
    for candidate in source_set.split(", "):
        reference, _, size = candidate.strip().strip(",").partition(" ")
        number = size.strip()[:-1]
        value = float(number) if number.replace(".", "", 1).isdecimal() else 1.0
        if reference and value > best_size:
            best, best_size = reference, value
    return best


def _absolute(base: str, reference: str) -> str:
    """Return an absolute URL; '' for an image that is inside the page."""
    try:
        url = urljoin(base, reference.strip()) if reference.strip() else ""
    except ValueError:
        return ""
    return url if url.startswith(("http://", "https://")) else ""
