"""Removes the invisible text of a page and reports it."""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from lxml import etree

from webquarry.content.html.dom import (
    NON_TEXT_TAGS,
    Element,
    drop_tree,
    element_counter,
    text_parts,
)
from webquarry.content.visibility.element_index import ElementIndex, index_elements
from webquarry.content.visibility.panels import Panels
from webquarry.content.visibility.rules import VisibilityRules
from webquarry.models.page import Removal

_count_descendants = element_counter(".//*")
_ARIA_HIDDEN = "aria-hidden"
_PAGE_TAGS = frozenset(("html", "body", "head"))  # often hidden until a script has run
_CERTAIN_REASONS = frozenset(("display: none", "hidden attribute", "closed dialog"))
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
    rules, panels, cover = VisibilityRules(root, index), Panels(root, index), _PageCover(root)
    hidden: dict[Element, str] = {}
    for element in rules.candidates:
        tag = element.tag
        if tag in _PAGE_TAGS or tag in NON_TEXT_TAGS or _has_hidden_ancestor(element, hidden):
            continue
        reason = rules.hidden_reason(element) or _aria_reason(element)
        if reason and not panels.can_open(element, reason) and not cover.hides(element, reason):
            hidden[element] = reason
    return hidden


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
    return _ARIA_HIDDEN if element.get(_ARIA_HIDDEN, "").lower() == "true" else None


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
