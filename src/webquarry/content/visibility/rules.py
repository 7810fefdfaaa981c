"""Decides whether an element is invisible, from its attributes and the page's style rules."""

import re
from functools import cached_property
from itertools import chain

from webquarry.content.html.dom import Element, attributes_of
from webquarry.content.visibility.cascade import Cascade, values_of
from webquarry.content.visibility.css_values import pixels
from webquarry.content.visibility.declared_reasons import declared_reason
from webquarry.content.visibility.element_index import HIDDEN_MARK, ElementIndex
from webquarry.content.visibility.hiding_hints import hiding_means, may_hide, means_of
from webquarry.content.visibility.longhands import longhands_of
from webquarry.content.visibility.page_styles import PageStyles
from webquarry.content.visibility.rule_index import RuleIndex, index_rules
from webquarry.content.visibility.screen_readers import (
    SCREEN_READER_CLASSES,
    is_for_screen_readers,
)
from webquarry.content.visibility.text_colours import SAME_COLOUR, TRANSPARENT, TextColours

_CLOAKS = ("x-cloak", "v-cloak", "ng-cloak")  # the page's script removes them
_VISIBLE = re.compile(r"visibility\s*+:\s*+(?:visible|var)|\\|/\*", re.IGNORECASE)
_MAX_REASON = 60  # characters
_COLOUR = ("color",)
_RELATIVE_SIZES = ("em", "%", "smaller", "larger", "inherit")


def can_hide_nothing(index: ElementIndex) -> bool:
    """Tell quickly that a page has no style and no attribute by which it could hide an element."""
    by_tag = index.by_tag
    has_styles = index.styled or by_tag["style"] or by_tag["link"] or by_tag["font"]
    has_marks = index.hidden_marked or by_tag["dialog"]
    return not has_styles and not has_marks and not index.with_class(SCREEN_READER_CLASSES)


class VisibilityRules:
    """Evaluates attributes, style attributes and the page's style sheets."""

    def __init__(self, root: Element, index: ElementIndex) -> None:
        self._root = root
        self._index = index
        self._means_by_body: dict[str, frozenset[str]] = {}
        styles = PageStyles(index)
        self.misses_sheets = not styles.is_complete
        self._cascade = Cascade(styles, index)
        self._possible_values = self._cascade.variables.possible_values
        self._colours = TextColours(lambda element: self._cascade.declared(element, _COLOUR))
        if styles.is_complete:  # another style sheet may set any background
            bodies = [rule.body for rule in styles.rules if "background" in rule.body]
            bodies += [style for _, style in index.styled if "background" in style]
            self._colours.note_backgrounds(bodies, index.bgcolors, self._possible_values)
        self._hiding_rules = RuleIndex()
        bodies = self._cascade.lower_bodies
        possible = [self._cascade.rules[n] for n, body in bodies if self._may_hide(body)]
        if possible:
            self._hiding_rules = index_rules(possible, self._cascade.names, self._means_of)

    @cached_property
    def candidates(self) -> list[Element]:
        """The elements that may be hidden."""
        index, rules = self._index, self._hiding_rules
        elements = [*index.hidden_marked, *index.by_tag["dialog"]]
        if self._colours.backgrounds:
            elements += index.by_tag["font"]
        elements += [e for e, style in index.styled if self._means_of(style)]
        elements += index.with_class(SCREEN_READER_CLASSES)
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
            return None if is_lazy else declared_reason(element, values_of(longhands_of(style)))
        means = self._means_for(element, style)
        if not means:
            return None
        declared = self._cascade.declared(element, means)
        reason = declared_reason(element, declared)
        if reason or "color" not in means:
            return reason
        return self._colours.reason(element, declared)

    def _means_for(self, element: Element, style: str) -> set[str]:
        """Return by what the element may be hidden."""
        means = set(self._means_of(style)) if style else set[str]()
        if element.tag == "font" and element.get("color") is not None:
            means.add("color")
        rules = self._cascade.matching(self._hiding_rules, element)
        if rules and (means or not _is_cloaked(element)):
            means = means.union(*(self._means_of(rule.body) for rule in rules))
        return means

    def inherited_property(self, element: Element, reason: str) -> str | None:
        """Return the property by which the element is hidden if its children may set it again."""
        if reason == "visibility: hidden":
            return "visibility" if self._sets_visible else None
        if reason in (SAME_COLOUR, TRANSPARENT):
            return "color"
        if reason == "zero size":
            size = self._cascade.declared(element, ("font-size",)).get("font-size")
            return "font-size" if _is_tiny_font(size) else None
        return None

    def position(self, element: Element) -> str:
        """Return the declared `position` of an element, "static" if there is none."""
        return self._cascade.declared(element, ("position",)).get("position", "static")

    @cached_property
    def _sets_visible(self) -> bool:
        """Whether anything on the page is declared visible."""
        bodies = chain(self._cascade.lower_bodies, enumerate(s for _, s in self._index.styled))
        return any(_VISIBLE.search(body) for _, body in bodies)

    def shows_again(self, element: Element, name: str) -> bool:
        """Tell whether an element inside a hidden one sets the property so that it is seen."""
        if element.get("style") is None and element.get("class") is None:
            return False
        declared = self._cascade.declared(element, (name,))
        if name == "color":
            return "color" in declared or any(part.startswith("background") for part in declared)
        value = declared.get(name, "")
        if name == "visibility":
            return value == "visible"
        return bool(value) and not value.endswith(_RELATIVE_SIZES) and not _is_tiny_font(value)

    def _may_hide(self, body: str) -> bool:
        """Tell quickly whether declarations in lower case may hide text; most do not."""
        return may_hide(body) or self._colours.may_matter(body)

    def _means_of(self, body: str) -> frozenset[str]:
        """Return by what these declarations, alone or together with others, can hide text."""
        known = self._means_by_body.get(body)
        if known is None:
            known = self._means_by_body[body] = self._hiding_means(body)
        return known

    def _hiding_means(self, body: str) -> frozenset[str]:
        certain, variable = hiding_means(body)
        means = set(certain)
        for name, value in variable:
            means.update(means_of(name, resolved) for resolved in self._possible_values(value))
        lower = body.lower()
        colours = self._colours
        if colours.may_matter(lower) and colours.may_hide(lower, self._possible_values):
            means.add("color")
        means.discard("")
        return frozenset(means)


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
    return "for screen readers only" if is_for_screen_readers(element) else None


def _has_text(element: Element) -> bool:
    return bool(len(element) or (element.text or "").strip() or element.get("alt"))


def _is_cloaked(element: Element) -> bool:
    return any(element.get(name) is not None for name in _CLOAKS)


def _is_tiny_font(value: str | None) -> bool:
    size = pixels(value, percent=0.16)
    return size is not None and size < 2
