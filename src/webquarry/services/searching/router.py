"""Asks providers in their order until one answers, and remembers who was asked."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from webquarry.content.text.stopwords import without_stopwords
from webquarry.errors import (
    NetworkError,
    NotFoundError,
    ProviderError,
    UnconfiguredError,
    UnknownProviderError,
    WebquarryError,
)
from webquarry.models.search import Query
from webquarry.net.upstream.breaker import Health
from webquarry.observe.provider_log import note_ask
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.provider_failure import combined
from webquarry.services.searching.merge_results import interleave, unique
from webquarry.services.searching.search_filters import FilterPlan, plan_for, requests_of, sieve
from webquarry.services.searching.search_log_entry import answered, refused, unused
from webquarry.services.searching.search_sources import ProviderResults, SearchKind, SearchSource

Q = TypeVar("Q", bound=Query)
R = TypeVar("R")

PATIENCE = 20.0  # seconds for one provider while another could be asked
_MOST_REQUESTS = 25  # of one search over a long list of sites
_AT_ONCE = 4
_CHECKS = ("sites", "exact_terms", "exclude_terms", "time_range", "sort_by", "file_type")


@dataclass(frozen=True, kw_only=True)
class ProviderOrder:
    """Who is asked: in `routed` order, or one provider only."""

    routed: tuple[str, ...] | None = None
    preferred: str = ""
    thin: int = 1
    health: Callable[[], Mapping[str, Health]] = field(default=dict[str, Health])
    today: Callable[[], float] = time.time


@dataclass
class RoutingTrace:
    """Who was asked for one answer; `_meta.routing` tells it."""

    attempted: list[str] = field(default_factory=list[str])
    failures: list[tuple[str, WebquarryError]] = field(
        default_factory=list[tuple[str, WebquarryError]]
    )

    def wire(self, used: str, seconds: float) -> dict[str, Any]:
        """Return the block operators read."""
        fallback = used != self.attempted[0]
        block: dict[str, Any] = {
            "provider_used": used,
            "providers_attempted": list(self.attempted),
            "fallback": fallback,
            "cache_hit": False,
            "latency_ms": round(seconds * 1000),
        }
        if fallback:
            first = dict(self.failures).get(self.attempted[0])
            paused = first is not None and first.details.get("detail") == "circuit_open"
            block["fallback_reason"] = "circuit_open" if paused else "primary_unavailable"
        return block


class Router(Generic[Q, R]):
    """Answers one kind of search."""

    def __init__(
        self,
        kind: SearchKind[R],
        sources: Mapping[str, SearchSource[Q, R]],
        choices: ProviderDirectory,
        order: ProviderOrder,
    ) -> None:
        self._kind = kind
        self._sources = sources
        self._choices = choices
        self._order = order

    @property
    def names(self) -> tuple[str, ...]:
        """The providers that can be asked."""
        return tuple(self._sources)

    @property
    def is_routed(self) -> bool:
        """Whether several providers take turns."""
        return self._order.routed is not None

    def candidates(self, only: str | None = None) -> list[SearchSource[Q, R]]:
        """Return who is asked, first first; `only` is asked exclusively."""
        if only:
            return [self._named(only.strip().lower())]
        if self._order.routed is not None:
            chosen = [self._sources[n] for n in self._order.routed if n in self._sources]
        elif self._order.preferred in self._sources:
            chosen = [self._sources[self._order.preferred]]
        else:
            chosen = [s for s in self._sources.values() if s.reach.general][:1]
        if not chosen:
            raise self._nobody()
        return chosen

    def everyone(self) -> list[SearchSource[Q, R]]:
        """Return the providers that are asked side by side."""
        routed = self._order.routed or ()
        return [s for s in self._sources.values() if s.reach.general or s.name in routed]

    def alternatives(self, used: str) -> tuple[str, ...]:
        """Return other providers that are configured and well."""
        health = self._order.health()
        others = (s for s in self._sources.values() if s.reach.general and s.name != used)
        return tuple(s.name for s in others if s.name not in health or _well(health[s.name]))

    async def answer(
        self, query: Q, *, only: str | None = None, trace: RoutingTrace | None = None
    ) -> ProviderResults[R]:
        """Return the first answer that has results; the last empty one when none has."""
        trace = trace or RoutingTrace()
        candidates = self.candidates(only)
        empty: ProviderResults[R] | None = None
        for source in candidates:
            trace.attempted.append(source.name)
            patience = PATIENCE if len(candidates) > 1 else None
            try:
                found = await self.ask(source, query, patience=patience)
            except WebquarryError as error:
                note_ask(refused(source.name, query, error))
                trace.failures.append((source.name, error))
                continue
            if found.items:
                return found
            empty = empty or found
        if empty:
            return empty
        raise self.failure(trace.failures)

    async def ask(
        self, source: SearchSource[Q, R], query: Q, *, patience: float | None = None
    ) -> ProviderResults[R]:
        """Return what one provider finds, asked again without filler words if that is little."""
        try:
            async with asyncio.timeout(patience) if patience else nullcontext():
                found = await self._ask_fully(source, query)
                found = await self._unless_thin(source, query, found)
        except NotFoundError as error:  # its address is gone, which says nothing about results
            raise ProviderError(
                f"Unavailable ({source.name}): its search is not where it was (HTTP 404). "
                "Try a different provider.",
                provider=source.name,
            ) from error
        except TimeoutError as error:
            raise NetworkError(
                f"Network error ({source.name}): no answer within {patience:g} seconds. "
                "Retry, or try a different provider.",
                provider=source.name,
            ) from error
        for ask in found.asks:
            note_ask(ask)
        return found

    def failure(self, failures: Sequence[tuple[str, WebquarryError]]) -> WebquarryError:
        """Return the one error that says what all of them mean."""
        names = [name for name, _ in failures]
        others = tuple(n for n in self.alternatives(names[0]) if n not in names)
        return combined(self._kind.noun, failures, others)

    async def _unless_thin(
        self, source: SearchSource[Q, R], query: Q, found: ProviderResults[R]
    ) -> ProviderResults[R]:
        if len(found.items) > min(self._order.thin, query.count - 1):
            return found
        stripped = without_stopwords(query.text)
        if not self._order.thin or stripped == query.text:
            return found
        try:
            again = await self._ask_fully(source, query.model_copy(update={"text": stripped}))
        except WebquarryError:  # the first answer still stands
            return found
        better, other = (again, found) if len(again.items) > len(found.items) else (found, again)
        return replace(better, asks=(*unused(other.asks), *better.asks))

    async def _ask_fully(self, source: SearchSource[Q, R], query: Q) -> ProviderResults[R]:
        """Ask with what the provider knows, and do the rest ourselves."""
        plan = plan_for(source.reach, query, _CHECKS)
        every = requests_of(plan, source.reach)
        requests = every[:_MOST_REQUESTS]
        lists, failed = await self._send(source, requests)
        facts = self._kind.facts
        items = unique(interleave(lists), self._kind.link)
        kept, unsure = sieve(items, query, plan, facts=facts, now=self._order.today())
        return ProviderResults(
            items=kept[: query.count],
            provider=source.name,
            unhonoured=_unhonoured(plan, unsure, cut=len(every) > len(requests)),
            afterwards=tuple(name for name in plan.later if name not in unsure),
            asks=(
                answered(
                    source.name,
                    requests,
                    hits=sum(map(len, lists)),
                    different=len(items),
                    kept=len(kept[: query.count]),
                    removed_by=plan.later,
                ),
            ),
            incomplete={"requests": len(every), "failed": failed} if failed else {},
        )

    async def _send(
        self, source: SearchSource[Q, R], requests: Sequence[Q]
    ) -> tuple[list[list[R]], int]:
        """Return the answers to all requests and how many had none; all failing is an error."""
        if len(requests) == 1:
            return [await source.ask(requests[0])], 0
        gate = asyncio.Semaphore(_AT_ONCE)

        async def one(request: Q) -> list[R]:
            async with gate:
                return await source.ask(request)

        outcomes = await asyncio.gather(*map(one, requests), return_exceptions=True)
        errors = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
        for error in errors:
            if not isinstance(error, WebquarryError) or len(errors) == len(requests):
                raise error
        answers = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
        return answers, len(errors)

    def _named(self, name: str) -> SearchSource[Q, R]:
        if found := self._sources.get(name):
            return found
        choice = self._choices.of(self._kind.capability)
        if name in self._choices.known and name not in choice.known:
            raise UnknownProviderError(
                f"Provider '{name}' does not search {self._kind.noun}. "
                f"Supported: {', '.join(choice.known)}.",
                alternatives=self.names,
            )
        choice.named(name)  # raises: it is unknown or lacks its key
        raise AssertionError("a provider that is ready is among the sources")

    def _nobody(self) -> UnconfiguredError:
        if self._order.routed is not None:
            return UnconfiguredError(
                f"No provider of SEARCH_ROUTING searches {self._kind.noun}: "
                f"{', '.join(self._order.routed)}.",
                alternatives=self.names,
            )
        choice = self._choices.of(self._kind.capability)
        needed = [" and ".join(about.requires) for about in choice.known.values() if about.requires]
        named = f", or name provider={self.names[0]}" if self.names else ""
        return UnconfiguredError(
            f"No provider that searches {self._kind.noun} is configured: "
            f"set {' or '.join(needed)} (see .env.example){named}.",
            alternatives=self.names,
        )


def _unhonoured(plan: FilterPlan[Any], unsure: Iterable[str], *, cut: bool) -> tuple[str, ...]:
    names = [*plan.missing, *unsure, *(["sites"] if cut else [])]
    return tuple(dict.fromkeys(names))


def _well(health: Health) -> bool:
    return health.state != "open"
