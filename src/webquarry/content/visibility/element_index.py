"""An index of a page's elements by tag, class, id and attributes, made in one walk."""

from dataclasses import dataclass, field

from webquarry.content.html.dom import Element, attributes_of
from webquarry.content.text.word_list import words

CONTROLS = ("aria-controls", "data-target", "data-bs-target")
# set by the browser tier on what Chromium does not show; its value is the reason
HIDDEN_MARK = "data-webquarry-hidden"
INDEXED_TAGS = ("meta", "link", "script", "style", "frame", "iframe", "dialog", "font")
_INDEXED_ATTRIBUTES = frozenset(
    words("class id style bgcolor hidden popover aria-hidden itemprop rel pubdate")
).union(CONTROLS, (HIDDEN_MARK,))


@dataclass(slots=True)
class ElementIndex:
    """The elements whose attributes matter, in document order."""

    # all elements: lxml creates a Python object again on each visit unless it is still referenced
    elements: list[Element] = field(default_factory=list[Element])
    by_class: dict[str, list[Element]] = field(default_factory=dict[str, list[Element]])
    by_id: dict[str, list[Element]] = field(default_factory=dict[str, list[Element]])
    styled: list[tuple[Element, str]] = field(default_factory=list[tuple[Element, str]])
    hidden_marked: list[Element] = field(default_factory=list[Element])  # hidden, popover …
    controls: list[Element] = field(default_factory=list[Element])  # any of CONTROLS
    annotated: list[Element] = field(default_factory=list[Element])  # itemprop, rel, pubdate
    bgcolors: list[str] = field(default_factory=list[str])
    # INDEXED_TAGS only
    by_tag: dict[str, list[Element]] = field(default_factory=dict[str, list[Element]])

    @property
    def class_and_id_names(self) -> frozenset[str]:
        """The classes and ids of the page."""
        return frozenset(" ".join((*self.by_class, *self.by_id)).split())

    def with_class(self, classes: frozenset[str]) -> list[Element]:
        """Return the elements that have one of the classes."""
        return [
            element
            for names, elements in self.by_class.items()
            if not classes.isdisjoint(names.split())
            for element in elements
        ]


def index_elements(root: Element) -> ElementIndex:
    """Index the elements of a page, reading every attribute once."""
    index = ElementIndex(list(root.iter()), by_tag=_by_tag(root))
    by_class, by_id, others = index.by_class, index.by_id, _other_attributes(index)
    for element in index.elements:
        for name, value in attributes_of(element):
            if name == "class":
                by_class.setdefault(value, []).append(element)
            elif name not in _INDEXED_ATTRIBUTES:  # most others are URLs, titles and data
                continue
            elif name == "id":
                by_id.setdefault(value, []).append(element)  # pages may use an id twice
            elif name == "style":
                index.styled.append((element, value))
            elif name == "bgcolor":
                index.bgcolors.append(value)
            else:
                others[name].append(element)
    return index


def _by_tag(root: Element) -> dict[str, list[Element]]:
    by_tag: dict[str, list[Element]] = {tag: [] for tag in INDEXED_TAGS}
    for element in root.iter(*INDEXED_TAGS):
        by_tag[element.tag].append(element)
    return by_tag


def _other_attributes(index: ElementIndex) -> dict[str, list[Element]]:
    """Return the lists of elements by the attribute that puts an element there."""
    return {
        "hidden": index.hidden_marked,
        "popover": index.hidden_marked,
        HIDDEN_MARK: index.hidden_marked,
        "aria-hidden": index.hidden_marked,
        "itemprop": index.annotated,
        "rel": index.annotated,
        "pubdate": index.annotated,
        **dict.fromkeys(CONTROLS, index.controls),
    }
