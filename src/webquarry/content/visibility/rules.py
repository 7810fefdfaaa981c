"""Decides whether an element is invisible, from its attributes and the page's style rules."""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain

from webquarry.content.html.dom import Element, attributes_of
from webquarry.content.text.word_list import words
from webquarry.content.visibility.css_syntax import Declarations
from webquarry.content.visibility.css_values import pixels
from webquarry.content.visibility.custom_properties import resolve
from webquarry.content.visibility.declared_reasons import declared_reason
from webquarry.content.visibility.element_index import HIDDEN_MARK, ElementIndex
from webquarry.content.visibility.hiding_hints import (
    HIDING_PROPERTIES,
    RELEVANT_PROPERTIES,
    hiding_means,
    may_hide,
    means_of,
)
from webquarry.content.visibility.longhands import longhands_of
from webquarry.content.visibility.page_styles import PageStyles
from webquarry.content.visibility.rule_index import (
    RuleIndex,
    StyleRule,
    index_rules,
    usable_rules,
)
from webquarry.content.visibility.selector_matching import SelectorMatcher
from webquarry.content.visibility.text_colours import SAME_COLOUR, TRANSPARENT, TextColours

_SCREEN_READER_CLASSES = frozenset(
    words(
        "sr-only screen-reader-text screen-reader-only visually-hidden visuallyhidden "
        "a11y-hidden u-visually-hidden element-invisible screenreader-only is-visually-hidden "
        "sr_only assistive-text show-for-sr"
    )
)
_CLOAKS = ("x-cloak", "v-cloak", "ng-cloak")  # the page's script removes them
_VARIABLE = re.compile(r"--[\w-]+")
_MAX_REASON = 60  # characters
_MAX_DEFINITIONS = 5  # of one variable
_RELATIVE_SIZES = ("em", "%", "smaller", "larger", "inherit")


