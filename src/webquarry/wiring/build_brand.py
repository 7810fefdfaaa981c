"""Builds brand research as the settings want it."""

from webquarry.crawl.rendering import CrawlRenderer
from webquarry.reading.browser.browser import Browser
from webquarry.reading.documents.document_reader import Documents
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.robots import Robots
from webquarry.reading.service import ReadingService
from webquarry.reading.tiers.browser_tier import BrowserTier
from webquarry.reading.tiers.ladder import SPA_HOSTS
from webquarry.services.brand.page_fetch import BrandPageFetcher
from webquarry.services.brand.service import BrandService, TierTimeouts
from webquarry.services.searching.service import SearchService
from webquarry.settings.load import Settings
from webquarry.storage.artifacts import Artifacts
from webquarry.storage.store import Store
from webquarry.wiring.open_network import NetworkServices


def build_looking(
    settings: Settings, network: NetworkServices, browser: Browser, reading: ReadingService
) -> BrandPageFetcher:
    """Return what looks at pages; the browser starts when a page first needs it."""
    tier = BrowserTier(
        browser=browser,
        guard=network.guard,
        readers=ResponseReader(Documents()),
        spa_hosts=SPA_HOSTS,
        page_bytes=settings.scraping.max_html_bytes,
    )
    robots = Robots(network.fetcher) if settings.scraping.respect_robots else None
    return BrandPageFetcher(network.fetcher, reading, CrawlRenderer(tier), robots)


def build_brands(
    settings: Settings,
    looking: BrandPageFetcher,
    searching: SearchService,
    store: Store,
    artifacts: Artifacts,
) -> BrandService:
    """Return brand research over these pages and providers."""
    return BrandService(
        looking, searching, store, artifacts, bounds=TierTimeouts(isolate=settings.isolated)
    )
