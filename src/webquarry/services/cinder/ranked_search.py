"""Ranked lists one can leaf through: kept from page to page, so that none repeats or skips."""

import asyncio
import hashlib
import time
from collections.abc import Callable, Sequence
from urllib.parse import quote

from pydantic import Field

from webquarry.content.ranking.result_urls import canonical, host_of
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.cinder import CinderResult
from webquarry.models.model import Model
from webquarry.models.search import WebQuery, WebResult
from webquarry.services.cinder.search_query import PER_ROUND, CinderQuery
from webquarry.services.searching.merge_results import Fused, fuse
from webquarry.services.searching.search_sources import ProviderResults, SearchSource
from webquarry.services.searching.service import SearchService
from webquarry.storage.store import Store

MOST = 100  # results of one question
KEPT_SECONDS = 1800.0
_PATIENCE = {"fast": None, "balanced": 8.0, "deep": 15.0}  # seconds for one provider
_AT_ONCE = {"balanced": 3, "deep": 99}  # providers asked side by side
_MOST_ROUNDS = 10
_FRUITLESS = 2  # rounds without anything new after which there is nothing more
_LOCK_SECONDS = 120.0

WebSource = SearchSource[WebQuery, WebResult]


class Ranked(Model):
    """What has been found so far, best first, and who may have more."""

    items: tuple[CinderResult, ...] = ()
    rounds: int = 0
    sources: tuple[str, ...] = ()  # may have more
    unhonoured: tuple[str, ...] = ()
    failed: dict[str, str] = Field(default_factory=dict[str, str])  # provider, kind of error
    providers: tuple[str, ...] = ()  # answered


class RankedPage(Model):
    """One page of the list."""

    items: tuple[CinderResult, ...]
    more: bool
    fresh: bool  # somebody was asked for it
    ranked: Ranked


class RankedSearch:
    """Asks as many providers as the mode says and leafs through what they find."""

    def __init__(
        self, searching: SearchService, store: Store, clock: Callable[[], float] = time.time
    ) -> None:
        self._searching = searching
        self._store = store
        self._clock = clock

    async def leaf(
        self, question: CinderQuery, caller: Caller, offset: int, count: int
    ) -> RankedPage:
        """Return `count` results from `offset`; fewer when there are no more, or 100 are out."""
        end = min(offset + count, MOST)
        key = _key(question, caller)
        ranked = await self._kept(key)
        fresh = _lacks(ranked, end)
        if ranked is None or fresh:
            # two pages asked for at once must be pages of one list
            async with self._store.lock(key, ttl=_LOCK_SECONDS, wait=_LOCK_SECONDS / 4):
                wanted = (offset, end)
                ranked = await self._deeper(question, caller, wanted, await self._kept(key))
                await self._keep(key, ranked)
        more = len(ranked.items) > end or (bool(ranked.sources) and end < MOST)
        return RankedPage(items=ranked.items[offset:end], more=more, fresh=fresh, ranked=ranked)

    async def _deeper(
        self, question: CinderQuery, caller: Caller, wanted: tuple[int, int], ranked: Ranked | None
    ) -> Ranked:
        """Ask on until there are as many results as wanted, or nobody has more."""
        ranked = ranked or await self._first(question, caller)
        fruitless, (offset, end) = 0, wanted
        while _lacks(ranked, end):
            before = len(ranked.items)
            try:
                ranked = await self._round(question, caller, ranked)
            except WebquarryError:
                if before <= offset:  # no answer does not mean that there is nothing
                    raise
                return ranked
            fruitless = 0 if len(ranked.items) > before else fruitless + 1
            if fruitless == _FRUITLESS:
                return ranked.model_copy(update={"sources": ()})
        return ranked

    async def _first(self, question: CinderQuery, caller: Caller) -> Ranked:
        web = self._searching.web
        if question.mode != "fast":
            chosen = _chosen(self._searching, question)
            return await self._round(
                question, caller, Ranked(sources=tuple(source.name for source in chosen))
            )
        failures: list[tuple[str, WebquarryError]] = []
        for source in web.candidates():  # the first that answers, as for any other search
            answers, failed = await self._ask(question, [source], 1, caller)
            failures += failed
            if answers:
                started = Ranked(sources=(source.name,))
                return self._joined(question, started, answers, failures)
        raise web.failure(failures)

    async def _round(self, question: CinderQuery, caller: Caller, ranked: Ranked) -> Ranked:
        """Ask everybody who may have more for their next page."""
        named = {source.name: source for source in _everyone(self._searching)}
        sources = [named[name] for name in ranked.sources if name in named]
        answers, failures = await self._ask(question, sources, ranked.rounds + 1, caller)
        if not answers and failures:
            raise self._searching.web.failure(failures)
        return self._joined(question, ranked, answers, failures)

    async def _ask(
        self, question: CinderQuery, sources: Sequence[WebSource], turn: int, caller: Caller
    ) -> tuple[
        list[tuple[WebSource, ProviderResults[WebResult]]], list[tuple[str, WebquarryError]]
    ]:
        patience = _PATIENCE[question.mode] if len(sources) > 1 else None

        async def one(source: WebSource) -> ProviderResults[WebResult] | WebquarryError:
            query = question.asked_of(source.reach, turn, caller)
            try:
                return await self._searching.web.ask(source, query, patience=patience)
            except WebquarryError as error:
                return error

        outcomes = await asyncio.gather(*map(one, sources))
        pairs = list(zip(sources, outcomes, strict=True))
        answers = [(who, what) for who, what in pairs if isinstance(what, ProviderResults)]
        failures = [(who.name, what) for who, what in pairs if isinstance(what, WebquarryError)]
        return answers, failures

    def _joined(
        self,
        question: CinderQuery,
        ranked: Ranked,
        answers: Sequence[tuple[WebSource, ProviderResults[WebResult]]],
        failures: Sequence[tuple[str, WebquarryError]],
    ) -> Ranked:
        turn = ranked.rounds + 1
        unhonoured, lists = list(ranked.unhonoured), list[ProviderResults[WebResult]]()
        for source, found in answers:
            kept, unsure = question.sift(found, source.reach, self._clock())
            unhonoured += unsure
            lists.append(ProviderResults(items=kept, provider=source.name))
        ready = [s.name for s, found in answers if found.items and _has_more(s, turn)]
        return Ranked(
            items=_appended(question, ranked.items, fuse(lists)),
            rounds=turn,
            sources=tuple(ready) if turn < _MOST_ROUNDS else (),
            unhonoured=tuple(dict.fromkeys(unhonoured)),
            failed=ranked.failed | {name: error.advice.kind for name, error in failures},
            providers=tuple(dict.fromkeys([*ranked.providers, *(s.name for s, _ in answers)])),
        )

    async def _kept(self, key: str) -> Ranked | None:
        entry = await self._store.get(key)
        return Ranked.model_validate_json(entry.value) if entry else None

    async def _keep(self, key: str, ranked: Ranked) -> None:
        if ranked.items:  # nothing may be a bad moment
            await self._store.set(key, ranked.model_dump_json().encode(), ttl=KEPT_SECONDS)


