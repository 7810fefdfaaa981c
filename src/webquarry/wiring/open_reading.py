"""Opens the reading of pages as the settings want it."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Literal, get_args

from webquarry.models.reading import ReadMode, Way
from webquarry.reading.browser.browser import Browser
from webquarry.reading.documents.document_reader import Documents
from webquarry.reading.html_workers import HtmlExtractor
from webquarry.reading.page_cache import PageCache
from webquarry.reading.page_reader import PageReader
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.robots import Robots
from webquarry.reading.service import ReadingDependencies, ReadingLimits, ReadingService
from webquarry.reading.sites import build_sites
from webquarry.reading.tiers.browser_tier import BrowserTier
from webquarry.reading.tiers.exa_tier import KEY as EXA_KEY
from webquarry.reading.tiers.exa_tier import ExaTier
from webquarry.reading.tiers.http_tier import FetchLimits, HttpTier
from webquarry.reading.tiers.ladder import SPA_HOSTS, Ladder, Tier
from webquarry.settings.load import Settings
from webquarry.storage.page_index import PageIndex
from webquarry.storage.store import Store
from webquarry.wiring.notices import Notices
from webquarry.wiring.open_network import NetworkServices


@dataclass(frozen=True)
class PageSources:
    """Where pages come from, and where those that were read can be found again."""

    network: NetworkServices
    browser: Browser
    index: PageIndex | None


def open_reading(
    settings: Settings, store: Store, sources: PageSources, stack: AsyncExitStack
) -> ReadingService:
    """Open it; neither a browser nor a worker starts before it is used."""
    wanted, network = settings.scraping, sources.network
    documents = Documents(max_bytes=wanted.max_document_bytes)
    stack.push_async_callback(documents.aclose)
    parts = _Parts(settings, network, sources.browser)
    extraction = HtmlExtractor()
    stack.push_async_callback(extraction.aclose)
    usual = parts.reader(ResponseReader(documents, extraction=extraction))
    manners = {
        ReadMode(way=way, html=html, source=source): parts.reader(
            ResponseReader(documents, extraction=extraction, keep_html=html, keep_source=source),
            way,
        )
        for way in get_args(Way)
        for html, source in ((False, False), (True, False), (False, True))
        if (way, html, source) != ("smart", False, False)
    }
    reading = ReadingService(
        usual,
        PageCache(store),
        helpers=ReadingDependencies(
            retractions=Notices(network.upstreams, settings.keys),
            robots=Robots(network.fetcher) if wanted.respect_robots else None,
            index=sources.index,
            manners=manners,
        ),
        bounds=ReadingLimits(at_once=wanted.max_scrape_concurrency, isolate=settings.isolated),
    )
    stack.push_async_callback(reading.close)
    return reading


@dataclass(frozen=True)
class _Parts:
    """What readers of every manner are made of."""

    settings: Settings
    network: NetworkServices
    browser: Browser

    def reader(self, readers: ResponseReader, way: Way | None = None) -> PageReader:
        """Return a reader that goes this way; None is smart, by sites' own interfaces besides."""
        stealth, plain = self._http("stealth", 20, readers), self._http("html", 15, readers)
        ways: dict[Way | None, list[Tier]] = {
            "static": [stealth, plain],
            "dynamic": [self._rendered(readers)],
        }
        tiers = ways.get(way, [stealth, plain, self._rendered(readers)])
        key = self.settings.keys.get(EXA_KEY)
        if key and not readers.keep_html and way not in ways:
            tiers.append(ExaTier(self.network.upstreams, key))
        sites = () if way else build_sites(self.network.upstreams, self.settings.keys)
        return PageReader(Ladder(tiers), sites, stealth)

    def _http(
        self, name: Literal["stealth", "html"], seconds: float, readers: ResponseReader
    ) -> HttpTier:
        wanted = self.settings.scraping
        return HttpTier(
            name=name,
            timeout=seconds,
            fetcher=self.network.fetcher,
            readers=readers,
            bounds=FetchLimits(
                page_bytes=wanted.max_html_bytes, document_bytes=wanted.max_document_bytes
            ),
        )

    def _rendered(self, readers: ResponseReader) -> BrowserTier:
        return BrowserTier(
            browser=self.browser,
            guard=self.network.guard,
            readers=readers,
            spa_hosts=SPA_HOSTS,
            page_bytes=self.settings.scraping.max_html_bytes,
        )
