"""Pages and a search for tests of research."""

import asyncio
from typing import Any, cast

from tests.services.searching.fakes import provider
from tests.support import CallHarness, override, services
from webquarry.errors import WebquarryError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import RawResponse, Reading
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.url import Url
from webquarry.providers.provider import Provider
from webquarry.services.research.cached_search import CachedSearch
from webquarry.services.research.evidence import Evidence
from webquarry.services.research.research_service import ResearchOptions, ResearchService
from webquarry.storage.captures import Captures
from webquarry.tools.search_and_scrape import search_and_scrape

NOW = 1794787200.0  # 2026-11-16
OWL_FACTS = """# Barn owls

Barn owls can hear a mouse from 40 metres away, as a study of 31 birds showed in 2019.

They nest in church towers and in old barns, from the lowlands up to 800 metres above the sea."""
OWL_MUSIC = """The Barn Owls are a band from Leeds that plays loud music for small rooms.

Their second record came out in spring and was praised by nobody but their parents."""


def page(url: str, text: str = OWL_FACTS, **about: Any) -> Reading:
    more = {name: about.pop(name) for name in ("complete", "retraction", "tier") if name in about}
    return Reading(
        url=url, final_url=url, markdown=text, kind="html", metadata=PageMetadata(**about), **more
    )


class ResearchSetup:
    """Reads pages that a test wrote; counts, waits and fails as it is told."""

    def __init__(self, *readings: Reading | tuple[str, WebquarryError]) -> None:
        self.pages: dict[str, Reading | WebquarryError] = {}
        for reading in readings:
            if isinstance(reading, Reading):
                self.pages[reading.url] = reading
            else:
                self.pages[reading[0]] = reading[1]
        self.reads: list[str] = []
        self.cancelled: list[str] = []
        self.waits: set[str] = set()
        self.searches: list[WebQuery] = []

    async def read(self, url: Url, seconds: float) -> Reading:
        self.reads.append(url.href)
        if url.href in self.waits:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.cancelled.append(url.href)
                raise
        found = self.pages[url.href]
        if isinstance(found, WebquarryError):
            raise found
        return found

    async def read_raw(self, url: Url, seconds: float, max_bytes: int) -> RawResponse:
        raise NotImplementedError


def desk(
    shelf: ResearchSetup, rules: ResearchOptions | None = None, **settings: Any
) -> CallHarness:
    """Return the tool over a search that finds the pages of the shelf, in their order."""
    found = [WebResult(title=f"Result {n}", url=url) for n, url in enumerate(shelf.pages, 1)]

    def answer(query: WebQuery) -> list[WebResult]:
        shelf.searches.append(query)
        return found[: query.count]

    made = services(cast("Provider", provider("stub", answer)), reader=shelf)
    research = ResearchService(
        CachedSearch(made.searching, made.store),
        made.reading,
        Evidence(Captures(made.store, clock=lambda: NOW), made.reading),
        options=rules,
        now=lambda: NOW,
    )
    return CallHarness((search_and_scrape,), settings, services=override(made, research=research))
