"""A search of SearXNG, and its results."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

Category = Literal["general", "images", "videos", "news", "map", "music", "it", "science", "files"]


@dataclass(frozen=True, kw_only=True)
class SearxngQuery:
    """One search. A value that is empty or None is not sent."""

    text: str
    category: str = "general"
    language: str = ""
    safe_search: int | None = None  # 0 off, 1 moderate, 2 strict
    time_range: str = ""  # day, week, month, year
    count: int = 10


class Hit(NamedTuple):  # created five times as fast as a dataclass, and there are many
    """One result as the instance returned it."""

    title: str
    url: str
    description: str = ""
    score: float = 0.0
    engines: tuple[str, ...] = ()
    published: str | None = None  # RFC 3339 in UTC
    image: str = ""
    thumbnail: str = ""
    source: str = ""
    width: int | None = None
    height: int | None = None
    size: str = ""

    def with_score(self, score: float) -> "Hit":
        """Return the result with another score; `_replace` takes three times as long."""
        return Hit(*self[:3], score, *self[4:])

    @property
    def engine(self) -> str:
        """The engine that found it first."""
        return self.engines[0] if self.engines else ""


class DirectAnswer(NamedTuple):
    """A text that an instance shows above its results, like the result of a calculation."""

    text: str
    url: str = ""


class Infobox(NamedTuple):
    """What an instance knows about the subject of the query."""

    title: str
    content: str = ""
    url: str = ""
    attributes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class SearchExtras:
    """What an instance returns beside its results."""

    answers: tuple[DirectAnswer, ...] = ()
    infoboxes: tuple[Infobox, ...] = ()
    suggestions: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    unreadable: int = 0  # answers in a format that is not known


NO_EXTRAS = SearchExtras()


@dataclass(frozen=True, kw_only=True)
class InstancePage:
    """One page of results of one instance."""

    hits: tuple[Hit, ...]
    total: int = 0  # as the instance reports it; 0 if it does not
    unresponsive: tuple[tuple[str, str], ...] = ()  # engines that failed, and why
    unusable: int = 0  # results without a web URL
    from_html: bool = False
    json_pause: float = 0.0  # seconds for which the instance offers no JSON; 0: unchanged
    extras: SearchExtras = NO_EXTRAS


@dataclass(frozen=True, kw_only=True)
class AttemptOutcome:
    """An instance that was tried, and the outcome."""

    instance: str
    outcome: str  # "ok", "no results", or the error


@dataclass(frozen=True, kw_only=True)
class PoolResult:
    """The results of the pool, and how it got them."""

    hits: tuple[Hit, ...]
    instance: str  # whose results came first
    instances: tuple[str, ...]  # all whose results are included
    selection_reason: str  # why the first one was chosen
    total: int
    milliseconds: int
    engines: tuple[str, ...] = ()
    unresponsive: tuple[tuple[str, str], ...] = ()
    attempts: tuple[AttemptOutcome, ...] = ()
    warnings: tuple[str, ...] = ()  # what is missing from the results
    extras: SearchExtras = NO_EXTRAS
