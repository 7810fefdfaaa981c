"""Which rules of a style sheet apply to an element."""

from dataclasses import dataclass, field

from webquarry.content.html.dom import Element
from webquarry.content.visibility.stylesheets import Compound, Rule, Sheet


def rules_for(sheet: Sheet, element: Element, lineage: "ElementPath") -> list[Rule]:
    """Return the rules that apply to the element."""
    found = _filed_for(sheet, element)
    if not found:
        return found
    around = lineage.of(element.getparent())
    return [rule for rule in found if rule.around <= around and _matches(rule, element)]


@dataclass(slots=True)
class ElementPath:
    """The classes and ids found on the way from an element to the root."""

    known: dict[Element, frozenset[str]] = field(default_factory=dict[Element, frozenset[str]])

    def of(self, element: Element | None) -> frozenset[str]:
        """Return the names of the element and of everything around it."""
        way: list[Element] = []
        while element is not None and element not in self.known:
            way.append(element)
            element = element.getparent()
        names = self.known[element] if element is not None else frozenset[str]()
        for part in reversed(way):
            own = f"{part.get('class') or ''} {part.get('id') or ''}".split()
            names = self.known[part] = names.union(own) if own else names
        return names


def _filed_for(sheet: Sheet, element: Element) -> list[Rule]:
    """Return the rules whose last part may fit the element."""
    names = (element.get("class") or "").split()
    name, tag = element.get("id"), str(element.tag)
    found = [*sheet.by_tag.get(tag, ()), *sheet.by_tag.get("*", ())] if sheet.by_tag else []
    if name and name in sheet.by_id:
        found += sheet.by_id[name]
    if not sheet.by_class.keys().isdisjoint(names):
        for word in names:
            found += sheet.by_class.get(word, ())
    return found


def _matches(rule: Rule, element: Element) -> bool:
    """Tell whether the rule fits the element, and its outer parts what is around it."""
    *outer, last = rule.path
    if not _has(element, last):
        return False
    above = element.getparent()
    for part in reversed(outer):
        while above is not None and not _has(above, part):
            above = above.getparent()
        if above is None:
            return False
        above = above.getparent()
    return True


def _has(element: Element, part: Compound) -> bool:
    if part.tag not in ("*", element.tag):
        return False
    if part.ids and (len(part.ids) > 1 or element.get("id") not in part.ids):
        return False
    return not part.classes or part.classes.issubset((element.get("class") or "").split())
