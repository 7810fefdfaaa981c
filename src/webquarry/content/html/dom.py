"""The parsed page: parsing with lxml, and helpers for its elements."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from operator import attrgetter, itemgetter
from typing import cast
from urllib.parse import urljoin

from lxml import etree

from webquarry.content.text.whitespace import collapse_whitespace
from webquarry.content.text.word_list import words

# lxml has no public name for its element type
Element = etree._Element  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

# attribute names and values of an element; a typed alias, so that no call has to cast
attributes_of = cast("Callable[[Element], list[tuple[str, str]]]", Element.items)
# the tag of an element; that of a comment is a function
_tag_or_function = cast("Callable[[Element], object]", attrgetter("tag"))
# children of an element; slicing costs a third of iterating
children_of = cast("Callable[[Element], list[Element]]", itemgetter(slice(None)))

# elements that never hold prose of the page
NON_TEXT_TAGS = frozenset(
    words(
        "script style template svg head select option iframe canvas object textarea audio "
        "video datalist input link meta frameset embed applet map progress meter"
    )
)
BLOCK_TAGS = frozenset(
    words(
        "noscript address article aside blockquote body button caption center dd details "
        "dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr "
        "html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul "
        "legend label hgroup search listing xmp plaintext"
    )
)
_HEAD_TAGS = frozenset(words("title meta link style script base noscript template object bgsound"))
_UNREAD_TAGS = ("script", "style", "template")
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
MAX_TAGS = 150_000
_TAG_START = re.compile("<")
# replaces control characters except tab and line ends, which lxml rejects in text
_CONTROLS_TO_SPACES = bytes(
    32 if byte < 32 and byte not in b"\t\n\r" else byte for byte in range(256)
)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
MAX_ELEMENTS = 40_000
MAX_DEPTH = 150  # deeper elements lose their structure, not their text


def element_counter(path: str) -> Callable[[Element], int]:
    """Return a function that counts the elements at an XPath without creating Python objects."""
    count = etree.XPath(f"count({path})")
    return lambda root: int(cast("float", count(root)))


_count_elements = element_counter("//*")


def parse_html(text: str) -> Element | None:
    """Return the root of the page, or None if there is nothing to parse."""
    tags = text.count("<")
    if tags > MAX_TAGS:
        text = text[: next(islice(_TAG_START.finditer(text), MAX_TAGS, None)).start()]
    source = text.encode("utf-8", "replace").translate(_CONTROLS_TO_SPACES)
    # collect_ids=False: the parser's table of ids is not used
    parser = etree.HTMLParser(encoding="utf-8", remove_pis=True, huge_tree=True, collect_ids=False)
    try:
        root = cast("Element | None", etree.fromstring(source, parser))  # None for white space
    except etree.XMLSyntaxError:  # an empty document
        return None
    if root is None:
        return None
    _repair_head(root)
    # for each tag the parser adds at most one implied element
    if 2 * tags + 4 > MAX_ELEMENTS and _count_elements(root) > MAX_ELEMENTS:
        _truncate(root, MAX_ELEMENTS)
    return root


def _repair_head(root: Element) -> None:
    """Move body elements out of the head, where the parser leaves elements it does not know."""
    head = root.find("head")
    children = () if head is None else head
    misplaced = next((e for e in children if tag_of(e) and e.tag not in _HEAD_TAGS), None)
    if misplaced is None:
        return
    moved = [misplaced, *misplaced.itersiblings()]
    body = root.find("body")
    if body is None:
        body = etree.SubElement(root, "body")
    for index, element in enumerate(moved):
        body.insert(index, element)
    if body.text:  # the text at the start of the body comes after the moved elements
        moved[-1].tail = _NOT_XML.sub("", (moved[-1].tail or "") + body.text)
        body.text = None


def _truncate(root: Element, max_elements: int) -> None:
    """Remove the elements after the first `max_elements`, so that the cost of a page is bounded."""
    last = next(islice(root.iter(), max_elements, None), None)
    while last is not None:
        for element in list(last.itersiblings()):
            element.clear()
            parent = element.getparent()
            if parent is not None:
                parent.remove(element)
        last = last.getparent()


def body_of(root: Element) -> Element:
    """Return the body of the page, or its root if it has none."""
    body = root.find("body")
    return root if body is None else body


def base_url(root: Element, url: str) -> str:
    """Return the URL that relative links of the page are resolved against."""
    base = root.find(".//base[@href]")
    href = base.get("href") if base is not None else None
    try:
        return urljoin(url, href.strip()) if href else url
    except ValueError:
        return url


def tag_of(element: Element) -> str:
    """Return the tag of an element, "" for a comment."""
    tag = _tag_or_function(element)
    return tag if isinstance(tag, str) else ""


def is_block_tag(tag: str) -> bool:
    """Tell whether the element starts a new line; custom elements are assumed to."""
    return tag in BLOCK_TAGS or "-" in tag


def text_of(element: Element) -> str:
    """Return all text inside the element with its white space collapsed."""
    return collapse_whitespace("".join(text_parts(element)))


def text_parts(element: Element) -> Iterator[str]:
    """Yield the texts inside the element, without comments and scripts."""
    if tag_of(element) in ("", *_UNREAD_TAGS):
        return
    for event, part in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        if event == "start":
            if part.text and part.tag not in _UNREAD_TAGS:
                yield part.text
        elif part is not element and part.tail:
            yield part.tail


def drop_tree(element: Element) -> None:
    """Remove the element from its tree but keep its tail text."""
    parent = element.getparent()
    if parent is None:
        return
    tail = element.tail
    if tail:
        tail = _NOT_XML.sub("", tail)  # the parser accepts characters that assignment rejects
        previous = element.getprevious()
        if previous is None:
            parent.text = _NOT_XML.sub("", parent.text or "") + tail
        else:
            previous.tail = _NOT_XML.sub("", previous.tail or "") + tail
    parent.remove(element)


def element_finder(path: str) -> Callable[[Element], list[Element]]:
    """Return a function that finds the elements at an XPath."""
    find = etree.XPath(path)
    return lambda root: cast("list[Element]", find(root))


def value_finder(path: str) -> Callable[[Element], list[str]]:
    """Return a function that finds the attribute values at an XPath."""
    find = etree.XPath(path, smart_strings=False)
    return lambda root: cast("list[str]", find(root))
