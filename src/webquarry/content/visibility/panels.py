"""Parts of a page that are closed but that a visitor can open: tabs, accordions, slides."""

import re
from functools import cached_property
from itertools import chain, islice

from webquarry.content.html.dom import Element, text_of
from webquarry.content.visibility.element_index import CONTROLS, ElementIndex

_PANEL = re.compile(r"accord|collaps|tab-?pane|tab-?content|tab-?panel|toggle|faq|expand", re.I)
_SLIDE = re.compile(r"carousel|slide|slick|swiper|splide|glide", re.I)
_STREAMED = re.compile(r"S:[0-9a-f]+")  # React's, for a place with a B in front
_FRAGMENT = re.compile(r"(af\w*?)(\d+)")  # Marko's, for a place with ph before its number
_CONTROLS = frozenset(("button", "summary", "a", "label"))
_SIGNS = ("aria-expanded", "aria-controls", "data-toggle", "data-bs-toggle", "data-target")


class Panels:
    """Knows what on a page opens what."""

    def __init__(self, root: Element, survey: ElementIndex) -> None:
        self._root = root
        self._survey = survey

    def opens(self, element: Element, reason: str) -> bool:
        """Tell whether something on the page that can be seen opens this element."""
        if reason in ("aria-hidden", "visibility: hidden", "opacity: 0", "zero size"):
            if _is_slide(element) or _follows_control(element):
                return True
        elif reason not in ("display: none", "hidden attribute"):
            return False
        return self._has_control(element) or self._is_streamed(element)

    @cached_property
    def _controls(self) -> dict[str, list[Element]]:
        """The elements that say they open another, by the id of that one."""
        found: dict[str, list[Element]] = {}
        for control in self._survey.controls:
            for target in CONTROLS:
                for name in (control.get(target) or "").split():
                    found.setdefault(name.lstrip("#"), []).append(control)
        return found

    def _has_control(self, element: Element) -> bool:
        """Tell whether a labelled control names this element, or it names its control."""
        name = element.get("id")
        if name and any(_is_control(control) for control in self._controls.get(name, ())):
            return True
        labels = (element.get("aria-labelledby") or "").split()
        named = chain.from_iterable(self._survey.by_id.get(label, ()) for label in labels[:2])
        return any(map(_is_control, named))

    def _is_streamed(self, element: Element) -> bool:
        """Tell whether the page has a place that its script moves this element to."""
        name = element.get("id") or ""
        fragment = _FRAGMENT.fullmatch(name)
        if fragment and f"{fragment[1]}ph{fragment[2]}" in self._survey.by_id:
            return True
        if not _STREAMED.fullmatch(name):
            return False
        if f"B{name[1:]}" in self._survey.by_id:
            return True
        return any(f'"{name}"' in (script.text or "") for script in self._root.iter("script"))


def _is_control(element: Element) -> bool:
    if not text_of(element):
        return False
    near = [element, element.getparent(), *islice(element, 3)]
    return any(part is not None and _acts(part) for part in near)


def _acts(element: Element) -> bool:
    if element.tag in _CONTROLS or element.get("role") in ("tab", "button"):
        return True
    return any(element.get(sign) is not None for sign in _SIGNS)


def _follows_control(element: Element) -> bool:
    """Tell whether a panel by name stands right behind its heading or button."""
    if not _PANEL.search(element.get("class") or "") and element.get("role") != "tabpanel":
        return False
    before = element.getprevious()
    return before is not None and bool(text_of(before))


def _is_slide(element: Element) -> bool:
    """Tell whether this is one of several slides."""
    parent = element.getparent()
    if parent is None or not _SLIDE.search(element.get("class") or ""):
        return False
    return sum(other.tag == element.tag for other in parent) > 1
