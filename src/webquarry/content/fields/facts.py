"""What a page says, piece by piece, and in which words."""

from dataclasses import dataclass, field
from typing import Any

from webquarry.content.html.dom import Element
from webquarry.content.html.json_ld import Node

MAX_QUOTE = 240


@dataclass(frozen=True)
class PageFact:
    """One statement: under which name, what, and the words it was read from."""

    key: str
    values: tuple[str, ...]
    method: str
    quote: str
    exact: str = ""  # what an attribute says besides: a date, an address, a number


@dataclass(frozen=True)
class Statements:
    """One thing as the page describes it to machines."""

    node: Node
    method: str  # json-ld or microdata


@dataclass
class PageView:
    """The part of a page that is looked at."""

    url: str = ""
    text: str = ""
    heading: str = ""
    statements: tuple[Statements, ...] = ()
    facts: dict[str, list[PageFact]] = field(default_factory=dict[str, list[PageFact]])
    element: Element | None = None
    source: Element | None = None  # the page as it was sent, for selectors
    whole: bool = True  # the page itself, not a row or a card of it

    def add(self, fact: PageFact) -> None:
        """Take a statement in."""
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


def shortened(text: str) -> str:
    """Return a quote of bearable length."""
    clean = " ".join(text.split())
    return clean if len(clean) <= MAX_QUOTE else f"{clean[:MAX_QUOTE]}…"
