"""Finds scholarly works: a named provider, the router, the academic providers, then the web."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from webquarry.errors import (
    NetworkError,
    NotFoundError,
    ProviderError,
    UnknownProviderError,
    WebquarryError,
)
from webquarry.models.session import ProviderCall
from webquarry.models.works import ProviderFailure, Work, WorkQuery, Works
from webquarry.observe.provider_log import note_ask
from webquarry.providers.capabilities_search import SearchesWeb
from webquarry.providers.capabilities_works import SearchesWorks
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.provider_failure import combined
from webquarry.services.scholarship.enrichment import with_notices, with_open_copies
from webquarry.services.scholarship.merge_works import merge
from webquarry.services.scholarship.web_works import WEB, WebWorkSearch
from webquarry.services.scholarship.work_filters import (
    afterwards,
    applies,
    newest_first,
    sift,
    undecidable,
    widened,
    wishes,
)
from webquarry.services.searching.router import RoutingTrace
from webquarry.services.searching.service import SearchService

PATIENCE = 20.0  # seconds for one provider
ROUTER = "router"
_LOOKED_AT = 6  # times as many works as wanted, when some will be sorted out


@dataclass(frozen=True)
class ProviderWorks:
    """What one provider found."""

    provider: str
    works: Works


@dataclass
class WorkSearchResult:
    """What came of a search, and what the caller should know about it."""

    works: list[Work] = field(default_factory=list[Work])
    source: str = ""
    total: int | None = None
    failures: list[ProviderFailure] = field(default_factory=list[ProviderFailure])
    unhonoured: list[str] = field(default_factory=list[str])
    afterwards: list[str] = field(default_factory=list[str])
    unknown: Mapping[str, int] = field(default_factory=dict[str, int])
    unchecked: tuple[str, ...] = ()
    trace: RoutingTrace | None = None
    answered: str = ""  # the provider behind the router


class WorkSearch:
    """One search for works, in four ways one after the other."""

    def __init__(self, choices: ProviderDirectory, searching: SearchService) -> None:
        self._choices = choices
        self._choice = choices.of(SearchesWorks)
        self._searching = searching
        self._web = WebWorkSearch(searching)
        self._replies: list[ProviderWorks] = []
        self._failed: list[tuple[str, WebquarryError]] = []

    @property
    def names(self) -> tuple[str, ...]:
        """The academic providers that can be asked."""
        return tuple(self._choice.ready)

    async def find(
        self, query: WorkQuery, *, only: str | None = None, fuse: bool = False
    ) -> WorkSearchResult:
        """Return works; an error only when nobody could answer."""
        finding = WorkSearchResult()
        try:
            if only:
                finding = await self._only(query, only.strip().lower())
            elif routed := self._routed():
                finding = await self._in_turn(query, routed)
            else:
                finding = await self._by_academics(query, fuse=fuse)
        finally:
            self._note_asks(query, finding)
        return finding

    async def _only(self, query: WorkQuery, name: str) -> WorkSearchResult:
        if name in self._choice.ready:
            await self._ask_all([name], query)
            for _, error in self._failed:
                raise error
            return await self._finish(query, self._replies, source=name)
        if name not in self._choice.known and name in self._searching.web.names:
            return await self._on_web(query, WorkSearchResult(), only=name)
        if name in self._choice.known:
            self._choice.named(name)  # raises: it lacks its key
        if name in self._choices.known and name not in self._choice.known:
            self._searching.web.candidates(
                name
            )  # raises: it lacks its key, or searches other things
        web = self._choices.of(SearchesWeb).known
        raise UnknownProviderError(
            f"Unknown provider '{name}'. Supported: "
            f"{', '.join(dict.fromkeys((*self._choice.known, *web)))}.",
            alternatives=self.names,
        )

    async def _in_turn(self, query: WorkQuery, names: Sequence[str]) -> WorkSearchResult:
        """Ask the providers of SEARCH_ROUTING in their order until one finds something."""
        trace, finding = RoutingTrace(), WorkSearchResult()
        for name in names:
            trace.attempted.append(name)
            await self._ask_all([name], query)
            if self._replies and self._replies[-1].provider == name:
                finding = await self._finish(query, self._replies[-1:], source=ROUTER)
                finding.answered = name
            if finding.works:
                break
        trace.failures = list(self._failed)
        finding.failures += _failures(self._failed)
        finding.trace = trace
        return finding if finding.source else await self._on_web(query, finding)

    async def _by_academics(self, query: WorkQuery, *, fuse: bool) -> WorkSearchResult:
        names = [n for n, p in self._choice.ready.items() if p.work_reach.general]
        finding = WorkSearchResult()
        # the preferred one answers alone, unless it fails or has too little
        for panel in [names] if fuse else [names[:1], names[1:]]:
            before = len(self._replies)
            await self._ask_all(panel, query)
            if len(self._replies) > before:
                finding = await self._finish(query, self._replies)
            if len(finding.works) >= query.count:
                break
        finding.failures += _failures(self._failed)
        if not finding.source or not (finding.works or wishes(query)):
            return await self._on_web(query, finding)
        return finding

    async def _on_web(
        self,
        query: WorkQuery,
        finding: WorkSearchResult,
        *,
        only: str | None = None,
    ) -> WorkSearchResult:
        """Search the sites of publishers and repositories; without an answer from anyone, fail."""
        trace = RoutingTrace()
        try:
            found = await self._web.find(query, only=only, trace=trace)
        except WebquarryError as error:
            if only:
                raise
            if finding.source:  # academics answered, and they found nothing
                finding.failures.append(_failure(WEB, error))
                return finding
            raise _nobody([*self._failed, (WEB, error)], self.names) from error
        works = await with_open_copies(found.works, self._choices)
        sifted = sift(works, query, found.trust)
        checked = await with_notices(sifted.works[: query.count], self._choices)
        return WorkSearchResult(
            works=checked.works,
            source=WEB,
            failures=[*finding.failures, *([checked.failure] if checked.failure else [])],
            unhonoured=found.unhonoured,
            afterwards=wishes(query),
            unknown=sifted.unknown,
            unchecked=checked.unchecked,
            trace=trace,
        )

    async def _finish(
        self, query: WorkQuery, replies: Sequence[ProviderWorks], *, source: str = ""
    ) -> WorkSearchResult:
        """Merge, fill in, filter, order and cut what was found, and look for notices."""
        if not replies:
            return WorkSearchResult()
        reaches = {r.provider: self._choice.ready[r.provider].work_reach for r in replies}
        works = merge(reply.works.items for reply in replies)
        # a free copy may be what makes a work fit; otherwise only those that are shown need one
        copied_first = query.pdf_only or query.open_access
        if copied_first:
            works = await with_open_copies(works[: _LOOKED_AT * query.count], self._choices)
        blind = all(undecidable(query, reach) for reach in reaches.values())
        judged = query.model_copy(update={"source": None}) if blind else query
        trust = {
            name: [who for who, reach in reaches.items() if applies(name, query, reach)]
            for name in wishes(judged)
        }
        sifted = sift(works, judged, trust)
        ordered = newest_first(sifted.works) if query.newest else sifted.works
        shown = ordered[: query.count]
        if not copied_first:
            shown = await with_open_copies(shown, self._choices)
        checked = await with_notices(shown, self._choices)
        later = [name for reach in reaches.values() for name in afterwards(judged, reach)]
        return WorkSearchResult(
            works=checked.works,
            source=source or "+".join(dict.fromkeys(r.provider for r in replies)),
            total=_total(replies),
            failures=[checked.failure] if checked.failure else [],
            unhonoured=["source"] if blind else [],
            afterwards=list(dict.fromkeys(later)),
            unknown=sifted.unknown,
            unchecked=checked.unchecked,
        )

    async def _ask_all(self, names: Sequence[str], query: WorkQuery) -> None:
        """Ask side by side, and keep what they found or why they did not answer."""

        async def one(name: str) -> ProviderWorks | tuple[str, WebquarryError]:
            try:
                return await self._ask(name, query)
            except WebquarryError as error:
                return name, error

        for outcome in await asyncio.gather(*map(one, names)):
            if isinstance(outcome, ProviderWorks):
                self._replies.append(outcome)
            else:
                self._failed.append(outcome)

    async def _ask(self, name: str, query: WorkQuery) -> ProviderWorks:
        provider = self._choice.ready[name]
        try:
            async with asyncio.timeout(PATIENCE):
                found = await provider.search_works(widened(query, provider.work_reach))
        except NotFoundError as error:  # its address is gone, which says nothing about works
            raise ProviderError(
                f"Unavailable ({name}): its search is not where it was (HTTP 404). "
                "Try a different provider.",
                provider=name,
            ) from error
        except TimeoutError as error:
            raise NetworkError(
                f"Network error ({name}): no answer within {PATIENCE:g} seconds. "
                "Retry, or try a different provider.",
                provider=name,
            ) from error
        return ProviderWorks(name, found)

    def _note_asks(self, query: WorkQuery, finding: WorkSearchResult) -> None:
        """Tell whoever keeps a log of the search."""
        filters = query.model_dump(exclude={"text", "count"}, exclude_defaults=True)
        for reply in self._replies:
            who, hits = reply.provider, len(reply.works.items)
            kept = sum(who in (work.providers or (work.source,)) for work in finding.works)
            removed_by = tuple(finding.afterwards) if kept < hits else ()
            note_ask(
                ProviderCall(
                    provider=who,
                    query=query.text,
                    filters=filters or None,
                    hits=hits,
                    kept=kept,
                    removedBy=removed_by,
                )
            )
        for name, error in self._failed:
            kind = error.advice.kind
            note_ask(
                ProviderCall(provider=name, query=query.text, filters=filters or None, error=kind)
            )

    def _routed(self) -> list[str]:
        names = self._searching.routed("academic")
        return [name for name in names if name in self._choice.ready]


def _total(replies: Sequence[ProviderWorks]) -> int | None:
    return max((r.works.total for r in replies if r.works.total is not None), default=None)


def _failure(name: str, error: WebquarryError) -> ProviderFailure:
    return ProviderFailure(provider=name, kind=error.advice.kind, message=str(error))


def _failures(failed: Iterable[tuple[str, WebquarryError]]) -> list[ProviderFailure]:
    return [_failure(name, error) for name, error in failed]


def _nobody(failed: Sequence[tuple[str, WebquarryError]], names: tuple[str, ...]) -> WebquarryError:
    """Return the error that says why each of them could not answer."""
    asked = {name for name, _ in failed}
    error = combined("scholarly works", failed, tuple(name for name in names if name not in asked))
    error.details["failures"] = [_failure(*each).model_dump() for each in failed]
    return error
