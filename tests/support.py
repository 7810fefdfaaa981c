"""Parts of the application, small enough for a test."""

from dataclasses import dataclass, field, replace
from typing import Any

from webquarry.errors import NetworkError, PageError
from webquarry.models.caller import Caller
from webquarry.models.reading import RawAnswer, Reading
from webquarry.models.result import Result
from webquarry.net.fetch import Fetch, Fetched
from webquarry.net.url import Url
from webquarry.observe.metrics import Metrics
from webquarry.providers.base import Provider
from webquarry.services import Services
from webquarry.services.answering.extracting import LocalStructured, Parts
from webquarry.services.answering.local import LocalAnswers
from webquarry.services.answering.service import Answering
from webquarry.services.choice import Choices
from webquarry.services.extraction.service import DataExtraction
from webquarry.services.links import Links
from webquarry.services.people.consent import Consents
from webquarry.services.people.service import People
from webquarry.services.quotas import Quotas
from webquarry.services.reading.memory import Pages
from webquarry.services.reading.service import PageReading, ReadsAddresses
from webquarry.services.research.evidence import Evidence
from webquarry.services.research.finding import Finding
from webquarry.services.research.gathering import Research
from webquarry.services.searching import Preferences, Searching
from webquarry.services.sessions.service import Sessions
from webquarry.storage.artifacts import Artifacts
from webquarry.storage.captures import Captures
from webquarry.storage.memory import MemoryStore
from webquarry.tools.base import AnyTool, ReportsProgress, no_progress
from webquarry.tools.callpath import CallPath, CallRecord, Rules
from webquarry.tools.registry import Registry

ALICE = Caller(tenant="acme", user="alice")
BOB = Caller(tenant="acme", user="bob")


async def admit_everyone(_: Caller) -> None:
    return None


class NoPages:
    """Reads nothing: a test that reads pages says which."""

    async def read(self, url: Url, seconds: float) -> Reading:
        raise PageError(f"no page {url.href} here")

    async def read_raw(self, url: Url, seconds: float, most: int) -> RawAnswer:
        raise PageError(f"no page {url.href} here")


class NoNetwork:
    """Fetches nothing: a test that checks links says what is there."""

    async def fetch(self, wanted: Fetch) -> Fetched:
        raise NetworkError(f"no {wanted.url} here")


def services(
    *providers: Provider,
    reader: ReadsAddresses | None = None,
    preferences: Preferences | None = None,
) -> Services:
    """Services over these providers and pages; all of the providers count as known."""
    store = MemoryStore()
    choices = Choices(providers, [type(p) for p in providers])
    reading = PageReading(reader or NoPages(), Pages(store))
    searching = Searching(choices, preferences)
    research = Research(Finding(searching, store), reading, Evidence(Captures(store), reading))
    return Services(
        store=store,
        artifacts=Artifacts(store),
        metrics=Metrics(),
        choices=choices,
        reading=reading,
        searching=searching,
        research=research,
        answering=Answering(
            choices,
            LocalAnswers(lambda: research, store),
            LocalStructured(Parts(lambda: searching, lambda: reading, DataExtraction)),
        ),
        sessions=Sessions(store),
        links=Links(NoNetwork(), None, store),
        quotas=Quotas(),
        people=People(Consents(store)),
        extraction=DataExtraction(),
    )


@dataclass
class Desk:
    """A call path over given tools that remembers what was recorded."""

    tools: tuple[AnyTool, ...]
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    records: list[CallRecord] = field(default_factory=list[CallRecord])
    services: Services = field(default_factory=services)

    def __post_init__(self) -> None:
        rules = replace(Rules(admit=admit_everyone, record=self.records.append), **self.settings)
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
