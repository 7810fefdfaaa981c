"""The main content as small, safe HTML: structure stays; scripts, styles and handlers do not."""

from html import escape
from urllib.parse import urljoin

from lxml import etree

from webquarry.content.html.dom import SILENT, Element, drop, name_of
from webquarry.content.text.word_list import words
from webquarry.content.visibility.invisible_characters import without_invisible

_KEPT = frozenset(
    words("alt cite colspan datetime dir headers href lang rowspan scope span src start title type")
)
_ADDRESSES = frozenset(("href", "src", "cite"))
_OPENABLE = ("http://", "https://", "mailto:", "tel:")


def html_of(top: Element, base: str) -> str:
    """Return what is inside the element, links made absolute against `base`."""
    for element in [e for e in top.iter() if name_of(e) in SILENT or not name_of(e)]:
        drop(element)
    for element in top.iter():
        _tidy(element, base)
    parts = [escape(top.text or "", quote=False), *(_written(child) for child in top)]
    return without_invisible("".join(parts).strip())


def _written(element: Element) -> str:
    return etree.tostring(element, method="html", encoding="unicode")


def _tidy(element: Element, base: str) -> None:
    for name, value in list(element.attrib.items()):
        kept = _kept(str(name), str(value), base)
        if kept is None:
            del element.attrib[name]
        else:
            element.set(name, kept)


def _kept(name: str, value: str, base: str) -> str | None:
    """Return the value an attribute keeps; None for one that goes."""
    if name not in _KEPT:
        return None
    if name not in _ADDRESSES:
        return value
    try:
        address = urljoin(base, value.strip())
    except ValueError:
        return None
    return address if address.lower().startswith(_OPENABLE) else None
