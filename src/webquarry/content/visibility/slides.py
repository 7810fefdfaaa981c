"""Slides: parts of a page that a script shows one at a time, all in the same place."""

import re
from functools import cached_property
from itertools import chain, islice

from lxml import etree

from webquarry.content.html.dom import Element, tag_of, text_of
from webquarry.content.visibility.element_index import HIDDEN_MARK, ElementIndex
from webquarry.content.visibility.rules import VisibilityRules

_SLIDE = re.compile(r"carousel|slide|slick|swiper|splide|glide", re.I)
_MAX_SLIDES = 100  # different classes of slides; elements beside one that are looked at
_MAX_FRAME = 30  # elements inside a slide show before its first slide
_UNDRAWN = ("visibility: hidden", "opacity: 0")  # reasons that keep the place of an element


class Slides:
    """Recognises hidden slides whose turn comes later."""

    def __init__(self, index: ElementIndex, rules: VisibilityRules) -> None:
        self._index = index
        self._rules = rules

    def is_next(self, element: Element) -> bool:
        """Tell whether the element without display is a slide like others of the page."""
        names = element.get("class", "")
        if not _SLIDE.search(names):
            return False
        if _is_in_slide_list(element) and len(self._index.by_class[names]) > 1:
            return True
        own = set(names.split())
        return any(other and other < own for other in self._class_sets)

    def is_undrawn(self, element: Element, reason: str) -> bool:
        """Tell whether the element that keeps its place is a slide, or holds all slides."""
        if _is_named_slide(element):
            return True
        if reason not in _UNDRAWN or element.get(HIDDEN_MARK) is not None:
            return False
        return _holds_slides(element) or self._covers_another(element)

    @cached_property
    def _class_sets(self) -> list[set[str]]:
        """The classes of elements that are named like slides."""
        named = (names for names in self._index.by_class if _SLIDE.search(names))
        return [set(names.split()) for names in islice(named, _MAX_SLIDES)]

    def _covers_another(self, element: Element) -> bool:
        """Tell whether the element lies over a shown one of its kind."""
        parent, own = element.getparent(), set(element.get("class", "").split())
        if parent is None or not own or self._rules.position(element) != "absolute":
            return False
        return any(
            other is not element
            and other.tag == element.tag
            and 2 * len(own.intersection(other.get("class", "").split())) >= len(own)
            and self._rules.hidden_reason(other) is None
            and bool(text_of(other))
            for other in islice(parent.iterchildren(etree.Element), _MAX_SLIDES)
        )


def _is_named_slide(element: Element) -> bool:
    """Tell whether this is one of several slides."""
    parent = element.getparent()
    if parent is None or not _SLIDE.search(element.get("class", "")):
        return False
    return sum(other.tag == element.tag for other in parent) > 1


def _is_in_slide_list(element: Element) -> bool:
    """Tell whether the list around the element is named like a list of slides."""
    around = islice(element.iterancestors("ul", "ol"), 1)
    return any(_SLIDE.search(each.get("class", "")) for each in around)


def _holds_slides(element: Element) -> bool:
    """Tell whether an element that is named like a slide show holds an element named like one."""
    if not _SLIDE.search(_names(element)):
        return False
    inside = islice(element.iterdescendants(etree.Element), _MAX_FRAME)
    return any(_SLIDE.search(_names(part)) for part in inside)


def _names(element: Element) -> str:
    attributes = (element.get(name, "") for name in ("class", "id"))
    return " ".join(chain((tag_of(element),), attributes))