class VisibilityRules:
    """Evaluates attributes, style attributes and the page's style sheets."""

    def __init__(self, root: Element, index: ElementIndex) -> None:
        self._root = root
        self._index = index
        self._matcher = SelectorMatcher()
        self._means: set[str] = set()  # keys of RELEVANT_PROPERTIES that the page uses
        self._known_variables: dict[Element, Mapping[str, str]] = {}
        styles = PageStyles(index)
        self._rule_texts = styles.rules
        self._colours = TextColours(self._declared)
        if styles.is_complete:  # another style sheet may set any background
            bodies = [rule.body for rule in styles.rules if "background" in rule.body]
            bodies += [style for _, style in index.styled if "background" in style]
            self._colours.note_backgrounds(bodies, index.bgcolors, self._possible_values)
        self._hiding_rules = index_rules(self._usable, self._may_hide)

    @cached_property
    def candidates(self) -> list[Element]:
        """The elements that may be hidden."""
        index, rules = self._index, self._hiding_rules
        elements = [*index.hidden_marked, *index.by_tag["dialog"]]
        if self._colours.backgrounds:
            elements += index.by_tag["font"]
            self._means.update(("color",) if index.by_tag["font"] else ())
        elements += [e for e, style in index.styled if self._may_hide(style)]
        elements += index.with_class(_SCREEN_READER_CLASSES)
        elements += rules.elements(self._root, index)
        return [e for e in dict.fromkeys(elements) if _has_text(e)]

    def hidden_reason(self, element: Element) -> str | None:
        """Return why the element is invisible, or None if it is visible."""
        reason = _attribute_reason(element)
        if reason:
            return reason
        style = element.get("style", "")
        if element.tag == "img":
            # rules often hide images until a script has loaded them
            is_lazy = not style or _is_lazy(element)
            return None if is_lazy else declared_reason(element, _values(longhands_of(style)))
        is_styled = bool(style) and self._may_hide(style)
        is_font = element.tag == "font" and element.get("color") is not None
        if not is_styled and not is_font:
            rules = self._hiding_rules.rules_for(element, self._matcher)
            if not rules or _is_cloaked(element):
                return None
        declared = self._declared(element)
        return declared_reason(element, declared) or self._colours.reason(element, declared)

    def inherited_property(self, element: Element, reason: str) -> str | None:
        """Return the property by which the element is hidden if its children may set it again."""
        if reason == "visibility: hidden":
            return "visibility"
        if reason in (SAME_COLOUR, TRANSPARENT):
            return "color"
        if reason == "zero size" and _is_tiny_font(self._declared(element).get("font-size")):
            return "font-size"
        return None

    def shows_again(self, element: Element, name: str) -> bool:
        """Tell whether an element inside a hidden one sets the property so that it is seen."""
        if element.get("style") is None and element.get("class") is None:
            return False
        declared = self._declared(element)
        if name == "color":
            return "color" in declared or any(part.startswith("background") for part in declared)
        value = declared.get(name, "")
        if name == "visibility":
            return value == "visible"
        return bool(value) and not value.endswith(_RELATIVE_SIZES) and not _is_tiny_font(value)

    def _may_hide(self, body: str) -> bool:
        """Tell whether these declarations, alone or together with others, can hide text."""
        if not may_hide(body):
            return False
        certain, variable = hiding_means(body)
        means = set(certain)
        for name, value in variable:
            means.update(means_of(name, resolved) for resolved in self._possible_values(value))
        if "olor" in body and self._colours.may_hide(body.lower(), self._possible_values):
            means.add("color")
        means.discard("")
        self._means |= means
        return bool(means)

    @cached_property
    def _definitions(self) -> Mapping[str, list[str]]:
        """Every value that the page gives to each variable."""
        found: dict[str, list[str]] = {}
        bodies = chain((rule.body for rule in self._rule_texts), (s for _, s in self._index.styled))
        for body in bodies:
            if "--" in body:
                for name, (value, _) in longhands_of(body).items():
                    if name.startswith("--") and len(found.setdefault(name, [])) < _MAX_DEFINITIONS:
                        found[name].append(value)
        return found

    @cached_property
    def _last_definitions(self) -> Mapping[str, str]:
        return {name: values[-1] for name, values in self._definitions.items()}

    def _possible_values(self, value: str) -> Iterable[str]:
        """Return what a value with a variable may stand for, anywhere on the page."""
        last = self._last_definitions
        yield resolve(value, last)
        for name in _VARIABLE.findall(value):
            for other in self._definitions.get(name.lower(), [])[:-1]:
                yield resolve(value, {**last, name.lower(): other})

    @cached_property
    def _usable(self) -> list[StyleRule]:
        """The rules that may apply to an element of the page."""
        if not self._rule_texts:
            return []
        return usable_rules(self._rule_texts, self._index.class_and_id_names)

    @cached_property
    def _rules(self) -> RuleIndex:
        """Every rule that may hide or show something; most pages never need them."""
        return index_rules(self._usable, self._is_relevant)

    @cached_property
    def _variable_rules(self) -> RuleIndex:
        """The rules that set variables."""
        return index_rules(self._usable, lambda body: "--" in body)

    def _is_relevant(self, body: str) -> bool:
        lower = body.lower()
        return any(name in lower for name in self._relevant) or "\\" in body

    @cached_property
    def _relevant(self) -> tuple[str, ...]:
        return tuple({name for part in self._means for name in RELEVANT_PROPERTIES[part]})

    def _declared(self, element: Element) -> Mapping[str, str]:
        """Return what the rules and the style attribute declare, by the cascade."""
        rules = self._rules.rules_for(element, self._matcher)
        style = longhands_of(element.get("style", ""))
        declared: dict[str, str] = {}
        for rule in sorted(rules, key=_rank):
            declared.update(_values(rule.declarations, important=False))
        declared.update(_values(style, important=False))
        for rule in sorted(rules, key=_important_rank):  # their layers count in reverse
            declared.update(_values(rule.declarations, important=True))
        declared.update(_values(style, important=True))
        if any("var(" in declared.get(name, "") for name in HIDING_PROPERTIES):
            return self._resolved(element, declared)
        return declared

    def _resolved(self, element: Element, declared: Mapping[str, str]) -> Mapping[str, str]:
        variables = self._variables(element)
        values = {
            name: resolve(value, variables) if "var(" in value else value
            for name, value in declared.items()
        }
        return {name: value for name, value in values.items() if value}

    def _variables(self, element: Element) -> Mapping[str, str]:
        """Return the variables that an element inherits or sets."""
        path: list[Element] = []
        ancestor: Element | None = element
        while ancestor is not None and ancestor not in self._known_variables:
            path.append(ancestor)
            ancestor = ancestor.getparent()
        variables: Mapping[str, str] = {}
        if ancestor is not None:
            variables = self._known_variables[ancestor]
        for part in reversed(path):
            rules = self._variable_rules.rules_for(part, self._matcher)
            rules.sort(key=_rank)
            bodies = [rule.declarations for rule in rules] + [longhands_of(part.get("style", ""))]
            own = {
                name: declared.value
                for body in bodies
                for name, declared in body.items()
                if name.startswith("--")
            }
            variables = self._known_variables[part] = {**variables, **own} if own else variables
        return variables


def _rank(rule: StyleRule) -> tuple[int, tuple[int, int, int], int]:
    return rule.layer, rule.specificity, rule.order


def _important_rank(rule: StyleRule) -> tuple[int, tuple[int, int, int], int]:
    return -rule.layer, rule.specificity, rule.order


def _values(declarations: Declarations, *, important: bool | None = None) -> dict[str, str]:
    return {
        name: made.value
        for name, made in declarations.items()
        if important is None or made.important is important
    }


def _is_lazy(image: Element) -> bool:
    """Tell whether a script may show the image later."""
    names = [name for name, _ in attributes_of(image)]
    has_source = any(name.startswith("data-") and "src" in name for name in names)
    return has_source or "loading" in names or "lazy" in image.get("class", "")


def _attribute_reason(element: Element) -> str | None:
    mark = element.get(HIDDEN_MARK)
    if mark is not None:
        return mark[:_MAX_REASON]
    if element.get("hidden", "until-found").lower() != "until-found":
        return "hidden attribute"
    if element.tag == "dialog" and element.get("open") is None:
        return "closed dialog"
    if element.get("popover") is not None:
        return "closed popover"
    is_for_readers = not _SCREEN_READER_CLASSES.isdisjoint(element.get("class", "").split())
    return "for screen readers only" if is_for_readers else None


def _has_text(element: Element) -> bool:
    return bool(len(element) or (element.text or "").strip() or element.get("alt"))


def _is_cloaked(element: Element) -> bool:
    return any(element.get(name) is not None for name in _CLOAKS)


def _is_tiny_font(value: str | None) -> bool:
    size = pixels(value, percent=0.16)
    return size is not None and size < 2
