"""Asks the registries of patents in order, and the web when none of them can answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from webquarry.errors import UnconfiguredError, UnknownProviderError, WebquarryError
from webquarry.models.patents import Patent, PatentQuery
from webquarry.models.session import ProviderCall
from webquarry.observe.provider_log import note_ask
from webquarry.providers.capabilities_patents import FindsPatents, SearchesPatents
from webquarry.providers.capabilities_search import SearchesWeb
from webquarry.services.patents.patent_filters import sift
from webquarry.services.patents.web_discovery import discover
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.provider_failure import combined
from webquarry.services.searching.service import SearchService

DISCOVERY = "web_discovery"
_MARGIN = 3  # records asked for per record wanted, where we filter them ourselves
_MOST = 100


@dataclass
class PatentAnswer:
    """What was found, by whom, and who could not answer."""

    source: str
    patents: list[Patent] = field(default_factory=list[Patent])
    notes: list[str] = field(default_factory=list[str])
    attempted: list[str] = field(default_factory=list[str])
    failures: dict[str, WebquarryError] = field(default_factory=dict[str, WebquarryError])


class PatentSearch:
    """The ladder: the named provider only; else the registries, then the web."""

    def __init__(self, choices: ProviderDirectory, searching: SearchService) -> None:
        self._registries = choices.of(SearchesPatents)
        self._page = choices.of(FindsPatents)
        self._web = choices.of(SearchesWeb)
        self._searching = searching
        self._routed = searching.routed("patents")

    @property
    def is_routed(self) -> bool:
        """Whether the operator gave an order."""
        return bool(self._routed)

    @property
    def names(self) -> tuple[str, ...]:
        """Everyone who could be asked now."""
        return tuple(dict.fromkeys((*self._registries.ready, *self._web.ready)))

    async def find(self, query: PatentQuery, only: str | None = None) -> PatentAnswer:
        """Return patents; empty only if somebody looked and found none."""
        if only:
            return await self._ask_only(query, only.strip().lower())
        answer = PatentAnswer(source=DISCOVERY)
        if query.number and await self._from_page(query, answer):
            return answer
        for name, registry in self._order(query).items():
            if await self._from_registry(query, name, registry, answer):
                return answer
        await self._from_web(query, answer, None)
        if not answer.patents and len(answer.failures) == len(answer.attempted):
            raise combined("patents", list(answer.failures.items()))
        return answer

    async def _ask_only(self, query: PatentQuery, name: str) -> PatentAnswer:
        answer = PatentAnswer(source=name)
        if name in self._registries.ready:
            registry = self._registries.ready[name]
            await self._from_registry(query, name, registry, answer)
        elif name in self._web.ready:
            await self._from_web(query, answer, name)
        else:
            raise self._refusal(name)
        if answer.failures:
            raise combined("patents", list(answer.failures.items()))
        return answer

    def _refusal(self, name: str) -> WebquarryError:
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

    async def _from_page(self, query: PatentQuery, answer: PatentAnswer) -> bool:
        for name, pages in self._page.ready.items():
            answer.attempted.append(name)
            try:
                patent = await pages.find_patent(query.number or "")
            except WebquarryError as error:
                answer.failures[name] = error
                continue
            if patent:
                answer.source = name
                answer.patents, answer.notes = sift([patent], query, frozenset({"number"}))
                return True
        return False

    async def _from_registry(
        self, query: PatentQuery, name: str, registry: SearchesPatents, answer: PatentAnswer
    ) -> bool:
        answer.attempted.append(name)
        ours = [n for n in query.model_fields_set - registry.patent_honours if n != "text"]
        wanted = min(_MOST, query.count * _MARGIN) if ours else query.count
        try:
            found = await registry.search_patents(query.model_copy(update={"count": wanted}))
        except WebquarryError as error:
            answer.failures[name] = error
            note_ask(ProviderCall(provider=name, query=query.text, error=error.advice.kind))
            return False
        kept, notes = sift(found, query, registry.patent_honours)
        answer.patents = kept[: query.count]
        shown = len(answer.patents)
        note_ask(ProviderCall(provider=name, query=query.text, hits=len(found), kept=shown))
        answer.notes += notes
        if kept:
            answer.source = name
        return bool(kept)

    async def _from_web(self, query: PatentQuery, answer: PatentAnswer, only: str | None) -> None:
        label = only or DISCOVERY
        answer.attempted.append(label)
        pages = next(iter(self._page.ready.values()), None)
        try:
            found = await discover(query, self._searching, pages, only)
        except WebquarryError as error:
            answer.failures[label] = error
            return
        kept, notes = sift(found, query, frozenset())
        answer.source = label
        answer.patents = kept[: query.count]
        answer.notes += notes
