"""Removes the invisible text of a page and reports it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice

from lxml import etree

from webquarry.content.html.dom import (
    NON_TEXT_TAGS,
    Element,
    drop_tree,
    element_counter,
    tag_of,
    text_parts,
)
from webquarry.content.visibility.element_index import ElementIndex, index_elements
from webquarry.content.visibility.panels import Panels
from webquarry.content.visibility.rules import VisibilityRules, can_hide_nothing
from webquarry.models.page import Removal

_count_descendants = element_counter(".//*")
_ARIA_HIDDEN = "aria-hidden"
_PAGE_TAGS = frozenset(("html", "body", "head"))  # often hidden until a script has run
_CERTAIN_REASONS = frozenset(
    ("display: none", "hidden attribute", "closed dialog", "closed popover")
)
_MAX_SHOWN_AGAIN = 300  # elements inside a hidden one
_MAX_HIDDEN_SHARE = 0.6  # of the page's text


@dataclass(slots=True)
class HiddenTextReport:
    """What was removed, by reason."""

    counts: Counter[str] = field(default_factory=Counter[str])
    chars: Counter[str] = field(default_factory=Counter[str])

    def add(self, reason: str, size: int) -> None:
        """Count one removal of `size` characters."""
        self.counts[reason] += 1
        self.chars[reason] += size

    def removals(self) -> tuple[Removal, ...]:
        """Return the removals, most frequent first."""
        return tuple(
            Removal(reason=reason, count=count, chars=self.chars[reason] or count)
            for reason, count in self.counts.most_common()
        )


def remove_hidden(root: Element) -> HiddenTextReport:
    """Remove invisible elements and comments from the tree."""
    return remove_elements(root, find_hidden(root, index_elements(root)))


def find_hidden(root: Element, index: ElementIndex) -> dict[Element, str]:
    """Return the invisible elements, each with the reason."""
    if can_hide_nothing(index):
        return {}
    rules, panels, cover = VisibilityRules(root, index), Panels(root, index), _PageCover(root)
    hidden: dict[Element, str] = {}
    for element in rules.candidates:
        tag = element.tag
        if tag in _PAGE_TAGS or tag in NON_TEXT_TAGS or _has_hidden_ancestor(element, hidden):
            continue
        reason = rules.hidden_reason(element) or _aria_reason(element)
        if reason and not panels.can_open(element, reason) and not cover.hides(element, reason):
            hidden.update(_hidden_parts(element, reason, rules))
    return hidden


def _hidden_parts(element: Element, reason: str, rules: VisibilityRules) -> dict[Element, str]:
    """Return the element, or its parts if something inside it is shown again."""
    name = rules.inherited_property(element, reason)
    inside = islice(element.iterdescendants(etree.Element), _MAX_SHOWN_AGAIN) if name else ()
    shown = [part for part in inside if rules.shows_again(part, name or "")]
    if not shown:
        return {element: reason}
    return dict.fromkeys(_parts_around(element, shown), reason)


def _parts_around(element: Element, shown: list[Element]) -> Iterator[Element]:
    """Yield the largest parts of the element that hold none of those that are shown."""
    around = {element, *chain.from_iterable(part.iterancestors() for part in shown)}
    pending = [element]
    while pending:
        outer = pending.pop()
        yield from _own_text_elements(outer)
        for child in filter(tag_of, list(outer)):
            if child in around and child not in shown:
                pending.append(child)
            elif child not in shown:
                yield child


def _own_text_elements(element: Element) -> list[Element]:
    """Move the text directly inside the element into elements of its own, and return these."""
    made: list[Element] = []
    if (element.text or "").strip():
        made.append(_text_element(element.text))
        element.text = None
        element.insert(0, made[0])
    for child in list(element):
        if (child.tail or "").strip() and child not in made:
            text = _text_element(child.tail)
            child.tail = None
            child.addnext(text)
            made.append(text)
    return made


def _text_element(text: str | None) -> Element:
    element = etree.Element("span")
    element.text = text
    return element


def remove_elements(root: Element, hidden: dict[Element, str]) -> HiddenTextReport:
    """Remove these elements and all comments from the tree."""
    report = HiddenTextReport()
    for element, reason in hidden.items():
        _remove(element, reason, report)
    for comment in list(root.iter(etree.Comment)):
        report.add("comment", len(comment.text or ""))
        drop_tree(comment)
    return report


def _remove(element: Element, reason: str, report: HiddenTextReport) -> None:
    size = sum(len(part.strip()) for part in text_parts(element))
    if size:
        report.add(reason, size)
    drop_tree(element)
    # emptied, so that hidden elements inside it are not counted twice
    element.clear()


def _has_hidden_ancestor(element: Element, hidden: dict[Element, str]) -> bool:
    ancestor = element.getparent()
    while ancestor is not None:
        if ancestor in hidden:
            return True
        ancestor = ancestor.getparent()
    return False


def _aria_reason(element: Element) -> str | None:
    # decorative images are hidden from screen readers only
    is_hidden = element.tag != "img" and element.get(_ARIA_HIDDEN, "").lower() == "true"
    return _ARIA_HIDDEN if is_hidden else None


class _PageCover:
    """Recognises a style that hides the page itself until a script has run or a dialog closes."""

    def __init__(self, root: Element) -> None:
        self._root = root

    @cached_property
    def _elements(self) -> int:
        return _count_descendants(self._root)

    @cached_property
    def _chars(self) -> int:
        return sum(map(len, text_parts(self._root)))

    def hides(self, element: Element, reason: str) -> bool:
        """Tell whether the element holds most of the page and is hidden only for a while."""
        if reason in _CERTAIN_REASONS or len(element) == 0:
            return False
        # counting elements is cheaper than reading the text
        if _count_descendants(element) < _MAX_HIDDEN_SHARE / 3 * self._elements:
            return False
        return sum(map(len, text_parts(element))) > _MAX_HIDDEN_SHARE * self._chars
