"""The style sheets inside a page: in style elements and in data URLs."""

import base64
import binascii
from collections.abc import Iterator
from itertools import chain
from urllib.parse import unquote_to_bytes

from webquarry.content.html.dom import Element
from webquarry.content.visibility.element_index import ElementIndex
from webquarry.content.visibility.media_queries import media_applies
from webquarry.content.visibility.stylesheets import (
    MAX_SHEET,
    imported_urls,
    parse_stylesheet,
)

_MAX_IMPORTS = 10


class PageStyles:
    """The style rules of a page, and whether they are all of its rules."""

    def __init__(self, index: ElementIndex) -> None:
        self.is_complete = True
        # in the order of the sheets: later rules win
        self.rules = list(chain.from_iterable(map(parse_stylesheet, self._sources(index))))

    def _sources(self, index: ElementIndex) -> Iterator[str]:
        for link in index.by_tag["link"]:
            if "stylesheet" in link.get("rel", "").lower() and _applies(link):
                yield from self._sheet(link.get("href", "").strip())
        for style in index.by_tag["style"]:
            if style.text and _applies(style) and not _is_without_scripts(style):
                yield from self._with_imports(style.text)

    def _sheet(self, url: str) -> Iterator[str]:
        source = data_sheet(url) if url[:5].lower() == "data:" else None
        if source is None:
            self.is_complete = False
        else:
            yield source

    def _with_imports(self, source: str) -> Iterator[str]:
        if "@import" in source:
            for url in imported_urls(source)[:_MAX_IMPORTS]:
                yield from self._sheet(url)
        yield source


def data_sheet(url: str) -> str | None:
    """Return the style sheet in a data URL; None if it is none."""
    head, comma, data = url[: 2 * MAX_SHEET].partition(",")
    if not comma:
        return None
    content = unquote_to_bytes(data)
    if head.lower().endswith(";base64"):
        try:
            content = base64.b64decode(content + b"===")
        except (binascii.Error, ValueError):
            return None
    return content.decode("utf-8", "replace")


def _applies(element: Element) -> bool:
    media = element.get("media")
    return media is None or media_applies(media)


def _is_without_scripts(style: Element) -> bool:
    """Tell whether the style sheet is for browsers without scripts."""
    parent = style.getparent()
    return parent is not None and parent.tag == "noscript"
