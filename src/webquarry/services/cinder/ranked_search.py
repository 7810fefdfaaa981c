"""Paged search: a ranked list, stored between pages so that none repeats or skips results."""

import hashlib
import time
from collections.abc import Callable, Sequence

from pydantic import Field

from webquarry.content.ranking.result_urls import canonical_key, host_of
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.cinder import CinderResult
from webquarry.models.model import Model
from webquarry.models.search import WebQuery, WebResult
from webquarry.services.cinder.search_query import RESULTS_PER_ROUND, CinderQuery
from webquarry.services.provider_queries import (
    Failures,
    RoutingTrace,
    query_all,
    query_in_order,
)
from webquarry.services.searching.merge_results import FusedResult, fuse
from webquarry.services.searching.search_sources import ProviderResults, SearchSource
from webquarry.services.searching.service import SearchService
from webquarry.storage.key_names import name_of
from webquarry.storage.store import Store

MAX_RESULTS = 100  # of one query
CACHE_SECONDS = 1800.0
_PROVIDER_SECONDS = {"fast": None, "balanced": 8.0, "deep": 15.0}
_MAX_PROVIDERS = {"balanced": 3, "deep": 99}  # queried side by side
_MAX_ROUNDS = 10
_MAX_ROUNDS_WITHOUT_NEW = 2  # then the list is complete
_LOCK_SECONDS = 120.0

WebSource = SearchSource[WebQuery, WebResult]


class RankedList(Model):
    """The results so far, best first, and the providers that may have more."""

    items: tuple[CinderResult, ...] = ()
    rounds: int = 0
    sources: tuple[str, ...] = ()  # providers that may have more
    unhonoured: tuple[str, ...] = ()
    failed: dict[str, str] = Field(default_factory=dict[str, str])  # provider, kind of error
    providers: tuple[str, ...] = ()  # providers that responded


class RankedPage(Model):
    """One page of the list."""

    items: tuple[CinderResult, ...]
    more: bool
    fresh: bool  # providers were queried for it
    ranked: RankedList


class RankedSearch:
    """Queries as many providers as the mode allows, and pages through their results."""

    def __init__(
        self, searching: SearchService, store: Store, clock: Callable[[], float] = time.time
    ) -> None:
        self._searching = searching
        self._store = store
        self._clock = clock

    async def page(self, query: CinderQuery, caller: Caller, offset: int, count: int) -> RankedPage:
        """Return `count` results from `offset`; fewer at the end of the list or after 100."""
        end = min(offset + count, MAX_RESULTS)
        key = _key(query, caller)
        ranked = await self._stored(key)
        fresh = _needs_more(ranked, end)
        if ranked is None or fresh:
            # two pages requested at once must be pages of one list
            async with self._store.lock(key, ttl=_LOCK_SECONDS, wait=_LOCK_SECONDS / 4):
                span = (offset, end)
                ranked = await self._extended(query, caller, span, await self._stored(key))
                if ranked.items:  # an empty list may be a temporary failure
                    value = ranked.model_dump_json().encode()
                    await self._store.set(key, value, ttl=CACHE_SECONDS)
        more = len(ranked.items) > end or (bool(ranked.sources) and end < MAX_RESULTS)
        return RankedPage(items=ranked.items[offset:end], more=more, fresh=fresh, ranked=ranked)

    async def _extended(
        self, query: CinderQuery, caller: Caller, span: tuple[int, int], ranked: RankedList | None
    ) -> RankedList:
        """Query the providers until the list covers the span, or none has more."""
        ranked = ranked or await self._first_round(query, caller)
        rounds_without_new, (offset, end) = 0, span
        while _needs_more(ranked, end):
            before = len(ranked.items)
            try:
                ranked = await self._next_round(query, caller, ranked)
            except WebquarryError:
                if before <= offset:  # a failure does not mean that there are no results
                    raise
                return ranked
            rounds_without_new = 0 if len(ranked.items) > before else rounds_without_new + 1
            if rounds_without_new == _MAX_ROUNDS_WITHOUT_NEW:
                return ranked.model_copy(update={"sources": ()})
        return ranked

    async def _first_round(self, query: CinderQuery, caller: Caller) -> RankedList:
        web = self._searching.web
        if query.mode != "fast":
            names = _providers_for(self._searching, query)
            return await self._next_round(query, caller, RankedList(sources=names))
        sources = {source.name: source for source in web.candidates()}
        trace = RoutingTrace()
        # the first provider that responds, as in any other search
        responses = await query_in_order(
            sources,
            lambda name: web.search_source(
                sources[name], query.for_provider(sources[name].support, 1, caller)
            ),
            has_results=lambda _: True,
            trace=trace,
        )
        if not responses:
            raise web.failure(trace.failures)
        used = sources[trace.attempted[-1]]
        started = RankedList(sources=(used.name,))
        return self._joined(query, started, [(used, responses[0])], trace.failures)

    async def _next_round(
        self, query: CinderQuery, caller: Caller, ranked: RankedList
    ) -> RankedList:
        """Query all providers that may have more for their next page."""
        known = _all_sources(self._searching)
        sources = {name: known[name] for name in ranked.sources if name in known}
        seconds = _PROVIDER_SECONDS[query.mode] if len(sources) > 1 else None
        round_number = ranked.rounds + 1
        web = self._searching.web
        responses, failures = await query_all(
            sources,
            lambda name: web.search_source(
                sources[name],
                query.for_provider(sources[name].support, round_number, caller),
                seconds=seconds,
            ),
        )
        if not responses and failures:
            raise web.failure(failures)
        answered = [(sources[name], found) for name, found in responses.items()]
        return self._joined(query, ranked, answered, failures)

    def _joined(
        self,
        query: CinderQuery,
        ranked: RankedList,
        responses: Sequence[tuple[WebSource, ProviderResults[WebResult]]],
        failures: Failures,
    ) -> RankedList:
        rounds = ranked.rounds + 1
        unhonoured, lists = list(ranked.unhonoured), list[ProviderResults[WebResult]]()
        for source, found in responses:
            kept, unchecked = query.filter_results(found, source.support, self._clock())
            unhonoured += unchecked
            lists.append(ProviderResults(items=kept, provider=source.name))
        remaining = [s.name for s, found in responses if found.items and _has_more(s, rounds)]
        return RankedList(
            items=_appended(query, ranked.items, fuse(lists)),
            rounds=rounds,
            sources=tuple(remaining) if rounds < _MAX_ROUNDS else (),
            unhonoured=tuple(dict.fromkeys(unhonoured)),
            failed=ranked.failed | {name: error.advice.kind for name, error in failures},
            providers=tuple(dict.fromkeys([*ranked.providers, *(s.name for s, _ in responses)])),
        )

    async def _stored(self, key: str) -> RankedList | None:
        entry = await self._store.get(key)
        return RankedList.model_validate_json(entry.value) if entry else None


