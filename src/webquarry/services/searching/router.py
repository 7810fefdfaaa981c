"""Search routing: which providers are queried for one kind of search, in which order."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from webquarry.content.text.stopwords import without_stopwords
from webquarry.errors import UnconfiguredError, UnknownProviderError, WebquarryError
from webquarry.models.search import Query
from webquarry.net.upstream.breaker import UpstreamHealth
from webquarry.observe.call_context import log_provider_call, provider_calls
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.provider_queries import (
    PROVIDER_TIMEOUT,
    Failures,
    RoutingTrace,
    combined_error,
    provider_errors,
    query_in_order,
)
from webquarry.services.searching.provider_search import (
    failed_call,
    replaced_calls,
    search_provider,
)
from webquarry.services.searching.search_sources import ProviderResults, SearchKind, SearchSource

Q = TypeVar("Q", bound=Query)
R = TypeVar("R")


@dataclass(frozen=True, kw_only=True)
class ProviderOrder:
    """Which providers are queried: the routed ones in order, or one."""

    routed: tuple[str, ...] | None = None
    preferred: str = ""
    retry_threshold: int = 1  # no more results than this: retried without stopwords; 0 = never
    health: Callable[[], Mapping[str, UpstreamHealth]] = field(default=dict[str, UpstreamHealth])
    now: Callable[[], float] = time.time
    timeout: float = PROVIDER_TIMEOUT


class Router(Generic[Q, R]):
    """One kind of search with whichever providers are configured."""

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
        self.is_routed = order.routed is not None  # by SEARCH_ROUTING

    @property
    def names(self) -> tuple[str, ...]:
        """The providers that can be queried."""
        return tuple(self._sources)

    def candidates(self, only: str | None = None) -> list[SearchSource[Q, R]]:
        """Return the providers to query, in order; `only` selects one."""
        if only:
            return [self._named(only.strip().lower())]
        if self._order.routed is not None:
            chosen = [self._sources[n] for n in self._order.routed if n in self._sources]
        elif self._order.preferred in self._sources:
            chosen = [self._sources[self._order.preferred]]
        else:
            chosen = [s for s in self._sources.values() if s.support.general][:1]
        if not chosen:
            raise self._none_configured()
        return chosen

    def general_sources(self) -> list[SearchSource[Q, R]]:
        """Return the providers to query side by side."""
        routed = self._order.routed or ()
        return [s for s in self._sources.values() if s.support.general or s.name in routed]

    def alternatives(self, *used: str) -> tuple[str, ...]:
        """Return the providers, other than those used, whose circuit breaker is not open."""
        health = self._order.health()
        others = (s for s in self._sources.values() if s.support.general and s.name not in used)
        return tuple(
            s.name for s in others if s.name not in health or health[s.name].state != "open"
        )

    async def search(
        self, query: Q, *, only: str | None = None, trace: RoutingTrace | None = None
    ) -> ProviderResults[R]:
        """Return the first response that has results; the first empty one when none has."""
        trace = trace or RoutingTrace()
        sources = {source.name: source for source in self.candidates(only)}
        seconds = self._order.timeout if len(sources) > 1 else None
        responses = await query_in_order(
            sources,
            lambda name: self.search_source(sources[name], query, seconds=seconds),
            has_results=lambda response: bool(response.items),
            trace=trace,
        )
        if not responses:
            raise self.failure(trace.failures)
        return responses[-1] if responses[-1].items else responses[0]

    async def search_source(
        self, source: SearchSource[Q, R], query: Q, *, seconds: float | None = None
    ) -> ProviderResults[R]:
        """Return the results of one provider; retries without stopwords if there are too few."""
        try:
            async with provider_errors(source.name, seconds):
                found = await search_provider(self._kind, source, query, self._order.now)
                if len(found.items) <= min(self._order.retry_threshold, query.count - 1):
                    found = await self._retry_without_stopwords(source, query, found)
        except WebquarryError as error:
            log_provider_call(failed_call(source.name, query, error))
            raise
        logged = provider_calls.get()
        if logged is not None:
            logged.extend(found.provider_calls)
        return found

    def failure(self, failures: Failures) -> WebquarryError:
        """Return one error for all failures, with the providers that could be used instead."""
        names = [name for name, _ in failures]
        return combined_error(self._kind.noun, failures, self.alternatives(*names))

    async def _retry_without_stopwords(
        self, source: SearchSource[Q, R], query: Q, found: ProviderResults[R]
    ) -> ProviderResults[R]:
        """Return the response with more results: `found`, or that to the shorter query."""
        text = without_stopwords(query.text)
        # several requests were needed for a long list of sites: not twice as many
        if not self._order.retry_threshold or text == query.text or found.requests > 1:
            return found
        shorter = query.model_copy(update={"text": text})
        try:
            retried = await search_provider(self._kind, source, shorter, self._order.now)
        except WebquarryError:  # the first response is still valid
            return found
        best, other = (found, retried)
        if len(retried.items) > len(found.items):
            best, other = (retried, found)
        calls = (*replaced_calls(other.provider_calls), *best.provider_calls)
        return replace(best, provider_calls=calls, requests=found.requests + retried.requests)

    def _named(self, name: str) -> SearchSource[Q, R]:
        if source := self._sources.get(name):
            return source
        choice = self._choices.of(self._kind.capability)
        if name in self._choices.known and name not in choice.known:
            raise UnknownProviderError(
                f"Provider '{name}' does not search {self._kind.noun}. "
                f"Supported: {', '.join(choice.known)}.",
                alternatives=self.names,
            )
        choice.require(name)  # raises: it is unknown or lacks its key
        raise AssertionError("a provider that is ready is among the sources")

    def _none_configured(self) -> UnconfiguredError:
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
