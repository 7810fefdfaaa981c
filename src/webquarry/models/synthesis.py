"""Written answers, and search results with extracted data."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from webquarry.models.caller import Caller
from webquarry.models.model import Filled, Model
from webquarry.models.research import Anchor

ProgressCallback = Callable[[float, float, str], Awaitable[None]]


async def ignore_progress(done: float, total: float, message: str) -> None:
    """Discard progress reports."""


@dataclass(frozen=True, kw_only=True)
class AnswerQuery:
    """A question."""

    text: str
    asker: Caller
    progress: ProgressCallback = ignore_progress


class AnswerCitation(Model):
    """A page that an answer relies on."""

    title: Filled[str] = None
    url: str
    publishedDate: Filled[str] = None
    anchors: Filled[tuple[Anchor, ...]] = None  # the quotations used


class WrittenAnswer(Model):
    """An answer with its sources; if the text is empty, the note has the reason."""

    text: str
    citations: tuple[AnswerCitation, ...] = ()
    cost: float | None = None  # US dollars; None: not reported by the provider
    note: str | None = None


@dataclass(frozen=True, kw_only=True)
class StructuredQuery:
    """A search for pages, and the data to extract from each."""

    text: str
    asker: Caller
    count: int = 5
    category: str | None = None
    fields: dict[str, Any] | None = None  # a JSON Schema
    progress: ProgressCallback = ignore_progress


class StructuredItem(Model):
    """A page and its extracted data."""

    title: Filled[str] = None
    url: str
    publishedDate: Filled[str] = None
    author: Filled[str] = None
    summary: Any = None  # an object of the schema, or text
    highlights: Filled[tuple[str, ...]] = None  # verbatim
    entities: Any = None


class Structured(Model):
    """The results of a structured search."""

    items: tuple[StructuredItem, ...] = ()
    cost: float | None = None
    note: str | None = None
