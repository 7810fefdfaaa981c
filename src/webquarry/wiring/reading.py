"""Opens the reading of pages as the settings want it."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Literal, get_args

from webquarry.models.reading import Manner, Way
from webquarry.scrape.browser import Browser
from webquarry.scrape.documents.reading import Documents
from webquarry.scrape.exa import KEY as EXA_KEY
from webquarry.scrape.exa import ExaTier
from webquarry.scrape.extraction import Extraction
from webquarry.scrape.http_tier import Bounds as HttpBounds
from webquarry.scrape.http_tier import HttpTier
from webquarry.scrape.ladder import SPA_HOSTS, Ladder, Tier
from webquarry.scrape.reader import PageReader
from webquarry.scrape.readers import Readers
from webquarry.scrape.render import BrowserTier
from webquarry.scrape.robots import Robots
from webquarry.scrape.sites import build_sites
from webquarry.services.reading.memory import Pages
from webquarry.services.reading.service import Bounds, Helpers, PageReading
from webquarry.settings.load import Settings
from webquarry.storage.base import Store
from webquarry.storage.index import PageIndex
from webquarry.wiring.network import Network
from webquarry.wiring.notices import Notices


@dataclass(frozen=True)
class Sources:
    """Where pages come from, and where those that were read can be found again."""

    network: Network
    browser: Browser
    index: PageIndex | None


def open_reading(
    settings: Settings, store: Store, sources: Sources, stack: AsyncExitStack
) -> PageReading:
    """Open it; neither a browser nor a worker starts before it is used."""
    wanted, network = settings.scraping, sources.network
    documents = Documents(max_bytes=wanted.max_document_bytes)
    stack.push_async_callback(documents.aclose)
    parts = _Parts(settings, network, sources.browser)
    extraction = Extraction()
    stack.push_async_callback(extraction.aclose)
    usual = parts.reader(Readers(documents, extraction=extraction))
    manners = {
        Manner(way=way, html=html, source=source): parts.reader(
            Readers(documents, extraction=extraction, keep_html=html, keep_source=source), way
        )
        for way in get_args(Way)
        for html, source in ((False, False), (True, False), (False, True))
        if (way, html, source) != ("smart", False, False)
    }
    reading = PageReading(
        usual,
        Pages(store),
        helpers=Helpers(
            retractions=Notices(network.upstreams, settings.keys),
            robots=Robots(network.fetcher) if wanted.respect_robots else None,
            index=sources.index,
            manners=manners,
        ),
        bounds=Bounds(at_once=wanted.max_scrape_concurrency, isolate=settings.isolated),
    )
    stack.push_async_callback(reading.close)
    return reading


@dataclass(frozen=True)
class _Parts:
    """What readers of every manner are made of."""

    settings: Settings
    network: Network
    browser: Browser

    def reader(self, readers: Readers, way: Way | None = None) -> PageReader:
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

    def _http(self, name: Literal["stealth", "html"], seconds: float, readers: Readers) -> HttpTier:
        wanted = self.settings.scraping
        return HttpTier(
            name=name,
            timeout=seconds,
            fetcher=self.network.fetcher,
            readers=readers,
            bounds=HttpBounds(
                page_bytes=wanted.max_html_bytes, document_bytes=wanted.max_document_bytes
            ),
        )

    def _rendered(self, readers: Readers) -> BrowserTier:
        return BrowserTier(
            browser=self.browser,
            guard=self.network.guard,
            readers=readers,
            spa_hosts=SPA_HOSTS,
            page_bytes=self.settings.scraping.max_html_bytes,
        )
