"""Patent search: the patent's page, the registries in order, then the web."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from webquarry.errors import UnconfiguredError, UnknownProviderError, WebquarryError
from webquarry.models.patents import Patent, PatentQuery
from webquarry.models.session import ProviderCall
from webquarry.observe.call_context import log_provider_call
from webquarry.providers.capabilities_patents import FindsPatents, SearchesPatents
from webquarry.providers.capabilities_search import SearchesWeb
from webquarry.services.patents.patent_filters import filter_patents
from webquarry.services.patents.web_discovery import discover_patents
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.provider_queries import RoutingTrace, combined_error, query_in_order
from webquarry.services.searching.service import SearchService

DISCOVERY = "web_discovery"
_EXTRA = 3  # records requested for each record needed, where they are filtered here
_MAX_RECORDS = 100


@dataclass
class PatentSearchResult:
    """The patents, their source, and the providers that were queried."""

    source: str
    patents: list[Patent] = field(default_factory=list[Patent])
    notes: list[str] = field(default_factory=list[str])
    trace: RoutingTrace = field(default_factory=RoutingTrace)
    queried_on_web: list[str] = field(default_factory=list[str])


class PatentSearch:
    """Searches patents with one named provider, or with all in order until one has results."""

    def __init__(self, choices: ProviderDirectory, searching: SearchService) -> None:
        self._registries = choices.of(SearchesPatents)
        self._patent_pages = choices.of(FindsPatents)
        self._web = choices.of(SearchesWeb)
        self._searching = searching
        self._routed = searching.routed("patents")

    @property
    def is_routed(self) -> bool:
        """Whether SEARCH_ROUTING orders the registries."""
        return bool(self._routed)

    @property
    def names(self) -> tuple[str, ...]:
        """The providers that can be queried."""
        return tuple(dict.fromkeys((*self._registries.ready, *self._web.ready)))

    async def find(self, query: PatentQuery, only: str | None = None) -> PatentSearchResult:
        """Return patents; an error if every provider failed."""
        if only:
            return await self._find_only(query, only.strip().lower())
        result = PatentSearchResult(source=DISCOVERY)
        steps: dict[str, Callable[[], Awaitable[bool]]] = {}
        if query.number:
            for name, pages in self._patent_pages.ready.items():
                steps[name] = partial(self._from_page, query, name, pages, result)
        for name, registry in self._order(query).items():
            steps[name] = partial(self._from_registry, query, name, registry, result)
        steps[DISCOVERY] = partial(self._from_web, query, result, None)
        responses = await query_in_order(
            steps, lambda name: steps[name](), has_results=bool, trace=result.trace
        )
        if not responses:
            raise combined_error("patents", result.trace.failures)
        return result

    async def _find_only(self, query: PatentQuery, name: str) -> PatentSearchResult:
        result = PatentSearchResult(source=name)
        result.trace.attempted.append(name)
        if registry := self._registries.ready.get(name):
            await self._from_registry(query, name, registry, result)
        elif name in self._web.ready:
            await self._from_web(query, result, name)
        else:
            raise self._unavailable(name)
        return result

    def _unavailable(self, name: str) -> WebquarryError:
        known = self._registries.known | self._web.known
        if about := known.get(name):
            missing = " and ".join(about.requires)
            return UnconfiguredError(
                f"Provider '{name}' is not configured: set {missing} (see .env.example).",
                provider=name,
                alternatives=self.names,
            )
        return UnknownProviderError(
            f"Unknown provider '{name}'. Supported: {', '.join(known)}.", alternatives=self.names
        )

    def _order(self, query: PatentQuery) -> Mapping[str, SearchesPatents]:
        ready = self._registries.ready
        ordered = dict.fromkeys((*(n for n in self._routed if n in ready), *ready))
        return {
            name: ready[name]
            for name in ordered
            if not query.office
            or ready[name].patent_offices is None
            or query.office in (ready[name].patent_offices or ())
        }

    async def _from_page(
        self, query: PatentQuery, name: str, pages: FindsPatents, result: PatentSearchResult
    ) -> bool:
        patent = await pages.find_patent(query.number or "")
        if patent:
            result.source = name
            result.patents, result.notes = filter_patents([patent], query, frozenset({"number"}))
        return patent is not None

    async def _from_registry(
        self, query: PatentQuery, name: str, registry: SearchesPatents, result: PatentSearchResult
    ) -> bool:
        filtered_here = query.model_fields_set - registry.patent_filters - {"text"}
        count = min(_MAX_RECORDS, query.count * _EXTRA) if filtered_here else query.count
        try:
            found = await registry.search_patents(query.model_copy(update={"count": count}))
        except WebquarryError as error:
            kind = error.advice.kind
            log_provider_call(ProviderCall(provider=name, query=query.text, error=kind))
            raise
        matching, notes = filter_patents(found, query, registry.patent_filters)
        result.patents = matching[: query.count]
        shown = len(result.patents)
        log_provider_call(
            ProviderCall(provider=name, query=query.text, hits=len(found), kept=shown)
        )
        result.notes += notes
        if matching:
            result.source = name
        return bool(matching)

    async def _from_web(
        self, query: PatentQuery, result: PatentSearchResult, only: str | None
    ) -> bool:
        pages = next(iter(self._patent_pages.ready.values()), None)
        found, queried = await discover_patents(query, self._searching, pages, only)
        result.queried_on_web += queried
        matching, notes = filter_patents(found, query, frozenset())
        result.source = only or DISCOVERY
        result.patents = matching[: query.count]
        result.notes += notes
        return bool(matching)
