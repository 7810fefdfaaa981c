"""The parsed page: one lxml tree that every reader of the page shares."""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from operator import itemgetter
from typing import cast

from lxml import etree

from webquarry.content.text.whitespace import flattened
from webquarry.content.text.word_list import words

# lxml's only name for an element type has an underscore; this alias is the one place that uses it
Element = etree._Element  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

# the names and values of an element, cast once and not at every call
attributes_of = cast("Callable[[Element], list[tuple[str, str]]]", Element.items)
# its children as a slice, which comes at a third of what it costs to iterate over them
children_of = cast("Callable[[Element], list[Element]]", itemgetter(slice(None)))

# what never holds prose of the page
SILENT = frozenset(
    words(
        "script style template svg head select option iframe canvas object textarea audio "
        "video datalist input link meta frameset embed applet map progress meter"
    )
)
BLOCKS = frozenset(
    words(
        "noscript address article aside blockquote body button caption center dd details "
        "dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr "
        "html li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul "
        "legend label hgroup search listing xmp plaintext"
    )
)
_OF_HEAD = frozenset(words("title meta link style script base noscript template object bgsound"))
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
MAX_TAGS = 150_000
_TAG = re.compile("<")
# control characters but tab and line ends, which no text of the tree may have
_WITHOUT_CONTROLS = bytes(
    32 if byte < 32 and byte not in b"\t\n\r" else byte for byte in range(256)
)
_NO_CHARACTER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
MAX_ELEMENTS = 40_000
MAX_DEPTH = 150  # deeper elements lose their structure, not their text


def counter(path: str) -> Callable[[Element], int]:
    """Return a function that counts the elements at an XPath without making them."""
    count = etree.XPath(f"count({path})")
    return lambda root: int(cast("float", count(root)))


_elements_in = counter("//*")


def parse_html(text: str) -> Element | None:
    """Return the root of the page, or None where there is nothing to parse."""
    tags = text.count("<")
    if tags > MAX_TAGS:
        text = text[: next(islice(_TAG.finditer(text), MAX_TAGS, None)).start()]
    source = text.encode("utf-8", "replace").translate(_WITHOUT_CONTROLS)
    # nobody asks the parser for elements by id, so it need not keep a table of them
    parser = etree.HTMLParser(encoding="utf-8", remove_pis=True, huge_tree=True, collect_ids=False)
    try:
        root = cast("Element | None", etree.fromstring(source, parser))  # None for white space
    except etree.XMLSyntaxError:  # an empty document
        return None
    if root is None:
        return None
    _mend_head(root)
    # for each tag the parser adds at most one it takes to be left out
    if 2 * tags + 4 > MAX_ELEMENTS and _elements_in(root) > MAX_ELEMENTS:
        _cut_after(root, MAX_ELEMENTS)
    return root


def _mend_head(root: Element) -> None:
    """Move to the body what the parser, which knows no newer elements, left in the head."""
    head = root.find("head")
    stray = [] if head is None else [e for e in head if name_of(e) and e.tag not in _OF_HEAD]
    if head is None or not stray:
        return
    moved = [stray[0], *stray[0].itersiblings()]
    body = root.find("body")
    if body is None:
        body = etree.SubElement(root, "body")
    for place, element in enumerate(moved):
        body.insert(place, element)
    if body.text:  # the words the body began with come after what was moved
        moved[-1].tail = _NO_CHARACTER.sub("", (moved[-1].tail or "") + body.text)
        body.text = None


def _cut_after(root: Element, most: int) -> None:
    """Take out what comes after so many elements, so that no page costs without end."""
    last = next(islice(root.iter(), most, None), None)
    while last is not None:
        for element in list(last.itersiblings()):
            element.clear()
            parent = element.getparent()
            if parent is not None:
                parent.remove(element)
        last = last.getparent()


def body_of(root: Element) -> Element:
    """Return the body of the page, or its root where it has none."""
    body = root.find("body")
    return root if body is None else body


def name_of(element: Element) -> str:
    """Return the tag of an element, "" for a comment."""
    tag = cast("object", element.tag)
    return tag if isinstance(tag, str) else ""


def is_block(tag: str) -> bool:
    """Tell whether the element starts a new line; custom elements are taken to."""
    return tag in BLOCKS or "-" in tag


def text_of(element: Element) -> str:
    """Return all text inside the element with its white space collapsed."""
    return flattened("".join(texts(element)))


def texts(element: Element) -> Iterator[str]:
    """Yield the pieces of text inside the element, without comments and scripts."""
    if name_of(element) in ("", "script", "style", "template"):
        return
    for event, part in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        if event == "start":
            yield _own_text(part)
        elif part is not element and part.tail:
            yield part.tail


def drop(element: Element) -> None:
    """Take the element out of its tree and leave the text behind it in place."""
    parent = element.getparent()
    if parent is None:
        return
    tail = element.tail
    if tail:
        tail = _NO_CHARACTER.sub("", tail)  # the parser lets some in that the tree then refuses
        before = element.getprevious()
        if before is None:
            parent.text = _NO_CHARACTER.sub("", parent.text or "") + tail
        else:
            before.tail = _NO_CHARACTER.sub("", before.tail or "") + tail
    parent.remove(element)


def _own_text(element: Element) -> str:
    return "" if element.tag in ("script", "style", "template") else element.text or ""


def finder(path: str) -> Callable[[Element], list[Element]]:
    """Return a function that finds the elements at an XPath."""
    find = etree.XPath(path)
    return lambda root: cast("list[Element]", find(root))


def value_finder(path: str) -> Callable[[Element], list[str]]:
    """Return a function that finds the attribute values at an XPath."""
    find = etree.XPath(path, smart_strings=False)
    return lambda root: cast("list[str]", find(root))
