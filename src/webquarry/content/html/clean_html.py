"""The main content as small, safe HTML: no scripts, styles or event handlers."""

from html import escape
from urllib.parse import urljoin

from lxml import etree

from webquarry.content.html.dom import NON_TEXT_TAGS, Element, drop_tree, tag_of
from webquarry.content.text.word_list import words

_ALLOWED_ATTRIBUTES = frozenset(
    words("alt cite colspan datetime dir headers href lang rowspan scope span src start title type")
)
_URL_ATTRIBUTES = frozenset(("href", "src", "cite"))
_ALLOWED_SCHEMES = ("http://", "https://", "mailto:", "tel:")


def clean_html(container: Element, base: str) -> str:
    """Return the HTML inside the element, links made absolute against `base`."""
    for element in [e for e in container.iter() if not tag_of(e) or e.tag in NON_TEXT_TAGS]:
        drop_tree(element)
    for element in container.iter():
        _clean_attributes(element, base)
    children = (etree.tostring(child, method="html", encoding="unicode") for child in container)
    html = "".join([escape(container.text or "", quote=False), *children])
    return html.strip()


def _clean_attributes(element: Element, base: str) -> None:
    for name, value in list(element.attrib.items()):
        allowed = _allowed_value(str(name), str(value), base)
        if allowed is None:
            del element.attrib[name]
        else:
            element.set(name, allowed)


def _allowed_value(name: str, value: str, base: str) -> str | None:
    """Return the new value of an attribute; None to remove it."""
    if name not in _ALLOWED_ATTRIBUTES:
        return None
    if name not in _URL_ATTRIBUTES:
        return value
    try:
        url = urljoin(base, value.strip())
    except ValueError:
        return None
    return url if url.lower().startswith(_ALLOWED_SCHEMES) else None
