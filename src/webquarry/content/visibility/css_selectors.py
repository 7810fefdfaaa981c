"""Selectors: parsed once, matched against elements from right to left."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, cast

from cssselect2 import parser

Combinator = Literal["", " ", ">", "+", "~"]
_MAX_SELECTOR = 1000  # characters
_MAX_COMPOUNDS = 12
_SIMPLE = re.compile(r"[\w.#*>+~\s-]+")
_PART = re.compile(r"([a-zA-Z][\w-]*|\*)?((?:[.#][\w-]+)*)")
_CLASS_OR_ID = re.compile(r"([.#])([\w-]+)")
_GAP = re.compile(r"\s*([>+~])\s*|\s+")
_ESCAPE = re.compile(r"\\([!-,./:-@\[-^`{-~])")  # of a sign; those of letters are code points
_LETTERS = 0x20000  # as many letters as there are signs, which no page uses in its classes
_SIGNS = {_LETTERS + code: chr(code) for code in range(128)}


def without_escapes(selector: str) -> str:
    """Return a selector with letters in place of escaped signs."""
    if "\\" not in selector:
        return selector
    return _ESCAPE.sub(lambda match: chr(_LETTERS + ord(match[1])), selector)


def with_signs(name: str) -> str:
    """Return a name in a selector `without_escapes` as elements have it."""
    return name if name.isascii() else name.translate(_SIGNS)


# What an element must have: an id ("#name"), a class (".name"), an attribute ("[name"), a tag
# ("name"), or nothing ("*")
SelectorKey = str
ANY = "*"


class Condition(NamedTuple):
    """One condition on an element besides its tag, ids and classes."""

    kind: str  # "attribute", "is", "not", "has", "pseudo", "nth"
    name: str
    value: Any
    keys: frozenset[SelectorKey] = frozenset((ANY,))


@dataclass(frozen=True, slots=True)
class CompoundSelector:
    """The conditions that one element must meet, and how it is related to the one before."""

    tag: str = ""  # "" for any
    ids: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    combinator: Combinator = ""  # "" for the first compound

    @property
    def keys(self) -> frozenset[SelectorKey]:
        """An element that matches has at least one of these."""
        if self.ids:
            return frozenset((f"#{self.ids[0]}",))
        if self.classes:
            return frozenset((f".{self.classes[0]}",))
        if self.tag:
            return frozenset((self.tag,))
        choices = [c.keys for c in self.conditions if ANY not in c.keys]
        return min(choices, key=len, default=frozenset((ANY,)))


@dataclass(frozen=True, slots=True)
class Selector:
    """A complex selector, outermost compound first."""

    compounds: tuple[CompoundSelector, ...]
    specificity: tuple[int, int, int]
    outer_names: frozenset[str]  # classes and ids that ancestors must have


def parse_selector(text: str) -> Selector | None:
    """Return the selector; None for one that matches no element or cannot be read."""
    return _parse(text.strip()) if len(text) <= _MAX_SELECTOR else None


@lru_cache(maxsize=4096)  # the rules of a site recur on each of its pages
def _parse(text: str) -> Selector | None:
    plain = without_escapes(text)
    if _SIMPLE.fullmatch(plain):
        return _simple(plain)
    try:
        parsed: list[Any] = list(cast("Any", parser).parse(text, forgiving=False))
    except (ValueError, RecursionError):  # SelectorError is a ValueError
        return None
    if len(parsed) != 1 or parsed[0].pseudo_element is not None:
        return None
    return _converted(parsed[0])


def _simple(text: str) -> Selector | None:
    """Return a selector of tags, classes and ids, without the cost of the parser."""
    compounds: list[CompoundSelector] = []
    position, combinator = 0, cast("Combinator", "")
    while position < len(text):
        part = _PART.match(text, position)
        if part is None or part.end() == position or len(compounds) == _MAX_COMPOUNDS:
            return None
        names = _CLASS_OR_ID.findall(part[2])
        compounds.append(
            CompoundSelector(
                "" if part[1] in (None, "*") else part[1].lower(),
                tuple(with_signs(name) for prefix, name in names if prefix == "#"),
                tuple(with_signs(name) for prefix, name in names if prefix == "."),
                combinator=combinator,
            )
        )
        gap = _GAP.match(text, part.end())
        if gap is None:
            return _selector(compounds) if part.end() == len(text) else None
        combinator, position = cast("Combinator", gap[1] or " "), gap.end()
    return None


def _selector(
    compounds: list[CompoundSelector], specificity: tuple[int, int, int] | None = None
) -> Selector:
    return Selector(
        tuple(compounds),
        specificity
        or (
            sum(len(part.ids) for part in compounds),
            sum(len(part.classes) for part in compounds),
            sum(bool(part.tag) for part in compounds),
        ),
        _outer_names(compounds),
    )


def _outer_names(compounds: list[CompoundSelector]) -> frozenset[str]:
    """Return the names that ancestors must have; those before a sibling are left out."""
    names: list[str] = []
    related = ""
    for part in reversed(compounds):
        if related in ("+", "~"):
            break
        if related:
            names += part.ids + part.classes
        related = part.combinator
    return frozenset(names)


def _converted(selector: Any) -> Selector | None:
    """Return the selector of the parser in our form."""
    compounds: list[CompoundSelector] = []
    tree = selector.parsed_tree if hasattr(selector, "parsed_tree") else selector
    pairs: list[tuple[Any, Combinator]] = []
    while type(tree).__name__ == "CombinedSelector":
        pairs.append((tree.right, tree.combinator))
        tree = tree.left
    pairs.append((tree, ""))
    for node, combinator in reversed(pairs):
        compound = _compound(node.simple_selectors, combinator)
        if compound is None or len(compounds) == _MAX_COMPOUNDS:
            return None
        compounds.append(compound)
    return _selector(compounds, selector.specificity)


def _compound(nodes: Iterable[Any], combinator: Combinator) -> CompoundSelector | None:
    tag, ids, classes, conditions = "", list[str](), list[str](), list[Condition]()
    for node in nodes:
        kind = type(node).__name__
        if kind == "LocalNameSelector":
            tag = node.lower_local_name
        elif kind == "IDSelector":
            ids.append(node.ident)
        elif kind == "ClassSelector":
            classes.append(node.class_name)
        elif kind in _CONVERTERS:
            condition = _CONVERTERS[kind](node)
            if condition is None:
                return None
            conditions.append(condition)
        elif kind != "NamespaceSelector":
            return None
    return CompoundSelector(tag, tuple(ids), tuple(classes), tuple(conditions), combinator)


def _attribute(node: Any) -> Condition:
    value, folded = node.value, node.case_sensitive is False
    test = (node.operator, value.lower() if folded and value else value, folded)
    key = frozenset((f"[{node.lower_name}",))
    return Condition("attribute", node.lower_name, test, key)


def _list_of(kind: str) -> Callable[[Any], Condition | None]:
    def convert(node: Any) -> Condition | None:
        options = [_converted(option) for option in node.selector_list]
        found = tuple(option for option in options if option)
        if kind == "not":
            return Condition(kind, "", found)
        keys = frozenset[SelectorKey]().union(*(option.compounds[-1].keys for option in found))
        return Condition(kind, "", found, keys)

    return convert


def _has(node: Any) -> Condition | None:
    options = [(option.combinator, _converted(option.selector)) for option in node.selector_list]
    return Condition("has", "", tuple((how, option) for how, option in options if option))


def _pseudo(node: Any) -> Condition:
    return Condition("pseudo", str(node.name).lower(), None)


def _function(node: Any) -> Condition | None:
    from tinycss2 import nth

    name = str(node.name).lower()
    if not name.startswith("nth-"):
        return Condition("pseudo", name, None)
    formula: Any = cast("Any", nth).parse_nth(node.arguments)
    return Condition("nth", name, formula) if formula else None


_CONVERTERS: dict[str, Callable[[Any], Condition | None]] = {
    "AttributeSelector": _attribute,
    "MatchesAnySelector": _list_of("is"),
    "SpecificityAdjustmentSelector": _list_of("is"),
    "NegationSelector": _list_of("not"),
    "RelationalSelector": _has,
    "PseudoClassSelector": _pseudo,
    "FunctionalPseudoClassSelector": _function,
}


def attribute_matches(value: str | None, test: tuple[str | None, str, bool]) -> bool:
    """Tell whether the value of an attribute fulfils a condition."""
    operator, expected, folded = test
    if value is None or operator is None:
        return value is not None
    actual = value.lower() if folded else value
    return _OPERATORS[operator](actual, expected)


_OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda actual, expected: actual == expected,
    "~=": lambda actual, expected: expected in actual.split(),
    "|=": lambda actual, expected: actual == expected or actual.startswith(f"{expected}-"),
    "^=": lambda actual, expected: bool(expected) and actual.startswith(expected),
    "$=": lambda actual, expected: bool(expected) and actual.endswith(expected),
    "*=": lambda actual, expected: bool(expected) and expected in actual,
}
