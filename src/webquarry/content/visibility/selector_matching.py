"""Tells which elements a selector matches, within a budget of tests for each page."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from webquarry.content.html.dom import Element, tag_of
from webquarry.content.visibility.css_selectors import (
    CompoundSelector,
    Condition,
    Selector,
    attribute_matches,
)

_MAX_TESTS = 300_000  # of one compound selector: a hostile sheet must not take long
_MAX_HAS = 2_000  # descendants that `:has()` looks at


@dataclass(slots=True)
class ElementPath:
    """The classes and ids on the path from an element to the root, cached per element."""

    _cache: dict[Element, frozenset[str]] = field(default_factory=dict[Element, frozenset[str]])

    def names(self, element: Element | None) -> frozenset[str]:
        """Return the classes and ids of the element and its ancestors."""
        path: list[Element] = []
        while element is not None and element not in self._cache:
            path.append(element)
            element = element.getparent()
        names = self._cache[element] if element is not None else frozenset[str]()
        for part in reversed(path):
            own = f"{part.get('class') or ''} {part.get('id') or ''}".split()
            names = self._cache[part] = names.union(own) if own else names
        return names


class SelectorMatcher:
    """Matches selectors against the elements of one page."""

    def __init__(self) -> None:
        self.path = ElementPath()
        self._tests_left = _MAX_TESTS
        self._tests: dict[str, Callable[[Condition, Element], bool]] = {
            "attribute": self._meets_attribute,
            "is": self._meets_any,
            "not": self._meets_none,
            "has": self._meets_has,
            "nth": self._meets_nth,
            "pseudo": self._meets_pseudo_class,
        }
        # whether an element or one around it matches the first compounds of a selector
        self._inside: dict[tuple[int, int], dict[Element, bool]] = {}
        # of the children of an element, by tag or all, from the start or the end
        self._positions: dict[tuple[Element, str, bool], dict[Element, int]] = {}

    def matches(self, selector: Selector, element: Element) -> bool:
        """Tell whether the selector matches; False when the budget is spent."""
        if selector.outer_names and not selector.outer_names <= self.path.names(
            element.getparent()
        ):
            return False
        return self._matches_from(selector.compounds, len(selector.compounds) - 1, element)

    def _matches_from(
        self, compounds: tuple[CompoundSelector, ...], at: int, element: Element
    ) -> bool:
        """Tell whether the element matches the compound, and others match those before it."""
        if not self._matches_compound(compounds[at], element):
            return False
        combinator = compounds[at].combinator
        if not combinator or self._tests_left < 0:
            return not combinator
        if combinator == " ":
            return self._is_inside(compounds, at - 1, element.getparent())
        return any(
            self._matches_from(compounds, at - 1, other) for other in _RELATED[combinator](element)
        )

    def _is_inside(
        self, compounds: tuple[CompoundSelector, ...], at: int, element: Element | None
    ) -> bool:
        """Tell whether this element or one around it matches: the same for all its children."""
        known = self._inside.setdefault((id(compounds), at), {})
        path: list[Element] = []
        found = False
        while element is not None and not found:
            if element in known:
                found = known[element]
                break
            path.append(element)
            found = self._matches_from(compounds, at, element)
            element = element.getparent()
        known.update(dict.fromkeys(path, found))
        return found

    def _matches_compound(self, compound: CompoundSelector, element: Element) -> bool:
        self._tests_left -= 1
        if self._tests_left < 0:
            return False
        if compound.tag and compound.tag != element.tag:
            return False
        if compound.ids and any(element.get("id") != name for name in compound.ids):
            return False
        if compound.classes:
            classes = element.get("class", "").split()
            if not all(name in classes for name in compound.classes):
                return False
        return not compound.conditions or all(
            self._meets(condition, element) for condition in compound.conditions
        )

    def _meets(self, condition: Condition, element: Element) -> bool:
        return self._tests[condition.kind](condition, element)

    def _meets_attribute(self, condition: Condition, element: Element) -> bool:
        return attribute_matches(element.get(condition.name), condition.value)

    def _meets_any(self, condition: Condition, element: Element) -> bool:
        return any(self.matches(option, element) for option in condition.value)

    def _meets_none(self, condition: Condition, element: Element) -> bool:
        return not self._meets_any(condition, element)

    def _meets_has(self, condition: Condition, element: Element) -> bool:
        return any(self._has(element, how, option) for how, option in condition.value)

    def _meets_pseudo_class(self, condition: Condition, element: Element) -> bool:
        return _PSEUDO_CLASSES.get(condition.name, _never)(element)

    def _has(self, element: Element, how: str, option: Selector) -> bool:
        if how in ("+", "~"):
            others = _siblings(element.itersiblings())
        else:
            others = iter(element) if how == ">" else element.iterdescendants()
        near = islice(others, 1 if how == "+" else _MAX_HAS)
        return any(tag_of(other) and self.matches(option, other) for other in near)

    def _meets_nth(self, condition: Condition, element: Element) -> bool:
        step, offset = condition.value
        position = self._position(element, condition.name)
        if step == 0:
            return position == offset
        count, rest = divmod(position - offset, step)
        return rest == 0 and count >= 0

    def _position(self, element: Element, name: str) -> int:
        """Return the number of an element among its siblings, from 1."""
        parent = element.getparent()
        if parent is None:
            return 1
        of_type = str(element.tag) if name.endswith("of-type") else ""
        key = (parent, of_type, "last" in name)
        if key not in self._positions:
            self._positions[key] = _positions(parent, of_type, from_end="last" in name)
        return self._positions[key][element]


def _positions(parent: Element, tag: str, *, from_end: bool) -> dict[Element, int]:
    """Return the numbers of the children with this tag, "" for all."""
    children = [child for child in parent if tag_of(child) and (not tag or child.tag == tag)]
    ordered = reversed(children) if from_end else children
    return {child: number for number, child in enumerate(ordered, 1)}


def _siblings(found: Iterator[Element]) -> Iterator[Element]:
    return (other for other in found if tag_of(other))


def _parents(element: Element) -> Iterator[Element]:
    parent = element.getparent()
    return iter(() if parent is None else (parent,))


def _previous(element: Element) -> Iterator[Element]:
    return _siblings(element.itersiblings(preceding=True))


def _directly_previous(element: Element) -> Iterator[Element]:
    return islice(_previous(element), 1)


def _never(_: Element) -> bool:
    return False


def _always(_: Element) -> bool:
    return True


def _is_first(element: Element) -> bool:
    return next(_previous(element), None) is None


def _is_last(element: Element) -> bool:
    return next(_siblings(element.itersiblings()), None) is None


def _is_empty(element: Element) -> bool:
    return len(element) == 0 and not element.text


def _is_root(element: Element) -> bool:
    return element.getparent() is None


def _is_link(element: Element) -> bool:
    return element.tag == "a" and element.get("href") is not None


def _is_disabled(element: Element) -> bool:
    return element.get("disabled") is not None


def _is_open(element: Element) -> bool:
    return element.get("open") is not None


_RELATED: dict[str, Callable[[Element], Iterator[Element]]] = {
    ">": _parents,
    "+": _directly_previous,
    "~": _previous,
}
# all others, such as :hover and :target, depend on what the visitor does
_PSEUDO_CLASSES: dict[str, Callable[[Element], bool]] = {
    "root": _is_root,
    "scope": _is_root,
    "first-child": _is_first,
    "last-child": _is_last,
    "only-child": lambda element: _is_first(element) and _is_last(element),
    "empty": _is_empty,
    "link": _is_link,
    "any-link": _is_link,
    "disabled": _is_disabled,
    "checked": lambda element: element.get("checked") is not None,
    "open": _is_open,
    "defined": _always,  # scripts define custom elements
}
