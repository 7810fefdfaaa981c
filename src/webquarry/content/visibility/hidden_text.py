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
from webquarry.content.visibility.element_index import HIDDEN_MARK, ElementIndex, index_elements
from webquarry.content.visibility.hidden_article import hidden_article
from webquarry.content.visibility.off_screen import PLACED
from webquarry.content.visibility.panels import Panels
from webquarry.content.visibility.rules import VisibilityRules, can_hide_nothing
from webquarry.content.visibility.screen_readers import aria_hidden_reason
from webquarry.content.visibility.slides import Slides
from webquarry.models.page import Removal

_count_descendants = element_counter(".//*")
_count_misplaced = element_counter(".//main[ancestor::li]")
_PAGE_TAGS = frozenset(("html", "body", "head"))  # often hidden until a script has run
_CERTAIN_REASONS = frozenset(
    ("display: none", "hidden attribute", "closed dialog", "closed popover")
)
_MAX_SHOWN_AGAIN = 300  # elements inside a hidden one
_MAX_HIDDEN_SHARE = 0.6  # of the page's text
_READ = "but read: the page's article"
_MIN_FADE_INS = 3  # a page that fades in its parts does so with several


@dataclass(slots=True)
class HiddenTextReport:
    """What was removed, by reason."""

    counts: Counter[str] = field(default_factory=Counter[str])
    chars: Counter[str] = field(default_factory=Counter[str])
    has_read_article: bool = False  # one that is hidden until a script runs

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


@dataclass(frozen=True, slots=True)
class HiddenElements:
    """The invisible elements, each with the reason, and the article if it is hidden and read."""

    removed: dict[Element, str] = field(default_factory=dict[Element, str])
    article: Element | None = None
    article_reason: str = ""


def find_hidden(root: Element, index: ElementIndex) -> HiddenElements:
    """Return the invisible elements; an article that only a script shows is read."""
    if can_hide_nothing(index):
        return HiddenElements()
    hidden = _hidden_elements(root, index)
    article = hidden_article(root, index, hidden)
    if article is None:
        return HiddenElements(hidden)
    return HiddenElements(_hidden_elements(root, index, article), article, hidden[article])


def _hidden_elements(
    root: Element, index: ElementIndex, article: Element | None = None
) -> dict[Element, str]:
    """Return the invisible elements apart from the article, each with the reason."""
    rules, cover = VisibilityRules(root, index), _PageCover(root)
    panels = Panels(root, index, Slides(index, rules))
    hidden: dict[Element, str] = {}
    large: dict[Element, str] = {}
    faded: dict[Element, str] = {}
    for element, reason in _invisible_elements(rules, panels, hidden):
        if element is article:
            continue
        if cover.is_large(element) and not _is_certain(element, reason, rules):
            large[element] = reason
        elif _may_fade_in(element, reason, rules):
            faded[element] = reason
        else:
            hidden.update(_hidden_parts(element, reason, rules))
    if len(faded) < _MIN_FADE_INS or not (index.by_tag["script"] or rules.misses_sheets):
        hidden.update(faded)
    for element, reason in large.items():
        if not cover.hides(element, hidden):
            hidden.update(_hidden_parts(element, reason, rules))
    return hidden


def _invisible_elements(
    rules: VisibilityRules, panels: Panels, hidden: dict[Element, str]
) -> Iterator[tuple[Element, str]]:
    """Yield the elements that may be invisible, outside of those that the caller found hidden."""
    for element in rules.candidates:
        tag = element.tag
        if tag in _PAGE_TAGS or tag in NON_TEXT_TAGS or _has_hidden_ancestor(element, hidden):
            continue
        reason = rules.hidden_reason(element) or aria_hidden_reason(element)
        if reason and not panels.can_open(element, reason):
            yield element, reason


def _may_fade_in(element: Element, reason: str, rules: VisibilityRules) -> bool:
    """Tell whether a faded element has its place in the page, as parts that a script fades in."""
    return (
        reason == "opacity: 0"
        and element.get(HIDDEN_MARK) is None
        and rules.position(element) not in PLACED
    )


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


def remove_elements(root: Element, hidden: HiddenElements) -> HiddenTextReport:
    """Remove the hidden elements and all comments from the tree."""
    report = HiddenTextReport()
    for element, reason in hidden.removed.items():
        _remove(element, reason, report)
    if hidden.article is not None:
        report.has_read_article = True
        report.add(f"{hidden.article_reason}, {_READ}", _count_chars(hidden.article))
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
        """Tell whether the element holds most of the text that is not hidden otherwise.

        Or the main part inside a list item, because of unclosed tags: browsers close these.
        """
        if _count_misplaced(element):
            return True
        outermost = [part for part in hidden if not _has_hidden_ancestor(part, hidden)]
        inside = sum(_count_chars(part) for part in outermost if element in part.iterancestors())
        others = sum(map(_count_chars, outermost))
        return _count_chars(element) - inside > _MAX_HIDDEN_SHARE * (self._chars - others)


def _count_chars(element: Element) -> int:
    return sum(map(len, text_parts(element)))