def _needs_more(ranked: RankedList | None, end: int) -> bool:
    return ranked is None or (len(ranked.items) < end and bool(ranked.sources))


def _providers_for(searching: SearchService, query: CinderQuery) -> tuple[str, ...]:
    """Return the providers of the mode: three in the operator's order, or all."""
    preferred = searching.web.candidates()  # raises when none is configured
    if query.mode == "deep":
        others = list(_all_sources(searching).values())
    else:
        others = searching.web.general_sources()
    names = dict.fromkeys(source.name for source in [*preferred, *others])
    return tuple(names)[: _MAX_PROVIDERS[query.mode]]


def _all_sources(searching: SearchService) -> dict[str, WebSource]:
    """Return all general providers and the caller's own pages, by name."""
    web = searching.web
    local = web.candidates("local") if "local" in web.names else []
    sources = [*web.candidates(), *web.general_sources(), *local]
    return {source.name: source for source in sources}


def _has_more(source: WebSource, rounds: int) -> bool:
    """Whether another request can bring more."""
    support = source.support
    if support.max_pages > 1:
        return rounds < support.max_pages
    return rounds * RESULTS_PER_ROUND < support.max_results


def _appended(
    query: CinderQuery, items: Sequence[CinderResult], found: Sequence[FusedResult]
) -> tuple[CinderResult, ...]:
    """Return the list with new results at its end."""
    known = {item.id for item in items}
    rows = list(items)
    for fused in found:
        result_id = _result_id(fused.result.url)
        if result_id in known or len(rows) == MAX_RESULTS:
            continue
        known.add(result_id)
        ceiling = rows[-1].relevance if rows else 1.0
        relevance = _relevance(query, fused, len(rows), ceiling)
        rows.append(_row(result_id, fused.result, relevance))
    return tuple(rows)


def _row(result_id: str, result: WebResult, relevance: float) -> CinderResult:
    return CinderResult(
        id=result_id,
        title=result.title,
        url=result.url,
        domain=host_of(result.url),
        summary=result.snippet,
        relevance=relevance,
        publishedDate=result.published,
    )


def _relevance(query: CinderQuery, fused: FusedResult, rank: int, ceiling: float) -> float:
    """Return 0 to 1 by rank and by the query's words; it never rises down the list."""
    by_rank = 1 / (1 + rank / 10)
    return round(min(ceiling, 0.7 * by_rank + 0.3 * query.coverage(fused.result)), 3)


def _result_id(url: str) -> str:
    return hashlib.sha256(canonical_key(url).encode("utf-8", "replace")).hexdigest()[:16]


def _key(query: CinderQuery, caller: Caller) -> str:
    serialised = query.model_dump_json().encode("utf-8", "replace")
    digest = hashlib.sha256(serialised).hexdigest()
    return name_of("ranked", caller.tenant, caller.user, digest)
