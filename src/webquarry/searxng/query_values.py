"""What is asked of a SearXNG instance, and what it answers."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Category = Literal["general", "images", "videos", "news", "map", "music", "it", "science", "files"]


@dataclass(frozen=True, kw_only=True)
class SearxngQuery:
    """One search. What is empty or None was not asked for."""

    text: str
    category: str = "general"
    language: str = ""
    safe: int | None = None  # 0 off, 1 moderate, 2 strict
    time_range: str = ""  # day, week, month, year
    count: int = 10


class Hit(NamedTuple):  # there are many, and a tuple is made in a fifth of the time
    """One result as the instance tells it."""

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
    total: int = 0  # as the instance counts; 0 when it does not say
    unresponsive: tuple[tuple[str, str], ...] = ()  # engines that failed, and why
    unusable: int = 0  # results without an address that can be opened


@dataclass(frozen=True, kw_only=True)
class InstanceAttempt:
    """An instance that was asked, and how it went."""

    instance: str
    outcome: str  # "ok", or why not


@dataclass(frozen=True, kw_only=True)
class PoolResult:
    """The answer of the pool, and how it came about."""

    hits: tuple[Hit, ...]
    instance: str
    why: str  # why this instance was asked
    total: int
    milliseconds: int
    engines: tuple[str, ...] = ()
    unresponsive: tuple[tuple[str, str], ...] = ()
    attempts: tuple[InstanceAttempt, ...] = ()
    warnings: tuple[str, ...] = field(default=())  # what is missing from the answer
