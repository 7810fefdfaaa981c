"""The style rules of a page, found by what their last compound selector needs."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from webquarry.content.html.dom import Element, tag_of
from webquarry.content.visibility.css_selectors import ANY, Selector, SelectorKey, parse_selector
from webquarry.content.visibility.css_syntax import Declarations
from webquarry.content.visibility.element_index import ElementIndex
from webquarry.content.visibility.longhands import longhands_of
from webquarry.content.visibility.selector_matching import SelectorMatcher
from webquarry.content.visibility.stylesheets import RuleText, split_selectors

_NAME = re.compile(r"[.#]([\w-]+)")
_CONDITIONS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_NAME_AND_KIND = re.compile(r"([.#])([\w-]+)")
_SIMPLE = re.compile(r"[\w.#*>+~\s-]+")
_GAP = re.compile(r"[>+~\s]+")
_MAX_CACHED_SELECTOR = 200  # characters
_MAX_RULES = 1000  # for one key
_MAX_ANYWHERE = 20  # rules that must be tested with every element


class StyleRule(NamedTuple):
    """A selector with the declarations it sets, and its place in the cascade.

    Both are parsed when they are needed: most rules apply to no candidate.
    """

    text: str  # of one selector
    body: str
    layer: int
    order: int

    @property
    def selector(self) -> Selector | None:
        return parse_selector(self.text)

    @property
    def specificity(self) -> tuple[int, int, int]:
        selector = self.selector
        return selector.specificity if selector else (0, 0, 0)

    @property
    def declarations(self) -> Declarations:
        return longhands_of(self.body)


class RuleIndex:
    """Style rules by the id, class, attribute or tag that an element must have."""

    def __init__(self) -> None:
        self.by_key: dict[SelectorKey, list[StyleRule]] = {}

    def add(self, rule: StyleRule) -> None:
        """Add the rule, unless there are too many of its kind."""
        for key in _keys(rule):
            rules = self.by_key.setdefault(key, [])
            if len(rules) < (_MAX_ANYWHERE if key == ANY else _MAX_RULES):
                rules.append(rule)

    def rules_for(self, element: Element, matcher: SelectorMatcher) -> list[StyleRule]:
        """Return the rules that apply to the element."""
        if not self.by_key:
            return []
        found = dict[StyleRule, None]()
        for key in self._keys_of(element):
            if key in self.by_key:
                found.update(dict.fromkeys(self.by_key[key]))
        return [
            rule
            for rule in found
            if (selector := rule.selector) and matcher.matches(selector, element)
        ]

    def _keys_of(self, element: Element) -> Iterator[SelectorKey]:
        yield ANY
        yield SelectorKey("tag", str(element.tag))
        if element_id := element.get("id"):
            yield SelectorKey("#", element_id)
        for name in element.get("class", "").split():
            yield SelectorKey(".", name)
        if self._attributes:
            yield from (
                SelectorKey("[", name) for name in element.attrib if name in self._attributes
            )

    @cached_property
    def _attributes(self) -> frozenset[str]:
        return frozenset(key.name for key in self.by_key if key.kind == "[")

    def elements(self, root: Element, index: ElementIndex) -> Iterator[Element]:
        """Yield the elements that have what one of the rules needs."""
        names: dict[str, list[str]] = {}
        for key in self.by_key:
            names.setdefault(key.kind, []).append(key.name)
        if "." in names:
            yield from index.with_class(frozenset(names["."]))
        for name in names.get("#", ()):
            yield from index.by_id.get(name, ())
        if "tag" in names:
            yield from root.iter(*names["tag"])
        for name in names.get("[", ()):
            yield from (element for element in index.elements if element.get(name) is not None)
        if "*" in names:
            yield from filter(tag_of, index.elements)


def _keys(rule: StyleRule) -> Iterable[SelectorKey]:
    """Return what elements need to match the last compound of the selector."""
    if _SIMPLE.fullmatch(rule.text):
        last = _GAP.split(rule.text)[-1]
        name = _NAME_AND_KIND.search(last)
        if name:
            kind: Literal["#", "."] = "#" if name[1] == "#" else "."
            return (SelectorKey(kind, name[2]),)
        return (SelectorKey("tag", last.lower()),) if last not in ("", "*") else (ANY,)
    selector = rule.selector
    return selector.compounds[-1].keys if selector else ()


def usable_rules(rules: Iterable[RuleText], names: frozenset[str]) -> list[StyleRule]:
    """Return the rules that need only these classes and ids, one for each selector."""
    usable: list[StyleRule] = []
    for order, selectors, body, layer in rules:
        if "," in selectors:
            usable += [
                StyleRule(part.strip(), body, layer, order)
                for part in split_selectors(selectors)
                if names.issuperset(_names_in(part))
            ]
        elif names.issuperset(_names_in(selectors)):  # most are for other pages of the site
            usable.append(StyleRule(selectors.strip(), body, layer, order))
    return usable


def index_rules(rules: Iterable[StyleRule], is_relevant: Callable[[str], bool]) -> RuleIndex:
    """Index the rules with relevant declarations."""
    index = RuleIndex()
    known: dict[str, bool] = {}
    for rule in rules:
        relevant = known.get(rule.body)
        if relevant is None:
            relevant = known[rule.body] = is_relevant(rule.body)
        if relevant:
            index.add(rule)
    return index


def _names_in(selector: str) -> frozenset[str]:
    """Return the classes and ids that a selector needs."""
    if len(selector) <= _MAX_CACHED_SELECTOR:
        return _cached_names(selector)
    return _names(selector)


@lru_cache(maxsize=8192)  # the rules of a site recur on each of its pages
def _cached_names(selector: str) -> frozenset[str]:
    return _names(selector)


def _names(selector: str) -> frozenset[str]:
    if "\\" in selector:
        return frozenset()
    while "(" in selector or "[" in selector:
        shorter = _CONDITIONS.sub("", selector)
        if shorter == selector:
            break
        selector = shorter
    return frozenset(_NAME.findall(selector))
