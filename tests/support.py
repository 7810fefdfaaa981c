"""Services, callers and a call path for tests, without network and files."""

import os
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from webquarry.calls.call_path import CallPath, CallRules
from webquarry.calls.registry import Registry
from webquarry.calls.tool import AnyTool
from webquarry.concurrency.coalesce import ReportsProgress
from webquarry.errors import NetworkError, PageError
from webquarry.models.caller import Caller
from webquarry.models.reading import RawResponse, Reading
from webquarry.models.result import Result
from webquarry.net.client.response import FetchedResponse
from webquarry.net.fetch import FetchRequest
from webquarry.net.url import Url
from webquarry.observe.call_context import CallRecord
from webquarry.providers.provider import Provider
from webquarry.reading.page_cache import PageCache
from webquarry.reading.service import ReadingService, ReadsUrls
from webquarry.services.link_check import LinkChecker
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.searching.service import Preferences, SearchService
from webquarry.settings.groups.server import ServerSettings
from webquarry.settings.load import Settings
from webquarry.storage.memory_store import MemoryStore
from webquarry.wiring.container import Services
from webquarry.wiring.open_storage import StorageKeys

ALICE = Caller(tenant="acme", user="alice")
BOB = Caller(tenant="acme", user="bob")


class NoPages:
    """A reader without pages: every read fails."""

    async def read(self, url: Url, seconds: float) -> Reading:
        raise PageError(f"there is no page at {url.href}")

    async def read_raw(self, url: Url, seconds: float, max_bytes: int) -> RawResponse:
        raise PageError(f"there is no page at {url.href}")


class NoNetwork:
    """A fetcher without network: every request fails."""

    async def fetch(self, request: FetchRequest) -> FetchedResponse:
        raise NetworkError(f"cannot fetch {request.url} in a test")


def services(
    *providers: Provider,
    reader: ReadsUrls | None = None,
    preferences: Preferences | None = None,
    stack: AsyncExitStack | None = None,
) -> Services:
    """Return services with these providers, an in-memory store and no network.

    All other services are built from these as in the application. Those that start processes
    end them with the `stack`.
    """
    # no directory can be created below a device, so a service that writes files fails
    server_settings = ServerSettings(data_dir=Path(os.devnull) / "data")
    built = Services(
        Settings(server=server_settings), StorageKeys(bytes(32), None), stack or AsyncExitStack()
    )
    built.store = MemoryStore()
    built.providers = ProviderDirectory(providers, [type(p) for p in providers])
    built.reading = ReadingService(reader or NoPages(), PageCache(built.store))
    built.searching = SearchService(built.providers, preferences)
    built.links = LinkChecker(NoNetwork(), None, built.store)
    return built


def override(built: Services, **members: Any) -> Services:
    """Replace members of the services, usually with fakes, and return the services."""
    for name, member in members.items():
        assert isinstance(getattr(Services, name, None), cached_property), f"no service {name}"
        setattr(built, name, member)
    return built


@dataclass
class CallHarness:
    """A call path over the given tools that collects the call records."""

    tools: tuple[AnyTool, ...]
    settings: dict[str, Any] = field(default_factory=dict[str, Any])
    records: list[CallRecord] = field(default_factory=list[CallRecord])
    services: Services = field(default_factory=services)

    def __post_init__(self) -> None:
        rules = replace(CallRules(record=self.records.append), **self.settings)
        self.path = CallPath(Registry(self.tools), self.services, rules)

    async def call(
        self,
        name: str,
        arguments: Any = None,
        *,
        caller: Caller = ALICE,
        report: ReportsProgress | None = None,
    ) -> Result:
        return await self.path.call(name, arguments, caller, request_id="r1", report=report)


def call_record(tool: str, **changes: Any) -> CallRecord:
    """Return the record of a successful call, with changes."""
    return replace(CallRecord(tool, ALICE, "r1", seconds=0.1, query=None, outcome="ok"), **changes)


def text_of(result: Result) -> str:
    """Return the text of the first content block."""
    first = result.content[0]
    assert first.type == "text"
    return first.text
