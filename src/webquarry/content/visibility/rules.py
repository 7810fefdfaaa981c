"""Decides whether an element is invisible, from its attributes and the page's style rules."""

import re
from functools import cached_property, lru_cache
from itertools import chain

from webquarry.content.html.dom import Element
from webquarry.content.text.word_list import words
from webquarry.content.visibility.css_colors import (
    WHITE,
    Colour,
    is_indistinguishable,
    is_transparent,
    parse_colour,
)
from webquarry.content.visibility.declared_reasons import declared_reason
from webquarry.content.visibility.element_index import ElementIndex
from webquarry.content.visibility.selector_matching import ElementPath, rules_for
from webquarry.content.visibility.stylesheets import (
    RuleIndex,
    index_rules,
    parse_declarations,
    parse_stylesheet,
)

_HIDES = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(hidden|collapse)|opacity\s*+:\s*+0*+\.?0*+\s*+(%|;|!|$)"
    r"|font-size\s*:\s*(?:0*+\.0|0|1px|1?\.\d+px)\w*+\s*+(;|!|$)|height\s*:\s*[01](\.0)?(px)?\s*(;|!|$)"
    r"|:\s*-(\d{3,}|\d{2,}\.?\d*(em|rem|vw|vh|%))|scale[xy]?\(\s*0|translate\w{0,8}\(\s*-\d{3}"
    r"|clip(-path)?\s*:\s*(rect|inset|circle|polygon)|(^|[^-])color\s*:\s*(transparent|rgba[^)]{0,99}[\s,/]0?\.?0*+\))"
)
# a fast pattern that rules out most declarations before the slow one
_MAY_HIDE = re.compile(
    r":\s*(?:none|hidden|collapse|\.?[01]|-|transparent|rgba|rect|inset|circle|polygon|scale|transl)"
    r"|color"
)
_TEXT_COLOUR = re.compile(r"(?:^|[^-])color\s*:\s*([^;]+)")
_BACKGROUND = re.compile(r"background(?:-color)?\s*:\s*([^;]+)")
_RELEVANT_PROPERTIES = {  # part of a hiding declaration -> properties that can change its effect
    "display": ("display",),
    "visibility": ("visibility",),
    "opacity": ("opacity", "transform", "transition", "animation"),
    "font-size": ("font-size",),
    "height": ("height", "overflow", "flex", "min-", "transition"),
    "-": ("position", "left", "top", "right", "bottom", "indent", "margin", "transform"),
    "clip": ("clip",),
    "scale": ("transform",),
    "color": ("color", "background"),
}
_MAX_CACHED = 300  # characters of declarations
_SCREEN_READER_CLASSES = frozenset(
    words(
        "sr-only screen-reader-text screen-reader-only visually-hidden visuallyhidden "
        "a11y-hidden u-visually-hidden element-invisible screenreader-only is-visually-hidden "
        "sr_only assistive-text show-for-sr"
    )
)


