"""Finds the style rules that apply to an element."""

from dataclasses import dataclass, field

from webquarry.content.html.dom import Element
from webquarry.content.visibility.stylesheets import CompoundSelector, RuleIndex, StyleRule


def rules_for(rules: RuleIndex, element: Element, path: "ElementPath") -> list[StyleRule]:
    """Return the rules that apply to the element."""
    candidates = _candidate_rules(rules, element)
    if not candidates:
        return candidates
    outer_names = path.names(element.getparent())
    return [
        rule for rule in candidates if rule.outer_names <= outer_names and _matches(rule, element)
    ]


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


def _candidate_rules(rules: RuleIndex, element: Element) -> list[StyleRule]:
    """Return the rules whose last compound selector may match the element."""
    classes = element.get("class", "").split()
    element_id, tag = element.get("id"), str(element.tag)
    found = [*rules.by_tag.get(tag, ()), *rules.by_tag.get("*", ())] if rules.by_tag else []
    if element_id and element_id in rules.by_id:
        found += rules.by_id[element_id]
    if not rules.by_class.keys().isdisjoint(classes):
        for name in classes:
            found += rules.by_class.get(name, ())
    return found


def _matches(rule: StyleRule, element: Element) -> bool:
    """Tell whether the selector of the rule matches the element and its ancestors."""
    *outer, last = rule.selectors
    if not _matches_compound(element, last):
        return False
    ancestor = element.getparent()
    for selector in reversed(outer):
        while ancestor is not None and not _matches_compound(ancestor, selector):
            ancestor = ancestor.getparent()
        if ancestor is None:
            return False
        ancestor = ancestor.getparent()
    return True


def _matches_compound(element: Element, selector: CompoundSelector) -> bool:
    if selector.tag not in ("*", element.tag):
        return False
    if selector.ids and (len(selector.ids) > 1 or element.get("id") not in selector.ids):
        return False
    return not selector.classes or selector.classes.issubset(element.get("class", "").split())
