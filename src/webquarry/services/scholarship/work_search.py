"""Search for scholarly works: academic providers, merged and filtered; then the web."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from webquarry.errors import UnknownProviderError, WebquarryError
from webquarry.models.session import ProviderCall
from webquarry.models.works import ProviderFailure, Work, WorkQuery, Works
from webquarry.observe.call_context import log_provider_call
from webquarry.providers.capabilities_search import SearchesWeb
from webquarry.providers.capabilities_works import SearchesWorks, WorkSearchSupport
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.provider_queries import (
    Failures,
    RoutingTrace,
    combined_error,
    provider_errors,
    query_all,
    query_in_order,
)
from webquarry.services.scholarship.enrichment import with_notices, with_open_copies
from webquarry.services.scholarship.merge_works import merge_works
from webquarry.services.scholarship.web_works import WEB, WebWorkSearch
from webquarry.services.scholarship.work_filters import (
    cannot_judge_source,
    filter_works,
    largest_total,
    local_filters,
    newest_first,
    requested_filters,
    supports_filter,
    with_margin,
)
from webquarry.services.searching.service import SearchService

ROUTER = "router"
_CANDIDATES = 6  # works looked up for each work shown, where only those with a free copy pass


@dataclass(frozen=True)
class ProviderWorks:
    """The works that one provider returned."""

    provider: str
    works: Works


@dataclass
class WorkSearchResult:
    """The works, and what the caller should know about the search."""

    works: list[Work] = field(default_factory=list[Work])
    source: str = ""
    total: int | None = None
    failures: list[ProviderFailure] = field(default_factory=list[ProviderFailure])
    unhonoured: list[str] = field(default_factory=list[str])
    applied_locally: list[str] = field(default_factory=list[str])
    unknown: Mapping[str, int] = field(default_factory=dict[str, int])
    unchecked: tuple[str, ...] = ()
    trace: RoutingTrace | None = None
    provider: str = ""  # the provider that the router used


@dataclass
class _Collected:
    """The responses and failures of one search."""

    responses: list[ProviderWorks] = field(default_factory=list[ProviderWorks])
    failures: list[tuple[str, WebquarryError]] = field(
        default_factory=list[tuple[str, WebquarryError]]
    )


class WorkSearch:
    """Searches with one named provider, in the routed order, or with the academic providers."""

    def __init__(self, choices: ProviderDirectory, searching: SearchService) -> None:
        self._choices = choices
        self._choice = choices.of(SearchesWorks)
        self._searching = searching
        self._web = WebWorkSearch(searching)

    @property
    def names(self) -> tuple[str, ...]:
        """The academic providers that can be queried."""
        return tuple(self._choice.ready)

    async def find(
        self, query: WorkQuery, *, only: str | None = None, fuse: bool = False
    ) -> WorkSearchResult:
        """Return works; an error only when no provider responded."""
        collected, result = _Collected(), WorkSearchResult()
        try:
            if only:
                result = await self._only(query, only.strip().lower(), collected)
            elif routed := self._routed():
                result = await self._in_order(query, routed, collected)
            else:
                result = await self._academic(query, collected, fuse=fuse)
        finally:
            _log_calls(query, collected, result)
        return result

    async def _only(self, query: WorkQuery, name: str, collected: _Collected) -> WorkSearchResult:
        if name in self._choice.ready:
            await self._query_all([name], query, collected)
            for _, error in collected.failures:
                raise error
            return await self._finish(query, collected.responses, source=name)
        if name in self._choice.known:
            self._choice.require(name)  # raises: it lacks its key
        if name in self._searching.web.names:
            return await self._on_web(query, WorkSearchResult(), collected, only=name)
        if name in self._choices.known:
            # raises: it lacks its key, or does not search the web
            self._searching.web.candidates(name)
        web = self._choices.of(SearchesWeb).known
        raise UnknownProviderError(
            f"Unknown provider '{name}'. Supported: "
            f"{', '.join(dict.fromkeys((*self._choice.known, *web)))}.",
            alternatives=self.names,
        )

    async def _in_order(
        self, query: WorkQuery, names: Sequence[str], collected: _Collected
    ) -> WorkSearchResult:
        """Query the providers of SEARCH_ROUTING until one has works."""

        async def search(name: str) -> WorkSearchResult:
            response = await self._query(name, query)
            collected.responses.append(response)
            found = await self._finish(query, [response], source=ROUTER)
            found.provider = name
            return found

        trace = RoutingTrace(failures=collected.failures)
        results = await query_in_order(
            names, search, has_results=lambda found: bool(found.works), trace=trace
        )
        result = results[-1] if results else WorkSearchResult()
        result.failures += _failures(collected.failures)
        result.trace = trace
        return result if results else await self._on_web(query, result, collected)

    async def _academic(
        self, query: WorkQuery, collected: _Collected, *, fuse: bool
    ) -> WorkSearchResult:
        names = [n for n, p in self._choice.ready.items() if p.work_support.general]
        result = WorkSearchResult()
        # the preferred provider alone is enough, unless it fails or returns too few works
        for group in [names] if fuse else [names[:1], names[1:]]:
            before = len(collected.responses)
            await self._query_all(group, query, collected)
            if len(collected.responses) > before:
                result = await self._finish(query, collected.responses)
            if len(result.works) >= query.count:
                break
        result.failures += _failures(collected.failures)
        if not result.source or not (result.works or requested_filters(query)):
            return await self._on_web(query, result, collected)
        return result

    async def _on_web(
        self,
        query: WorkQuery,
        result: WorkSearchResult,
        collected: _Collected,
        *,
        only: str | None = None,
    ) -> WorkSearchResult:
        """Search the sites of publishers and repositories; an error if no provider responded."""
        trace = RoutingTrace()
        try:
            found = await self._web.find(query, only=only, trace=trace)
        except WebquarryError as error:
            if only:
                raise
            if result.source:  # academic providers responded without works
                result.failures.append(_failure(WEB, error))
                return result
            raise _all_failed([*collected.failures, (WEB, error)], self.names) from error
        works = await with_open_copies(found.works, self._choices)
        filtered = filter_works(works, query, found.trust)
        checked = await with_notices(filtered.works[: query.count], self._choices)
        return WorkSearchResult(
            works=checked.works,
            source=WEB,
            failures=[*result.failures, *([checked.failure] if checked.failure else [])],
            unhonoured=found.unhonoured,
            applied_locally=requested_filters(query),
            unknown=filtered.unknown,
            unchecked=checked.unchecked,
            trace=trace,
        )

    async def _finish(
        self, query: WorkQuery, responses: Sequence[ProviderWorks], *, source: str = ""
    ) -> WorkSearchResult:
        """Merge, complete, filter, sort and cut the works, and look up notices about them."""
        supports = {r.provider: self._choice.ready[r.provider].work_support for r in responses}
        works = merge_works(response.works.items for response in responses)
        # a filter may depend on a free copy; otherwise only the works shown need one
        copies_first = query.pdf_only or query.open_access
        if copies_first:
            works = await with_open_copies(works[: _CANDIDATES * query.count], self._choices)
        unjudged = all(cannot_judge_source(query, support) for support in supports.values())
        judged = query.model_copy(update={"source": None}) if unjudged else query
        filtered = filter_works(works, judged, _appliers(judged, supports))
        ordered = newest_first(filtered.works) if query.newest else filtered.works
        shown = ordered[: query.count]
        if not copies_first:
            shown = await with_open_copies(shown, self._choices)
        checked = await with_notices(shown, self._choices)
        local = [name for support in supports.values() for name in local_filters(judged, support)]
        return WorkSearchResult(
            works=checked.works,
            source=source or "+".join(supports),
            total=largest_total(
                judged, zip((r.works.total for r in responses), supports.values(), strict=True)
            ),
            failures=[checked.failure] if checked.failure else [],
            unhonoured=["source"] if unjudged else [],
            applied_locally=list(dict.fromkeys(local)),
            unknown=filtered.unknown,
            unchecked=checked.unchecked,
        )

    async def _query_all(
        self, names: Sequence[str], query: WorkQuery, collected: _Collected
    ) -> None:
        responses, failures = await query_all(names, lambda name: self._query(name, query))
        collected.responses += responses.values()
        collected.failures += failures

    async def _query(self, name: str, query: WorkQuery) -> ProviderWorks:
        provider = self._choice.ready[name]
        async with provider_errors(name, self._searching.provider_timeout):
            found = await provider.search_works(with_margin(query, provider.work_support))
        return ProviderWorks(name, found)

    def _routed(self) -> list[str]:
        names = self._searching.routed("academic")
        return [name for name in names if name in self._choice.ready]


def _appliers(
    query: WorkQuery, supports: Mapping[str, WorkSearchSupport]
) -> dict[str, Collection[str]]:
    """Return the providers that apply each filter themselves."""
    return {
        name: [who for who, support in supports.items() if supports_filter(name, query, support)]
        for name in requested_filters(query)
    }


def _log_calls(query: WorkQuery, collected: _Collected, result: WorkSearchResult) -> None:
    filters = query.model_dump(exclude={"text", "count"}, exclude_defaults=True) or None
    for response in collected.responses:
        name, hits = response.provider, len(response.works.items)
        kept = sum(name in (work.providers or (work.source,)) for work in result.works)
        log_provider_call(
            ProviderCall(
                provider=name,
                query=query.text,
                filters=filters,
                hits=hits,
                kept=kept,
                removedBy=tuple(result.applied_locally) if kept < hits else (),
            )
        )
    for name, error in collected.failures:
        kind = error.advice.kind
        log_provider_call(
            ProviderCall(provider=name, query=query.text, filters=filters, error=kind)
        )


def _failure(name: str, error: WebquarryError) -> ProviderFailure:
    return ProviderFailure(provider=name, kind=error.advice.kind, message=str(error))


def _failures(failures: Iterable[tuple[str, WebquarryError]]) -> list[ProviderFailure]:
    return [_failure(name, error) for name, error in failures]


def _all_failed(failures: Failures, names: tuple[str, ...]) -> WebquarryError:
    """Return one error for all failures, with the reason of each."""
    queried = {name for name, _ in failures}
    others = tuple(name for name in names if name not in queried)
    error = combined_error("scholarly works", failures, others)
    error.details["failures"] = [each.model_dump() for each in _failures(failures)]
    return error
