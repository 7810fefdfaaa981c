"""The parsed page: parsing with lxml, and helpers for its elements."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from operator import attrgetter, itemgetter
from typing import Any, cast
from urllib.parse import urljoin

from lxml import etree

from webquarry.content.html.attribute_limit import limit_attributes
from webquarry.content.html.tree_repair import repair_tree, valid_text
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
        "video datalist input link meta frameset applet map progress meter"
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
_UNREAD_TAGS = ("script", "style", "template")
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
MAX_TAGS = 400_000
_TAG_START = re.compile("<")
# replaces control characters except tab and line ends, which lxml rejects in text
_CONTROLS_TO_SPACES = bytes(
    32 if byte < 32 and byte not in b"\t\n\r" else byte for byte in range(256)
)
MAX_ELEMENTS = 150_000
_PARSER_DEPTH = 2_000  # libxml2 stops at 2,048 elements inside each other
# tags of elements that can be inside themselves; all but those that keep blocks and words apart
_NESTING_TAG = re.compile(
    rb"</?+(?!(?:p|br|h[1-6]|li|tr|td|th|dt|dd|pre|title|meta|link|script|style|head|body|html|img"
    rb"|option)[\s/>])[A-Za-z][^<>]*+>",
    re.IGNORECASE,
)
MAX_DEPTH = 150  # deeper elements lose their structure, not their text


def element_counter(path: str) -> Callable[[Element], int]:
    """Return a function that counts the elements at an XPath without creating Python objects."""
    count = etree.XPath(f"count({path})")
    return lambda root: int(cast("float", count(root)))


_count_elements = element_counter("//*")


def parse_html(text: str) -> Element | None:
    """Return the root of the page, or None if there is nothing to parse."""
    return parse_page(text)[0]


def parse_page(text: str) -> tuple[Element | None, bool]:
    """Return the root of the page, and whether its end was cut off because it has too many tags."""
    tags = text.count("<")
    is_cut = tags > MAX_TAGS
    if is_cut:
        text = text[: next(islice(_TAG_START.finditer(text), MAX_TAGS, None)).start()]
    source = text.encode("utf-8", "replace").translate(_CONTROLS_TO_SPACES)
    root = _parsed(limit_attributes(source), tags)
    if root is None:
        return None, is_cut
    repair_tree(root)
    # for each tag the parser adds at most one implied element
    if 2 * tags + 4 > MAX_ELEMENTS and _count_elements(root) > MAX_ELEMENTS:
        _truncate(root, MAX_ELEMENTS)
        is_cut = True
    return root, is_cut


def _parsed(source: bytes, tags: int) -> Element | None:
    # collect_ids=False: the parser's table of ids is not used
    parser = etree.HTMLParser(encoding="utf-8", remove_pis=True, huge_tree=True, collect_ids=False)
    try:
        root = cast("Element | None", etree.fromstring(source, parser))  # None for white space
    except etree.XMLSyntaxError:  # an empty document
        return None
    if tags > _PARSER_DEPTH and _is_too_deep(parser):
        # the parser stops there; without the elements that nest, only structure is lost
        return _parsed(_NESTING_TAG.sub(b" ", source), 0)
    return root


def _is_too_deep(parser: etree.HTMLParser) -> bool:
    errors = cast("Iterable[Any]", parser.error_log)
    return any(error.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for error in errors)


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
        tail = valid_text(tail)
        previous = element.getprevious()
        if previous is None:
            parent.text = valid_text(parent.text) + tail
        else:
            previous.tail = valid_text(previous.tail) + tail
    parent.remove(element)


def element_finder(path: str) -> Callable[[Element], list[Element]]:
    """Return a function that finds the elements at an XPath."""
    find = etree.XPath(path)
    return lambda root: cast("list[Element]", find(root))


def value_finder(path: str) -> Callable[[Element], list[str]]:
    """Return a function that finds the attribute values at an XPath."""
    find = etree.XPath(path, smart_strings=False)
    return lambda root: cast("list[str]", find(root))
