"""Builds brand research as the settings want it."""

from webquarry.scrape.browser import Browser
from webquarry.scrape.documents.reading import Documents
from webquarry.scrape.ladder import SPA_HOSTS
from webquarry.scrape.readers import Readers
from webquarry.scrape.render import BrowserTier
from webquarry.scrape.robots import Robots
from webquarry.services.brand.looking import Looking
from webquarry.services.brand.service import Bounds, Brands
from webquarry.services.crawling.rendering import Shown
from webquarry.services.reading.service import PageReading
from webquarry.services.searching import Searching
from webquarry.settings.load import Settings
from webquarry.storage.artifacts import Artifacts
from webquarry.storage.base import Store
from webquarry.wiring.network import Network


def build_looking(
    settings: Settings, network: Network, browser: Browser, reading: PageReading
) -> Looking:
    """Return what looks at pages; the browser starts when a page first needs it."""
    tier = BrowserTier(
        browser=browser,
        guard=network.guard,
        readers=Readers(Documents()),
        spa_hosts=SPA_HOSTS,
        page_bytes=settings.scraping.max_html_bytes,
    )
    robots = Robots(network.fetcher) if settings.scraping.respect_robots else None
    return Looking(network.fetcher, reading, Shown(tier), robots)


def build_brands(
    settings: Settings, looking: Looking, searching: Searching, store: Store, artifacts: Artifacts
) -> Brands:
    """Return brand research over these pages and providers."""
    return Brands(looking, searching, store, artifacts, bounds=Bounds(isolate=settings.isolated))