class VisibilityRules:
    """Evaluates attributes, style attributes and the page's own style sheets."""

    def __init__(self, root: Element, index: ElementIndex) -> None:
        self._root = root
        self._index = index
        self._path = ElementPath()
        self._means: set[str] = set()  # keys of _RELEVANT_PROPERTIES that the page uses
        self._inherited_backgrounds: dict[Element, Colour | None] = {}
        # an external style sheet, which we do not read, may set any background
        self._has_all_styles = not any(
            "stylesheet" in link.get("rel", "").lower() for link in index.by_tag["link"]
        )
        sources = [style.text for style in index.by_tag["style"] if style.text]
        self._rule_texts = list(chain.from_iterable(map(parse_stylesheet, sources)))
        self._backgrounds = self._all_backgrounds() if self._has_all_styles else frozenset[Colour]()
        possible = [rule for rule in self._rule_texts if _is_possibly_hiding(rule.body)]
        names = index.class_and_id_names if possible else frozenset[str]()
        self._hiding_rules = index_rules(possible, names, self._may_hide)

    @cached_property
    def candidates(self) -> list[Element]:
        """The elements that may be hidden."""
        index, rules = self._index, self._hiding_rules
        elements = [*index.hidden_marked, *index.by_tag["dialog"]]
        elements += [e for e, style in index.styled if self._may_hide(style.lower())]
        elements += index.with_class(_SCREEN_READER_CLASSES.union(rules.by_class))
        elements += chain.from_iterable(index.by_id.get(name, ()) for name in rules.by_id)
        if rules.by_tag:
            elements += self._root.iter(*rules.by_tag)
        return [e for e in dict.fromkeys(elements) if len(e) or (e.text or "").strip()]

    def _may_hide(self, body: str) -> bool:
        """Tell whether these declarations, alone or together with others, can hide text."""
        if _is_hiding(body):
            self._means.update(part for part in _RELEVANT_PROPERTIES if part in body)
            return True
        if "color" not in body or not (self._has_all_styles or "background" in body):
            return False
        colour = _colour_in(_TEXT_COLOUR.search(body))
        if colour is None:
            return False
        own = _colour_in(_BACKGROUND.search(body))
        backgrounds = self._backgrounds if own is None else (own, *self._backgrounds)
        is_same = any(is_indistinguishable(colour, background) for background in backgrounds)
        if is_same:
            self._means.add("color")
        return is_same

    def _all_backgrounds(self) -> frozenset[Colour]:
        """Return every background colour the page sets anywhere, and white."""
        bodies = [rule.body.lower() for rule in self._rule_texts if "background" in rule.body]
        bodies += [style.lower() for _, style in self._index.styled]
        declared = [_colour_in(_BACKGROUND.search(body)) for body in bodies]
        attributes = [parse_colour(value) for value in self._index.bgcolors]
        return frozenset(colour for colour in (WHITE, *declared, *attributes) if colour)

    @cached_property
    def _rules(self) -> RuleIndex:
        """Every rule that may hide or show a candidate; most pages never need them."""
        names = frozenset[str]().union(*map(self._path.names, self.candidates))
        relevant = tuple({name for part in self._means for name in _RELEVANT_PROPERTIES[part]})
        return index_rules(
            self._rule_texts, names, lambda body: any(name in body for name in relevant)
        )

    def hidden_reason(self, element: Element) -> str | None:
        """Return why the element is invisible, or None if it is visible."""
        reason = _attribute_reason(element)
        if reason:
            return reason
        style = element.get("style", "")
        is_styled = bool(style) and self._may_hide(style.lower())
        if not is_styled and not rules_for(self._hiding_rules, element, self._path):
            return None
        declared = self._declarations(element)
        return declared_reason(element, declared) or self._colour_reason(element, declared)

    def _declarations(self, element: Element) -> dict[str, str]:
        """Return what the rules and the style attribute declare, by the cascade."""
        rules = rules_for(self._rules, element, self._path)
        declared: dict[str, str] = {}
        for rule in sorted(rules, key=lambda rule: rule.specificity):
            declared.update(rule.declarations)
        style = element.get("style")
        return declared | parse_declarations(style) if style else declared

    def _colour_reason(self, element: Element, declared: dict[str, str]) -> str | None:
        value = declared.get("color")
        if value is None:
            return None
        if is_transparent(value):
            clipped = "background-clip" in declared or "-webkit-background-clip" in declared
            return None if clipped else "transparent text"
        colour, background = parse_colour(value), _background_colour(declared)
        if colour is None:
            return None
        if background is None and self._has_all_styles and not _has_background(declared):
            background = self._inherited_background(element)
        is_same = background is not None and is_indistinguishable(colour, background)
        return "text in the colour of its background" if is_same else None

    def _inherited_background(self, element: Element) -> Colour | None:
        """Return the background behind an element, white if the page sets none."""
        known = self._inherited_backgrounds
        path: list[Element] = []
        ancestor = element.getparent()
        while ancestor is not None and ancestor not in known:
            path.append(ancestor)
            ancestor = ancestor.getparent()
        background = known[ancestor] if ancestor is not None else WHITE
        for part in reversed(path):
            declared = self._declarations(part)
            attribute = part.get("bgcolor") or part.get("background")
            if attribute or _has_background(declared):
                background = _background_colour(declared) or parse_colour(attribute or "")
            known[part] = background
        return background


@lru_cache(maxsize=4096)  # the rules of a site recur on each of its pages
def _is_hiding_cached(body: str) -> bool:
    return _HIDES.search(body) is not None


def _is_hiding(body: str) -> bool:
    return _is_hiding_cached(body) if len(body) <= _MAX_CACHED else _HIDES.search(body) is not None


@lru_cache(maxsize=4096)
def _is_possibly_hiding_cached(body: str) -> bool:
    return _MAY_HIDE.search(body) is not None


def _is_possibly_hiding(body: str) -> bool:
    if len(body) <= _MAX_CACHED:
        return _is_possibly_hiding_cached(body)
    return _MAY_HIDE.search(body) is not None


def _colour_in(match: re.Match[str] | None) -> Colour | None:
    return parse_colour(match[1].removesuffix("!important")) if match else None


def _attribute_reason(element: Element) -> str | None:
    if element.get("hidden", "until-found") != "until-found":
        return "hidden attribute"
    if element.tag == "dialog" and element.get("open") is None:
        return "closed dialog"
    is_for_readers = not _SCREEN_READER_CLASSES.isdisjoint(element.get("class", "").split())
    return "for screen readers only" if is_for_readers else None


def _has_background(declared: dict[str, str]) -> bool:
    return any(name.startswith("background") for name in declared)


def _background_colour(declared: dict[str, str]) -> Colour | None:
    value = declared.get("background-color") or declared.get("background")
    return parse_colour(value) if value else None
