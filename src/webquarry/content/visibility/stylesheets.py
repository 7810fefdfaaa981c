"""Parses style sheets: rules, selectors and declarations, as far as they decide visibility."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_COMPOUND = re.compile(r"([a-zA-Z][\w-]*|\*)?((?:[.#][\w-]+)*)")
_CLASS_OR_ID = re.compile(r"([.#])([\w-]+)")
_NAME = re.compile(r"[.#]([\w-]+)")
_SCREEN_MEDIA = re.compile(r"@media\s*(only\s+)?(all|screen)\s*$", re.IGNORECASE)
MAX_SHEET = 400_000  # characters
_MAX_CACHED_SHEET = 65_536  # characters: the pages of a site share their sheets
_MAX_CACHED_SELECTOR = 200  # characters
_MAX_RULES = 1000  # for one class, id or tag
_MAX_COMPOUNDS = 4


class RuleText(NamedTuple):
    """One rule as written: its number in the sheet, its selectors and its declarations."""

    order: int
    selectors: str
    body: str


@dataclass(frozen=True, slots=True)
class CompoundSelector:
    """The tag, ids and classes that one element must have."""

    tag: str
    ids: frozenset[str]
    classes: frozenset[str]


Selectors = tuple[CompoundSelector, ...]


@dataclass(frozen=True, slots=True)
class StyleRule:
    """A complex selector, outermost part first, with the declarations it sets."""

    selectors: Selectors
    specificity: tuple[int, int, int, int]  # ids, classes, tags, order
    declarations: dict[str, str]
    outer_names: frozenset[str]  # classes and ids that ancestors must have


@dataclass(slots=True)
class RuleIndex:
    """Style rules by id, class or tag of their last compound selector."""

    by_id: dict[str, list[StyleRule]] = field(default_factory=dict[str, list[StyleRule]])
    by_class: dict[str, list[StyleRule]] = field(default_factory=dict[str, list[StyleRule]])
    by_tag: dict[str, list[StyleRule]] = field(default_factory=dict[str, list[StyleRule]])
    _known: dict[Selectors, StyleRule] = field(default_factory=dict[Selectors, StyleRule])

    def add(self, rule: StyleRule) -> None:
        """Add the rule; one with a known selector extends the declarations of the first."""
        last = rule.selectors[-1]
        if last.ids:
            rules = self.by_id.setdefault(min(last.ids), [])
        elif last.classes:
            rules = self.by_class.setdefault(min(last.classes), [])
        else:
            rules = self.by_tag.setdefault(last.tag, [])
        known = self._known.get(rule.selectors)
        if known is not None:
            known.declarations.update(rule.declarations)
        elif len(rules) < _MAX_RULES:
            self._known[rule.selectors] = rule
            rules.append(rule)


def parse_declarations(style: str) -> dict[str, str]:
    """Return property -> value of a declaration block, lower case; `!important` wins."""
    declarations: dict[str, str] = {}
    important_names: set[str] = set()
    for part in style.lower().split(";"):
        name, colon, value = part.partition(":")
        name, value = name.strip(), value.strip()
        if not colon or not value:
            continue
        important = value.endswith("!important")
        if name not in important_names or important:
            declarations[name] = value.removesuffix("!important").strip()
        if important:
            important_names.add(name)
    return declarations


def parse_stylesheet(source: str) -> tuple[RuleText, ...]:
    """Return the rules of a style sheet that apply to a screen."""
    return _cached_rules(source) if len(source) <= _MAX_CACHED_SHEET else tuple(_rules(source))


@lru_cache(maxsize=64)
def _cached_rules(source: str) -> tuple[RuleText, ...]:
    return tuple(_rules(source))


def _rules(source: str) -> Iterator[RuleText]:
    text = _COMMENT.sub(" ", source[:MAX_SHEET]) if "/*" in source else source[:MAX_SHEET]
    at_rules: list[bool] = []  # the open at-rules: whether each applies
    for order, part in enumerate(text.split("}")):
        *outer, body = part.split("{")
        if not outer:
            del at_rules[-1:]  # this brace closes an at-rule
            continue
        head = outer.pop()
        at_rules += [_applies(each.strip()) for each in outer]
        if all(at_rules) and "@" not in head:
            yield RuleText(order, head, body)


def index_rules(
    rules: Iterable[RuleText], names: frozenset[str], is_relevant: Callable[[str], object]
) -> RuleIndex:
    """Index the rules with relevant declarations that use only these classes and ids."""
    index = RuleIndex()
    for order, selectors, body in rules:
        if "," not in selectors and not names.issuperset(_names_in(selectors)):
            continue  # most rules of a sheet are for other pages of the site
        usable = [part for part in selectors.split(",") if names.issuperset(_names_in(part))]
        if usable and is_relevant(body):
            for compounds in filter(None, map(_parse_selector, usable)):
                # a dict for each rule, because `add` may extend it
                index.add(_style_rule(compounds, order, parse_declarations(body)))
    return index


def _style_rule(selectors: Selectors, order: int, declarations: dict[str, str]) -> StyleRule:
    specificity = (
        sum(len(part.ids) for part in selectors),
        sum(len(part.classes) for part in selectors),
        sum(part.tag != "*" for part in selectors),
        order,
    )
    outer_names = frozenset[str]().union(*(part.ids | part.classes for part in selectors[:-1]))
    return StyleRule(selectors, specificity, declarations, outer_names)


def _names_in(selector: str) -> frozenset[str]:
    """Return the classes and ids in a selector."""
    if len(selector) <= _MAX_CACHED_SELECTOR:
        return _cached_names(selector)
    return frozenset(_NAME.findall(selector))


@lru_cache(maxsize=4096)  # the rules of a site recur on each of its pages
def _cached_names(selector: str) -> frozenset[str]:
    return frozenset(_NAME.findall(selector))


def _applies(at_rule: str) -> bool:
    if at_rule.lower().startswith("@media"):
        return bool(_SCREEN_MEDIA.match(at_rule))
    return at_rule.lower().startswith(("@supports", "@layer", "@container"))


def _parse_selector(selector: str) -> Selectors:
    """Return the compounds of a selector; () for one with pseudo-classes or other conditions."""
    compounds: list[CompoundSelector] = []
    for part in selector.replace(">", " ").split():
        match = _COMPOUND.fullmatch(part)
        if match is None:
            return ()
        names = _CLASS_OR_ID.findall(match[2])
        compounds.append(
            CompoundSelector(
                (match[1] or "*").lower(),
                frozenset(name for prefix, name in names if prefix == "#"),
                frozenset(name for prefix, name in names if prefix == "."),
            )
        )
    return tuple(compounds[-_MAX_COMPOUNDS:])
