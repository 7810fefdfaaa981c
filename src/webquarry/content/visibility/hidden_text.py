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
    text_of,
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
_LINK_TEXT = 20  # characters: shorter ones are signs beside headings


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
    large: dict[Element, str] = {}
    for element in rules.candidates:
        tag = element.tag
        if tag in _PAGE_TAGS or tag in NON_TEXT_TAGS or _has_hidden_ancestor(element, hidden):
            continue
        reason = rules.hidden_reason(element) or _aria_reason(element)
        if not reason or panels.can_open(element, reason):
            continue
        if cover.is_large(element) and not _is_certain(element, reason, rules):
            large[element] = reason
        else:
            hidden.update(_hidden_parts(element, reason, rules))
    for element, reason in large.items():
        if not cover.hides(element, hidden):
            hidden.update(_hidden_parts(element, reason, rules))
    return hidden


def _is_certain(element: Element, reason: str, rules: VisibilityRules) -> bool:
    """Tell whether no other style sheet shows the element."""
    if reason == "display: none" and rules.misses_sheets:
        return "display" in element.get("style", "").lower()
    return reason in _CERTAIN_REASONS


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
    if element.get(_ARIA_HIDDEN, "").lower() != "true":
        return None
    # decorative images, and the second link of a teaser, are hidden from screen readers only
    is_seen = element.tag == "img" or (element.tag == "a" and len(text_of(element)) >= _LINK_TEXT)
    return None if is_seen else _ARIA_HIDDEN


class _PageCover:
    """Recognises a style that hides the page itself until a script has run or a dialog closes."""

    def __init__(self, root: Element) -> None:
        self._root = root

    @cached_property
    def _elements(self) -> int:
        return _count_descendants(self._root)

    @cached_property
    def _chars(self) -> int:
        return _count_chars(self._root)

    def is_large(self, element: Element) -> bool:
        """Tell whether the element may hold most of the page, without reading its text."""
        return (
            len(element) > 0
            and _count_descendants(element) >= _MAX_HIDDEN_SHARE / 3 * self._elements
        )

    def hides(self, element: Element, hidden: dict[Element, str]) -> bool:
        """Tell whether the element holds most of the text that is not hidden otherwise."""
        outermost = [part for part in hidden if not _has_hidden_ancestor(part, hidden)]
        inside = sum(_count_chars(part) for part in outermost if element in part.iterancestors())
        others = sum(map(_count_chars, outermost))
        return _count_chars(element) - inside > _MAX_HIDDEN_SHARE * (self._chars - others)


def _count_chars(element: Element) -> int:
    return sum(map(len, text_parts(element)))
