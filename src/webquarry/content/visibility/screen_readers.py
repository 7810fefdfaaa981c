"""Elements for screen readers only, and elements that are hidden from screen readers only."""

import re
from itertools import chain, islice

from lxml import etree

from webquarry.content.html.dom import Element, text_of
from webquarry.content.text.word_list import words

SCREEN_READER_CLASSES = frozenset(
    words(
        "sr-only screen-reader-text screen-reader-only visually-hidden visuallyhidden "
        "a11y-hidden u-visually-hidden element-invisible screenreader-only is-visually-hidden "
        "sr_only assistive-text show-for-sr"
    )
)
ARIA_HIDDEN = "aria-hidden"
_PROSE = 20  # characters: shorter texts are signs beside headings, icons and figures
# what a style sheet or a script keeps closed until it is needed, and copies of other text
_CLOSED = re.compile(
    r"modal|dialog|pop-?up|popover|drawer|off-?canvas|menu|nav|lightbox|tool-?tip|drop-?down"
    r"|overlay|toast|clone|duplicate|clipped|hidden|cookie|consent|\bblind\b|katex|mjx|mathjax",
    re.IGNORECASE,
)


def is_for_screen_readers(element: Element) -> bool:
    """Tell whether the classes of an element say that only screen readers read it."""
    return not SCREEN_READER_CLASSES.isdisjoint(element.get("class", "").split())


def aria_hidden_reason(element: Element) -> str | None:
    """Return `aria-hidden` if the attribute says that an element is not seen either."""
    if element.get(ARIA_HIDDEN, "").lower() != "true" or element.tag == "img":
        return None
    if _is_read_instead(element):
        return None
    is_closed = element.tag != "a" and bool(_CLOSED.search(_names(element)))
    return ARIA_HIDDEN if is_closed or len(text_of(element)) < _PROSE else None


def _names(element: Element) -> str:
    names = (element.get(name, "") for name in ("class", "id", "role"))
    return " ".join((str(element.tag), *names))


def _is_read_instead(element: Element) -> bool:
    """Tell whether the text beside it is for screen readers only: it says the same in words."""
    before = islice(element.itersiblings(etree.Element, preceding=True), 1)
    after = islice(element.itersiblings(etree.Element), 1)
    return any(map(is_for_screen_readers, chain(before, after)))
