"""Closed parts of a page that a visitor can open: tabs, accordions, slides."""

import re
from functools import cached_property
from itertools import chain, islice

from webquarry.content.html.dom import Element, text_of
from webquarry.content.visibility.element_index import CONTROLS, ElementIndex
from webquarry.content.visibility.slides import Slides

_PANEL = re.compile(r"accord|collaps|tab-?pane|tab-?content|tab-?panel|toggle|faq|expand", re.I)
_TAB = re.compile(r"tab(?:-?pane|-?content|-?panel)?\Z", re.I)  # the end of a class
_REACT_SEGMENT = re.compile(r"S:[0-9a-f]+")  # moved to the placeholder B:…
_MIN_SEGMENTS = 3
_MARKO_FRAGMENT = re.compile(r"(af(?:\w*[^\W\d])?)(\d++)")  # moved to the placeholder af…ph…
_CONTROL_TAGS = frozenset(("button", "summary", "a", "label"))
_CONTROL_ATTRIBUTES = (
    "aria-expanded",
    "aria-controls",
    "data-toggle",
    "data-bs-toggle",
    "data-target",
)


class Panels:
    """Knows which controls of a page open which elements."""

    def __init__(self, root: Element, index: ElementIndex, slides: Slides) -> None:
        self._root = root
        self._index = index
        self._slides = slides

    def can_open(self, element: Element, reason: str) -> bool:
        """Tell whether a visitor can open this element, which is hidden for the reason."""
        if reason in ("aria-hidden", "visibility: hidden", "opacity: 0", "zero size"):
            if self._slides.is_undrawn(element, reason) or _follows_control(element):
                return True
        elif reason not in ("display: none", "hidden attribute"):
            return False
        elif self._slides.is_next(element):
            return True
        return (
            self._has_control(element)
            or _follows_expander(element)
            or self._is_streamed(element)
            or _follows_its_link(element)
            or _is_one_of_several_tabs(element)
        )

    @cached_property
    def _controls(self) -> dict[str, list[Element]]:
        """The elements that declare to open another, by the id of that one."""
        controls: dict[str, list[Element]] = {}
        for control in self._index.controls:
            for attribute in CONTROLS:
                for target in control.get(attribute, "").split():
                    controls.setdefault(target.lstrip("#"), []).append(control)
        return controls

    def _has_control(self, element: Element) -> bool:
        """Tell whether a labelled control names this element, or it names its control."""
        element_id = element.get("id")
        if element_id and any(map(_is_control, self._controls.get(element_id, ()))):
            return True
        label_ids = element.get("aria-labelledby", "").split()[:2]
        labels = chain.from_iterable(self._index.by_id.get(name, ()) for name in label_ids)
        return any(map(_is_control, labels))

    @cached_property
    def _has_segments(self) -> bool:
        """Whether several elements are named like streamed parts: their page is streamed."""
        named = filter(_REACT_SEGMENT.fullmatch, self._index.by_id)
        return sum(1 for _ in islice(named, _MIN_SEGMENTS)) == _MIN_SEGMENTS

    def _is_streamed(self, element: Element) -> bool:
        """Tell whether a script moves this element to a placeholder in the page."""
        name = element.get("id", "")
        fragment = _MARKO_FRAGMENT.fullmatch(name)
        if fragment and f"{fragment[1]}ph{fragment[2]}" in self._index.by_id:
            return True
        if not _REACT_SEGMENT.fullmatch(name):
            return False
        if f"B{name[1:]}" in self._index.by_id or self._has_segments:
            return True
        return any(f'"{name}"' in (script.text or "") for script in self._root.iter("script"))


def _is_control(element: Element) -> bool:
    if not text_of(element):
        return False
    near = [element, element.getparent(), *islice(element, 3)]
    return any(part is not None and _is_interactive(part) for part in near)


def _is_interactive(element: Element) -> bool:
    if element.tag in _CONTROL_TAGS or element.get("role") in ("tab", "button"):
        return True
    return any(element.get(name) is not None for name in _CONTROL_ATTRIBUTES)


def _follows_control(element: Element) -> bool:
    """Tell whether an element named like a panel directly follows its heading or button."""
    if not _PANEL.search(element.get("class", "")) and element.get("role") != "tabpanel":
        return False
    previous = element.getprevious()
    return previous is not None and bool(text_of(previous))


def _follows_expander(element: Element) -> bool:
    """Tell whether the element directly follows a control that says it opens something."""
    previous = element.getprevious()
    if previous is None or not text_of(previous):
        return False
    if previous.get("tabindex") == "0" and _PANEL.search(element.get("class", "")):
        return True
    return any(part.get("aria-expanded") == "false" for part in islice(previous.iter(), 4))


def _follows_its_link(element: Element) -> bool:
    """Tell whether the element directly follows a heading or link that points to it."""
    element_id, previous = element.get("id"), element.getprevious()
    if not element_id or previous is None:
        return False
    links = islice(previous.iter("a", "button"), 3)
    return any(link.get("href") == f"#{element_id}" and text_of(link) for link in links)


def _is_one_of_several_tabs(element: Element) -> bool:
    """Tell whether siblings share a class that names tabs: a script shows one of them at a time."""
    tabs = {name for name in element.get("class", "").split() if _TAB.search(name)}
    parent = element.getparent()
    if not tabs or parent is None:
        return False
    others = (other for other in parent if other.tag == element.tag and other is not element)
    return any(not tabs.isdisjoint(other.get("class", "").split()) for other in others)
