"""Answers written from sources, and results with data taken out of them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from webquarry.models.caller import Caller
from webquarry.models.model import Model
from webquarry.models.research import Anchor

Tells = Callable[[float, float, str], Awaitable[None]]


async def tell_nobody(done: float, total: float, message: str) -> None:
    """Report to nobody."""


@dataclass(frozen=True, kw_only=True)
class AnswerQuery:
    """What somebody wants to know."""

    text: str
    asker: Caller
    tell: Tells = tell_nobody


class AnswerCitation(Model):
    """A page that an answer relies on."""

    title: str | None = None
    url: str
    publishedDate: str | None = None
    anchors: tuple[Anchor, ...] | None = None  # what of it was used, word for word


class WrittenAnswer(Model):
    """An answer and what it relies on; an empty text where there is none, and the note says why."""

    text: str
    citations: tuple[AnswerCitation, ...] = ()
    cost: float | None = None  # US dollars; None: the provider does not say
    note: str | None = None


@dataclass(frozen=True, kw_only=True)
class StructuredQuery:
    """Which pages are wanted, and what of each."""

    text: str
    asker: Caller
    count: int = 5
    category: str | None = None
    fields: dict[str, Any] | None = None  # a JSON Schema
    tell: Tells = tell_nobody


class StructuredItem(Model):
    """A page and the data taken out of it."""

    title: str | None = None
    url: str
    publishedDate: str | None = None
    author: str | None = None
    summary: Any = None  # an object after the schema, otherwise text
    highlights: tuple[str, ...] | None = None  # word for word
    entities: Any = None


class Structured(Model):
    """What a structured search found."""

    items: tuple[StructuredItem, ...] = ()
    cost: float | None = None
    note: str | None = None
