"""Facts and structured data of a page, with the text they were read from."""

from dataclasses import dataclass, field
from typing import Any

from webquarry.content.html.dom import Element
from webquarry.content.html.json_ld import Node

MAX_QUOTE = 240


@dataclass(frozen=True)
class PageFact:
    """A labelled value on a page, and the text it was read from."""

    key: str
    values: tuple[str, ...]
    method: str
    quote: str
    attribute: str = ""  # the value of an attribute: a date, a URL, a number


@dataclass(frozen=True)
class StructuredDataItem:
    """One item of the structured data of a page."""

    node: Node
    method: str  # json-ld or microdata


@dataclass
class PageView:
    """A page, or a row or card of it, from which fields are filled."""

    url: str = ""
    text: str = ""
    heading: str = ""
    items: tuple[StructuredDataItem, ...] = ()
    facts: dict[str, list[PageFact]] = field(default_factory=dict[str, list[PageFact]])
    element: Element | None = None
    source: Element | None = None  # the page before hidden elements were removed, for selectors
    is_page: bool = True  # not a row or a card

    def add(self, fact: PageFact) -> None:
        """Add a fact that has a key and a value."""
        if fact.key and any(fact.values):
            self.facts.setdefault(fact.key, []).append(fact)


@dataclass(frozen=True)
class FieldValue:
    """A value for a field, or why there is none."""

    value: Any = None
    method: str = ""
    quote: str = ""
    reason: str = ""

    def __bool__(self) -> bool:
        return self.value is not None


def shorten_quote(text: str) -> str:
    """Return a quote on one line, cut to `MAX_QUOTE` characters."""
    clean = " ".join(text.split())
    return clean if len(clean) <= MAX_QUOTE else f"{clean[:MAX_QUOTE]}…"
