"""Opens the browsing service with a real Chromium, for tests."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.reading.chromium import resolve_to_loopback
from webquarry.models.browsing import PageAction
from webquarry.models.caller import Caller
from webquarry.net.fetch import Fetcher
from webquarry.net.guard.resolver import Resolver
from webquarry.net.guard.server import Guard
from webquarry.net.policy import Policy
from webquarry.reading.browser.browser import Browser
from webquarry.reading.browser.chromium import BrowserOptions
from webquarry.reading.browsing.browsing_service import (
    BrowsedPage,
    BrowseRequest,
    BrowsingService,
)
from webquarry.reading.browsing.browsing_session import BrowsingSession
from webquarry.reading.browsing.browsing_sessions import BrowsingLimits, BrowsingSessions
from webquarry.reading.browsing.page_downloads import PageDownloads
from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.response_reader import ResponseReader

ADA = Caller(tenant="t", user="ada")
BOB = Caller(tenant="t", user="bob")


@asynccontextmanager
async def open_browsing(
    folder: Path,
    *,
    limits: BrowsingLimits | None = None,
    private: bool = True,
    policy: Policy | None = None,
    scripts: bool = False,
    max_bytes: int = 2**20,
) -> AsyncGenerator[BrowsingService]:
    """Open the service behind a guard that allows loopback, unless it is to refuse it."""
    limits = limits or BrowsingLimits()
    policy = policy or Policy(allow_private=private)
    async with Guard(Resolver(policy, lookup=resolve_to_loopback)) as network_guard:
        documents, fetcher = DocumentReader(), Fetcher(network_guard)
        responses = ResponseReader(documents)
        browser = Browser(network_guard, BrowserOptions(pages=limits.sessions, downloads=folder))

        def downloads(where: Path) -> PageDownloads:
            return PageDownloads(responses, fetcher, max_bytes, where)

        sessions = BrowsingSessions(browser, limits, downloads, folder)
        try:
            yield BrowsingService(sessions, network_guard, responses, allows_scripts=scripts)
        finally:
            await sessions.close()
            fetcher.close()
            await documents.aclose()


class Pages:
    """Operates one session in a test, as an assistant would."""

    def __init__(self, service: BrowsingService, session: BrowsingSession) -> None:
        self._service = service
        self.session = session
        self.known: dict[str, str] = {}  # id by line

    @classmethod
    async def opened(cls, service: BrowsingService, caller: Caller = ADA) -> "Pages":
        return cls(service, await service.open(caller))

    async def go(self, url: str, *, max_tokens: int = 2000, find: str = "") -> BrowsedPage:
        request = BrowseRequest(max_tokens=max_tokens, find=find)
        return self._noted(await self._service.browse(self.session, request, url))

    async def do(self, *actions: PageAction, max_tokens: int = 2000, find: str = "") -> BrowsedPage:
        request = BrowseRequest(actions=actions, max_tokens=max_tokens, find=find)
        return self._noted(await self._service.browse(self.session, request))

    async def until_title(self, title: str) -> str:
        """Wait until a page of that title is shown; return its URL."""
        page = await self.do()
        while page.title != title:
            page = await self.do(PageAction(do="wait", value="50"))
        return page.url

    def id(self, line: str) -> str:
        """Return the id of the element whose line starts so."""
        found = [ident for text, ident in self.known.items() if text.startswith(line)]
        assert found, f"no {line!r} among {list(self.known)}"
        return found[-1]

    def click(self, line: str, **more: str) -> PageAction:
        return PageAction.model_validate({"do": "click", "id": self.id(line), **more})

    def type(self, line: str, text: str) -> PageAction:
        return PageAction(do="type", id=self.id(line), value=text)

    def _noted(self, page: BrowsedPage) -> BrowsedPage:
        for line in page.snapshot.splitlines():
            ident, bracket, text = line.removeprefix("~ ").partition("] ")
            if bracket and ident.startswith("[e"):
                self.known[text] = ident[1:]
        return page
