"""Anchors: the places of a page that links point to, in its Markdown."""

import contextlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import islice

from webquarry.content.html.charset import decode_page
from webquarry.content.html.dom import (
    NON_TEXT_TAGS,
    Element,
    base_url,
    children_of,
    parse_html,
    tag_of,
)
from webquarry.content.markdown.parse import open_fence
from webquarry.content.visibility.element_index import index_elements

# private characters around the number of an anchor; pages do not use them
_OPEN, _CLOSE = "\uf8f0", "\uf8f1"
_MARK = re.compile(f"{_OPEN}([0-9]+){_CLOSE}")
_HEADING = re.compile(r"\s*#{1,6} ")
_LIST_MARKER = re.compile(r"(?:[\s>]*(?:[-*+]|\d{1,9}[.)]) |[\s>]*)")
# code is written as it is; the mark stands before it
_NO_TEXT_INSIDE = frozenset(("code", "kbd", "samp", "tt", "math"))
_MAX_STEPS = 200  # places of text after an anchor that are looked at
_MARKED_TEXTS = 3


def markdown_with_anchors(
    html: bytes, *, content_type: str, url: str, names: Sequence[str], plain: str
) -> str:
    """Return the Markdown of a page with anchors of these names, where the page has them.

    `plain` is its Markdown without anchors. Only anchors are added to it: marks in a page can
    change what is taken for its main content, so they only show where the anchors belong.
    """
    # imported here: listing crawls needs no page readers
    from webquarry.content.main_content.extract import choose_content, write_content

    root = parse_html(decode_page(html, content_type))
    if root is None or any(mark in plain for mark in (_OPEN, _CLOSE)):
        return plain
    _mark_elements(root, names)
    base = base_url(root, url)
    index = index_elements(root)  # keeps the Python objects of all elements alive
    marked = write_content(choose_content(root, url, index), base)[0]
    return _anchored(plain, _anchor_places(marked, plain), names)


def anchor(name: str) -> str:
    """Return an anchor as HTML, which every Markdown reader accepts."""
    return f'<a id="{escape(name)}"></a>'


def _mark_elements(root: Element, names: Sequence[str]) -> None:
    numbers = {name: number for number, name in reversed(list(enumerate(names)))}
    found: dict[int, Element] = {}
    for element in root.iter():
        if not tag_of(element):
            continue
        number = numbers.get(element.get("id", ""))
        if number is None and element.tag == "a":
            number = numbers.get(element.get("name", ""))
        if number is not None:
            found.setdefault(number, element)
    for number, element in found.items():
        # the parser accepts characters that assignment rejects; such a place gets no anchor
        with contextlib.suppress(ValueError):
            _mark(element, f"{_OPEN}{number}{_CLOSE}")


def _mark(target: Element, mark: str) -> None:
    """Put the mark before the first texts of the target, or after an empty one.

    Several texts get it because the first, often a heading, may not be taken for main content.
    """
    marked = 0
    for element, is_tail in islice(_text_slots(target), _MAX_STEPS):
        if is_tail:
            if not (element.tail or "").strip():
                continue
            element.tail = mark + (element.tail or "")
        elif element.tag in _NO_TEXT_INSIDE or (element.tag == "a" and element.get("href")):
            _mark_before(element, mark)
        elif (element.text or "").strip():
            element.text = mark + (element.text or "")
        else:
            continue
        marked += 1
        if marked == _MARKED_TEXTS:
            return


def _text_slots(start: Element) -> Iterator[tuple[Element, bool]]:
    """Yield the places of text from an element on: inside of each element, and after it."""
    element = start
    while element.tag != "body":
        has_text = bool(tag_of(element)) and element.tag not in NON_TEXT_TAGS
        if has_text:
            yield element, False
        if has_text and element.tag not in _NO_TEXT_INSIDE and (inner := children_of(element)):
            element = inner[0]
            continue
        yield element, True
        while (following := element.getnext()) is None:
            parent = element.getparent()
            if parent is None or parent.tag == "body":
                return
            element = parent
            yield element, True
        element = following


def _mark_before(element: Element, mark: str) -> None:
    parent, previous = element.getparent(), element.getprevious()
    if previous is not None:
        previous.tail = (previous.tail or "") + mark
    elif parent is not None:
        parent.text = (parent.text or "") + mark


def _anchor_places(marked: str, plain: str) -> list[tuple[int, int, int]]:
    """Return line and column in the plain text of each mark, and its number.

    A line that the plain text lacks is replaced by the next one that it has.
    """
    places: dict[str, list[int]] = {}
    for position, line in enumerate(plain.split("\n")):
        places.setdefault(line, []).append(position)
    seen: Counter[str] = Counter()
    waiting: list[tuple[int, int]] = []  # column and number of marks without a place
    found: list[tuple[int, int, int]] = []
    known: set[int] = set()
    for line in marked.split("\n"):
        text = _MARK.sub("", line) if _OPEN in line else line
        if line != text:
            new = [mark for mark in _columns(line) if mark[1] not in known]
            known.update(number for _, number in new)
            waiting = [(0, number) for _, number in waiting] + new
        positions = places.get(text) if text.strip() else None
        if positions:
            position = positions[min(seen[text], len(positions) - 1)]
            seen[text] += 1
            found += [(position, column, number) for column, number in waiting]
            waiting = []
        elif waiting:
            waiting = [(0, number) for _, number in waiting]
    return found


def _columns(line: str) -> Iterator[tuple[int, int]]:
    """Yield the column of each mark, without those before it, and its number."""
    removed = 0
    for match in _MARK.finditer(line):
        yield match.start() - removed, int(match[1])
        removed += len(match[0])


def _anchored(plain: str, places: list[tuple[int, int, int]], names: Sequence[str]) -> str:
    """Return the text with anchors: in their line, or before the code, table or heading."""
    lines = plain.split("\n")
    starts = _block_starts(lines)
    before: dict[int, list[str]] = {}
    for position, column, number in sorted(places, reverse=True):
        name = anchor(names[number])
        if (start := starts.get(position)) is not None:
            before.setdefault(start, []).insert(0, name)
        else:
            line = lines[position]
            marker = _LIST_MARKER.match(line)
            indent = max(column, marker.end() if marker else 0)
            lines[position] = f"{line[:indent]}{name}{line[indent:]}"
    for start in sorted(before, reverse=True):
        lines[start:start] = ["".join(before[start]), ""]
    return "\n".join(lines)


def _block_starts(lines: Sequence[str]) -> dict[int, int]:
    """Return for each line that cannot hold an anchor the first line of its block."""
    starts: dict[int, int] = {}
    fence, start = "", 0
    for position, line in enumerate(lines):
        opened, fence = fence, open_fence(line, fence)
        if opened or fence:
            start = start if opened else position
            starts[position] = start
        elif line.lstrip().startswith("|"):
            starts[position] = starts.get(position - 1, position) if position else 0
        elif _HEADING.match(line):
            starts[position] = position
    return starts
