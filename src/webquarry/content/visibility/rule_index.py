"""The style rules of a page, found by what their last compound selector needs."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache

from webquarry.content.html.dom import Element, tag_of
from webquarry.content.visibility.css_selectors import (
    ANY,
    Selector,
    SelectorKey,
    parse_selector,
    with_signs,
    without_escapes,
)
from webquarry.content.visibility.css_syntax import Declarations
from webquarry.content.visibility.element_index import ElementIndex
from webquarry.content.visibility.longhands import longhands_of
from webquarry.content.visibility.selector_matching import SelectorMatcher
from webquarry.content.visibility.stylesheets import RuleText, split_selectors

_NAME = re.compile(r"[.#]([\w-]+)")
_CONDITIONS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_GAP = re.compile(r"[>+~\s]+")
_KEY = re.compile(r"[.#][\w-]+")
_TAG = re.compile(r"[a-zA-Z][\w-]*")
# what no element is before the visitor acts, and parts that are no elements
_NEVER = re.compile(
    r"::|:(?:hover|focus|focus-within|focus-visible|active|visited|target|before|after"
    r"|first-line|first-letter)\b"
)
# a last compound without class and id, or one that must be parsed to know
_OTHER_SELECTOR = re.compile(r"[(\[\\]|(?:\A|[\s>+~,])[^\s>+~,.#]+\s*+(?:,|\Z)")
_SIBLING = re.compile(r"[+~]")
_MAX_CACHED_SELECTOR = 200  # characters
_MAX_NESTING = 5  # of conditions
_MAX_RULES = 1000  # for one key
_MAX_ANYWHERE = 20  # rules that must be tested with every element


NumberedRule = tuple[int, RuleText]  # a later number wins


class StyleRule:
    """A selector with the declarations it sets, and its place in the cascade.

    Both are parsed when they are needed: most rules apply to no candidate.
    """

    __slots__ = ("_selector", "body", "layer", "order", "tag", "text")

    def __init__(self, text: str, body: str, layer: int, order: int) -> None:
        self.text = text  # of one selector
        self.body = body
        self.layer = layer
        self.order = order
        self.tag = ""  # of the elements, if the text shows it
        self._selector: Selector | str | None = ""  # "" until parsed

    @property
    def selector(self) -> Selector | None:
        """The parsed selector; None if it matches no element."""
        parsed = self._selector
        if isinstance(parsed, str):
            parsed = self._selector = parse_selector(self.text)
        return parsed

    def may_match(self, names: frozenset[str]) -> bool:
        """Tell whether an element may match that has, with its ancestors, these classes and ids."""
        return names.issuperset(_names_in(self.text)) or _SIBLING.search(self.text) is not None

    @property
    def specificity(self) -> tuple[int, int, int]:
        """The specificity of the selector: ids, classes, tags."""
        selector = self.selector
        return selector.specificity if selector else (0, 0, 0)

    @property
    def declarations(self) -> Declarations:
        """What the rule declares, as far as it decides visibility."""
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
        return _matching(self.possible_rules(element), element, matcher) if self.by_key else []

    def possible_rules(self, element: Element) -> Iterable[StyleRule]:
        """Return the rules for whose last compound the element has the key."""
        found = dict[StyleRule, None]()
        for key in self._keys_of(element):
            if key in self.by_key:
                found.update(dict.fromkeys(self.by_key[key]))
        return found

    def _keys_of(self, element: Element) -> list[SelectorKey]:
        keys = [ANY, str(element.tag)]
        if element_id := element.get("id"):
            keys.append(f"#{element_id}")
        if classes := element.get("class"):
            keys += [f".{name}" for name in classes.split()]
        if self._attributes:
            keys += [f"[{name}" for name in element.attrib if name in self._attributes]
        return keys

    @cached_property
    def _attributes(self) -> frozenset[str]:
        return frozenset(key[1:] for key in self.by_key if key[0] == "[")

    def elements(self, root: Element, index: ElementIndex) -> Iterator[Element]:
        """Yield the elements that have what one of the rules needs."""
        names: dict[str, list[str]] = {".": [], "#": [], "[": [], "": []}
        for key in self.by_key:
            if key != ANY:
                kind = key[0] if key[0] in names else ""
                names[kind].append(key[len(kind) :])
        if names["."]:
            yield from index.with_class(frozenset(names["."]))
        for name in names["#"]:
            yield from index.by_id.get(name, ())
        if names[""]:
            yield from root.iter(*names[""])
        for name in names["["]:
            yield from (element for element in index.elements if element.get(name) is not None)
        if ANY in self.by_key:
            yield from filter(tag_of, index.elements)


def _matching(
    rules: Iterable[StyleRule], element: Element, matcher: SelectorMatcher
) -> list[StyleRule]:
    names, tag = matcher.path.names(element), element.tag
    return [
        rule
        for rule in rules
        if (not rule.tag or rule.tag == tag)
        and rule.may_match(names)
        and (selector := rule.selector)
        and matcher.matches(selector, element)
    ]


def _keys(rule: StyleRule) -> Iterable[SelectorKey]:
    """Return what elements need to match the last compound of the selector."""
    text = without_escapes(rule.text)
    if "\\" not in text:
        bare = _without_conditions(text)
        if ":" in bare and _NEVER.search(bare):
            return ()
        last = _GAP.split(bare)[-1]
        tag, found = _TAG.match(last), _KEY.search(last)
        if tag:
            rule.tag = tag[0].lower()
        if tag or found:
            return (with_signs(found[0]) if found else rule.tag,)
    selector = rule.selector
    return selector.compounds[-1].keys if selector else ()


class LazyRuleIndex:
    """Style rules of which only those for some elements are needed."""

    def __init__(self, rules: Sequence[NumberedRule], names: frozenset[str]) -> None:
        self._rules = rules
        self._names = names
        self._by_name: dict[str, list[StyleRule]] = {}

    @cached_property
    def _others(self) -> RuleIndex:
        """The rules that may apply to elements without a class and an id."""
        others = [rule for rule in self._rules if _OTHER_SELECTOR.search(rule[1].selectors)]
        return index_rules(others, self._names)

    def rules_for(self, element: Element, matcher: SelectorMatcher) -> list[StyleRule]:
        """Return the rules that apply to the element."""
        if not self._rules:
            return []
        keys = [f".{name}" for name in element.get("class", "").split()]
        if element_id := element.get("id"):
            keys.append(f"#{element_id}")
        found = dict.fromkeys(self._others.possible_rules(element))
        for key in keys:
            found.update(dict.fromkeys(self._with(key)))
        return _matching(found, element, matcher)

    def _with(self, key: SelectorKey) -> list[StyleRule]:
        """Return the rules whose last compound has the class or id."""
        if key not in self._by_name:
            rules = [rule for rule in self._rules if key in rule[1].selectors]
            self._by_name[key] = index_rules(rules, self._names).by_key.get(key, [])
        return self._by_name[key]


def index_rules(
    rules: Iterable[NumberedRule],
    names: frozenset[str],
    is_relevant: Callable[[str], object] | None = None,
) -> RuleIndex:
    """Index the rules that need only these classes and ids and have relevant declarations."""
    index = RuleIndex()
    for order, (selectors, body, layer) in rules:
        # most are for other pages of the site
        parts = split_selectors(selectors) if "," in selectors else (selectors,)
        usable = [part for part in parts if names.issuperset(_names_in(part))]
        if usable and (is_relevant is None or is_relevant(body)):
            for part in usable:
                index.add(StyleRule(part.strip(), body, layer, order))
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
    plain = without_escapes(selector)
    if "\\" in plain:
        return frozenset()
    return frozenset(map(with_signs, _NAME.findall(_without_conditions(plain))))


def _without_conditions(selector: str) -> str:
    """Return a selector without what is in parentheses and brackets, "" if they are nested deep."""
    for _ in range(_MAX_NESTING):
        if "(" not in selector and "[" not in selector:
            return selector
        selector = _CONDITIONS.sub("", selector)
    return ""
