"""The cascade: what the style rules of a page and a style attribute declare for an element."""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from itertools import chain

from webquarry.content.html.dom import Element
from webquarry.content.visibility.css_syntax import Declarations
from webquarry.content.visibility.custom_properties import PageVariables
from webquarry.content.visibility.element_index import ElementIndex
from webquarry.content.visibility.hiding_hints import HIDING_PROPERTIES, RELEVANT_PROPERTIES
from webquarry.content.visibility.longhands import longhands_of
from webquarry.content.visibility.page_styles import PageStyles
from webquarry.content.visibility.rule_index import LazyRuleIndex, RuleIndex, StyleRule
from webquarry.content.visibility.selector_matching import SelectorMatcher

_IMPORTANT_DISPLAY = "display!"  # only important rules win over a style attribute


class Cascade:
    """Finds the declarations of single elements; most pages need few of their rules."""

    def __init__(self, styles: PageStyles, index: ElementIndex) -> None:
        rules = styles.rules
        self.rules = list(enumerate(rules))
        self._index = index
        self._matcher = SelectorMatcher()
        self._by_means: dict[str, LazyRuleIndex] = {}
        bodies = chain((rule.body for rule in rules), (style for _, style in index.styled))
        self.variables = PageVariables(
            bodies, self._variable_bodies, is_complete=styles.is_complete
        )

    @cached_property
    def names(self) -> frozenset[str]:
        """The classes and ids of the page."""
        return self._index.class_and_id_names

    def matching(self, rules: RuleIndex, element: Element) -> list[StyleRule]:
        """Return the rules of the index that apply to the element."""
        return rules.rules_for(element, self._matcher)

    def declared(self, element: Element, means: Collection[str]) -> Mapping[str, str]:
        """Return what is declared for an element.

        It is complete for the properties that matter to these ways of hiding text only.
        """
        style = longhands_of(element.get("style", ""))
        only_display = len(means) == 1 and "display" in means and "display" in style
        rules = self._rules_for(element, (_IMPORTANT_DISPLAY,) if only_display else means)
        declared: dict[str, str] = {}
        for rule in sorted(rules, key=_rank):
            declared.update(values_of(rule.declarations, important=False))
        declared.update(values_of(style, important=False))
        for rule in sorted(rules, key=_important_rank):  # their layers count in reverse
            declared.update(values_of(rule.declarations, important=True))
        declared.update(values_of(style, important=True))
        variable = [
            name
            for name, value in declared.items()
            if "var(" in value and name in HIDING_PROPERTIES and _is_relevant(name, means)
        ]
        if variable:
            resolved = self.variables.resolved_for
            declared.update((name, resolved(element, declared[name])) for name in variable)
            return {name: value for name, value in declared.items() if value}
        return declared

    def _rules_for(self, element: Element, means: Iterable[str]) -> Collection[StyleRule]:
        found = (self._relevant(part).rules_for(element, self._matcher) for part in means)
        return {(rule.order, rule.text): rule for rules in found for rule in rules}.values()

    def _relevant(self, means: str) -> LazyRuleIndex:
        """Return the rules that can change the effect of a hiding declaration."""
        if means not in self._by_means:
            properties = (*RELEVANT_PROPERTIES[means.removesuffix("!")], "\\")
            rules = self.lower_bodies
            if means == _IMPORTANT_DISPLAY:
                rules = [rule for rule in rules if "important" in rule[1] or "\\" in rule[1]]
            numbers = {n for name in properties for n, body in rules if name in body}
            relevant = [self.rules[n] for n in sorted(numbers)]
            self._by_means[means] = LazyRuleIndex(relevant, self.names)
        return self._by_means[means]

    @cached_property
    def lower_bodies(self) -> list[tuple[int, str]]:
        """The declarations of each rule, in lower case, with its number."""
        return [(number, rule.body.lower()) for number, rule in self.rules]

    @cached_property
    def _variable_rules(self) -> LazyRuleIndex:
        rules = [rule for rule in self.rules if "--" in rule[1].body]
        return LazyRuleIndex(rules, self.names)

    def _variable_bodies(self, element: Element) -> list[str]:
        rules = self._variable_rules.rules_for(element, self._matcher)
        return [*(rule.body for rule in sorted(rules, key=_rank)), element.get("style", "")]


def _is_relevant(name: str, means: Iterable[str]) -> bool:
    return any(part in name for one in means for part in RELEVANT_PROPERTIES[one])


def _rank(rule: StyleRule) -> tuple[int, tuple[int, int, int], int]:
    return rule.layer, rule.specificity, rule.order


def _important_rank(rule: StyleRule) -> tuple[int, tuple[int, int, int], int]:
    return -rule.layer, rule.specificity, rule.order


def values_of(declarations: Declarations, *, important: bool | None = None) -> dict[str, str]:
    """Return the values by property, of all declarations or of the important or other ones."""
    return {
        name: made.value
        for name, made in declarations.items()
        if important is None or made.important is important
    }
