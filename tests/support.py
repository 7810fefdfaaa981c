"""Parts of the application, small enough for a test."""

from dataclasses import dataclass, field, replace
from typing import Any

from webquarry.calls.call_path import CallPath, CallRecord, CallRules
from webquarry.calls.registry import Registry
from webquarry.calls.tool import AnyTool, ReportsProgress, no_progress
from webquarry.errors import NetworkError, PageError
from webquarry.models.caller import Caller
from webquarry.models.reading import RawResponse, Reading
from webquarry.models.result import Result
from webquarry.net.fetch import FetchedResponse, FetchRequest
from webquarry.net.url import Url
from webquarry.observe.metrics import Metrics
from webquarry.providers.provider import Provider
from webquarry.reading.page_cache import PageCache
from webquarry.reading.service import ReadingService, ReadsAddresses
from webquarry.services import Services
from webquarry.services.answering.local_answers import LocalAnswers
from webquarry.services.answering.local_structured import LocalStructured, StructuredDependencies
from webquarry.services.answering.service import AnswerService
from webquarry.services.extraction.service import ExtractionService
from webquarry.services.link_check import LinkChecker
from webquarry.services.people.consent import Consents
from webquarry.services.people.service import PeopleService
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.quotas import Quotas
from webquarry.services.research.cached_search import CachedSearch
from webquarry.services.research.evidence import Evidence
from webquarry.services.research.research_service import ResearchService
from webquarry.services.searching.service import Preferences, SearchService
from webquarry.services.sessions.service import SessionService
from webquarry.storage.artifacts import Artifacts
from webquarry.storage.captures import Captures
from webquarry.storage.memory_store import MemoryStore

ALICE = Caller(tenant="acme", user="alice")
BOB = Caller(tenant="acme", user="bob")


async def admit_everyone(_: Caller) -> None:
    return None


class NoPages:
    """Reads nothing: a test that reads pages says which."""

    async def read(self, url: Url, seconds: float) -> Reading:
        raise PageError(f"no page {url.href} here")

    async def read_raw(self, url: Url, seconds: float, most: int) -> RawResponse:
        raise PageError(f"no page {url.href} here")


class NoNetwork:
    """Fetches nothing: a test that checks links says what is there."""

    async def fetch(self, wanted: FetchRequest) -> FetchedResponse:
        raise NetworkError(f"no {wanted.url} here")


def services(
    *providers: Provider,
    reader: ReadsAddresses | None = None,
    preferences: Preferences | None = None,
) -> Services:
    """Services over these providers and pages; all of the providers count as known."""
    store = MemoryStore()
    choices = ProviderDirectory(providers, [type(p) for p in providers])
    reading = ReadingService(reader or NoPages(), PageCache(store))
    searching = SearchService(choices, preferences)
    research = ResearchService(
        CachedSearch(searching, store), reading, Evidence(Captures(store), reading)
    )
    return Services(
        store=store,
        artifacts=Artifacts(store),
        metrics=Metrics(),
        choices=choices,
        reading=reading,
        searching=searching,
        research=research,
        answering=AnswerService(
            choices,
            LocalAnswers(lambda: research, store),
            LocalStructured(
                StructuredDependencies(lambda: searching, lambda: reading, ExtractionService)
            ),
        ),
        sessions=SessionService(store),
        links=LinkChecker(NoNetwork(), None, store),
        quotas=Quotas(),
        people=PeopleService(Consents(store)),
        extraction=ExtractionService(),
    )


@dataclass
class Desk:
    """A call path over given tools that remembers what was recorded."""

    tools: tuple[AnyTool, ...]
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    records: list[CallRecord] = field(default_factory=list[CallRecord])
    services: Services = field(default_factory=services)

    def __post_init__(self) -> None:
        rules = replace(
            CallRules(admit=admit_everyone, record=self.records.append), **self.settings
        )
        self.path = CallPath(Registry(self.tools), self.services, rules)

    async def call(
        self,
        name: str,
        arguments: Any = None,
        *,
        caller: Caller = ALICE,
        report: ReportsProgress = no_progress,
    ) -> Result:
        return await self.path.call(name, arguments, caller, request_id="r1", report=report)


def text_of(result: Result) -> str:
    """Return the text of the first block."""
    first = result.content[0]
    assert first.type == "text"
    return first.text
