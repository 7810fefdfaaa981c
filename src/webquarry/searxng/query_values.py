"""A search of SearXNG, and its results."""

from dataclasses import dataclass, field
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

    @property
    def engine(self) -> str:
        """The engine that found it first."""
        return self.engines[0] if self.engines else ""


@dataclass(frozen=True, kw_only=True)
class InstancePage:
    """One page of results of one instance."""

    hits: tuple[Hit, ...]
    total: int = 0  # as the instance reports it; 0 if it does not
    unresponsive: tuple[tuple[str, str], ...] = ()  # engines that failed, and why
    unusable: int = 0  # results without a web URL
    from_html: bool = False  # the instance offered no JSON


@dataclass(frozen=True, kw_only=True)
class InstanceAttempt:
    """An instance that was tried, and the outcome."""

    instance: str
    outcome: str  # "ok", or the error


@dataclass(frozen=True, kw_only=True)
class PoolResult:
    """The results of the pool, and how it got them."""

    hits: tuple[Hit, ...]
    instance: str
    selection_reason: str  # why this instance was chosen
    total: int
    milliseconds: int
    engines: tuple[str, ...] = ()
    unresponsive: tuple[tuple[str, str], ...] = ()
    attempts: tuple[InstanceAttempt, ...] = ()
    warnings: tuple[str, ...] = field(default=())  # what is missing from the results
