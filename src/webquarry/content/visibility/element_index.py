"""What one walk over the elements of a page finds: by class, by id, styled, marked, controlling."""

from dataclasses import dataclass, field

from webquarry.content.html.dom import Element, attributes_of
from webquarry.content.text.word_list import words

CONTROLS = ("aria-controls", "data-target", "data-bs-target")
NAMED = ("meta", "link", "script", "style", "frame", "iframe", "dialog")  # asked for by name
_TELLING = frozenset(
    words("class id style bgcolor hidden aria-hidden itemprop rel pubdate") + CONTROLS
)


@dataclass(slots=True)
class ElementIndex:
    """The elements whose attributes matter, in document order."""

    # all of them: while somebody holds an element, visiting it again does not make it anew
    elements: list[Element] = field(default_factory=list[Element])
    by_class: dict[str, list[Element]] = field(default_factory=dict[str, list[Element]])
    by_id: dict[str, list[Element]] = field(default_factory=dict[str, list[Element]])
    styled: list[tuple[Element, str]] = field(default_factory=list[tuple[Element, str]])
    marked: list[Element] = field(default_factory=list[Element])  # hidden or aria-hidden
    controls: list[Element] = field(default_factory=list[Element])
    signed: list[Element] = field(default_factory=list[Element])  # microdata, rel, pubdate
    painted: list[str] = field(default_factory=list[str])
    named: dict[str, list[Element]] = field(default_factory=dict[str, list[Element]])  # of NAMED

    @property
    def names(self) -> frozenset[str]:
        """The classes and ids of the page."""
        return frozenset(" ".join((*self.by_class, *self.by_id)).split())

    def classed(self, classes: frozenset[str]) -> list[Element]:
        """Return the elements that have one of the classes."""
        return [
            element
            for names, elements in self.by_class.items()
            if not classes.isdisjoint(names.split())
            for element in elements
        ]


def survey_of(root: Element) -> ElementIndex:
    """Look at every attribute of the page once."""
    found = ElementIndex(list(root.iter()), named=_named(root))
    by_class, by_id, marks = found.by_class, found.by_id, _marks(found)
    for element in found.elements:
        for name, value in attributes_of(element):
            if name == "class":
                by_class.setdefault(value, []).append(element)
            elif name not in _TELLING:  # most others are addresses, titles and data
                continue
            elif name == "id":
                by_id.setdefault(value, []).append(element)  # pages do give an id twice
            elif name == "style":
                found.styled.append((element, value))
            elif name == "bgcolor":
                found.painted.append(value)
            else:
                marks[name].append(element)
    return found


def _named(root: Element) -> dict[str, list[Element]]:
    found: dict[str, list[Element]] = {name: [] for name in NAMED}
    for element in root.iter(*NAMED):
        found[element.tag].append(element)
    return found


def _marks(found: ElementIndex) -> dict[str, list[Element]]:
    return {
        "hidden": found.marked,
        "aria-hidden": found.marked,
        "itemprop": found.signed,
        "rel": found.signed,
        "pubdate": found.signed,
        **dict.fromkeys(CONTROLS, found.controls),
    }