def _lacks(ranked: Ranked | None, end: int) -> bool:
    return ranked is None or (len(ranked.items) < end and bool(ranked.sources))


def _chosen(searching: SearchService, question: CinderQuery) -> list[WebSource]:
    """Return whom this mode asks: three in the operator's order, or everyone there is."""
    preferred = searching.web.candidates()  # raises when nobody is configured
    others = _everyone(searching) if question.mode == "deep" else searching.web.everyone()
    unique = {source.name: source for source in [*preferred, *others]}
    return list(unique.values())[: _AT_ONCE[question.mode]]


def _everyone(searching: SearchService) -> list[WebSource]:
    """Return all general providers and the caller's own pages."""
    own = [searching.web.candidates("local")[0]] if "local" in searching.web.names else []
    named = [*searching.web.candidates(), *searching.web.everyone(), *own]
    return list({source.name: source for source in named}.values())


def _has_more(source: WebSource, turn: int) -> bool:
    """Whether another request can bring more."""
    reach = source.reach
    if reach.pages > 1:
        return turn < reach.pages
    return turn * PER_ROUND < reach.most


def _appended(
    question: CinderQuery, items: Sequence[CinderResult], found: Sequence[Fused]
) -> tuple[CinderResult, ...]:
    """Return the list with what is new at its end."""
    known = {item.id for item in items}
    rows = list(items)
    for fused in found:
        ident = _ident(fused.result.url)
        if ident in known or len(rows) == MOST:
            continue
        known.add(ident)
        ceiling = rows[-1].relevance if rows else 1.0
        rows.append(_row(ident, fused.result, _relevance(question, fused, len(rows), ceiling)))
    return tuple(rows)


def _row(ident: str, result: WebResult, relevance: float) -> CinderResult:
    return CinderResult(
        id=ident,
        title=result.title,
        url=result.url,
        domain=host_of(result.url),
        summary=result.snippet,
        relevance=relevance,
        publishedDate=result.published,
    )


def _relevance(question: CinderQuery, fused: Fused, place: int, ceiling: float) -> float:
    """Return 0 to 1 by place and by the question's words; it never rises down the list."""
    by_place = 1 / (1 + place / 10)
    return round(min(ceiling, 0.7 * by_place + 0.3 * question.coverage(fused.result)), 3)


def _ident(url: str) -> str:
    return hashlib.sha256(canonical(url).encode("utf-8", "replace")).hexdigest()[:16]


def _key(question: CinderQuery, caller: Caller) -> str:
    # quoted, or the user "b:c" of "a" would be the user "c" of "a:b"
    whose = (quote(part, safe="", errors="surrogatepass") for part in (caller.tenant, caller.user))
    asked = question.model_dump_json().encode("utf-8", "replace")
    return ":".join(("ranked", *whose, hashlib.sha256(asked).hexdigest()))
