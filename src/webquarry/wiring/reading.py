"""Opens the reading of pages as the settings want it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from webquarry.scrape.browser import Browser
from webquarry.scrape.chromium import Wish
from webquarry.scrape.documents.reading import Documents
from webquarry.scrape.exa import KEY as EXA_KEY
from webquarry.scrape.exa import ExaTier
from webquarry.scrape.http_tier import Bounds as HttpBounds
from webquarry.scrape.http_tier import HttpTier
from webquarry.scrape.ladder import SPA_HOSTS, Ladder, Tier
from webquarry.scrape.reader import PageReader
from webquarry.scrape.readers import Readers
from webquarry.scrape.render import BrowserTier
from webquarry.scrape.retractions import Retractions
from webquarry.scrape.robots import Robots
from webquarry.scrape.sites import build_sites
from webquarry.services.reading.memory import Pages
from webquarry.services.reading.service import Bounds, Helpers, PageReading
from webquarry.settings.load import Settings
from webquarry.storage.base import Store
from webquarry.storage.index import PageIndex
from webquarry.wiring.network import Network


@asynccontextmanager
async def open_reading(
    settings: Settings, store: Store, network: Network, index: PageIndex | None
) -> AsyncGenerator[PageReading]:
    """Open it; neither a browser nor a worker starts before it is used."""
    wanted = settings.scraping
    documents = Documents(max_bytes=wanted.max_document_bytes)
    browser = Browser(
        network.guard,
        Wish(
            path=wanted.chrome_path,
            pages=wanted.max_scrape_concurrency_browser,
            idle=wanted.browser_idle_timeout,
            sandbox=not wanted.chrome_no_sandbox,
        ),
    )
    reading = PageReading(
        _reader(settings, network, browser, Readers(documents)),
        Pages(store),
        helpers=Helpers(
            retractions=Retractions(network.upstreams),
            robots=Robots(network.fetcher) if wanted.respect_robots else None,
            index=index,
        ),
        bounds=Bounds(
            at_once=wanted.max_scrape_concurrency, isolate=settings.cache.isolation == "tenant"
        ),
    )
    try:
        yield reading
    finally:
        await reading.close()
        await browser.close()
        await documents.aclose()


def _reader(settings: Settings, network: Network, browser: Browser, readers: Readers) -> PageReader:
    wanted = settings.scraping
    bounds = HttpBounds(page_bytes=wanted.max_html_bytes, document_bytes=wanted.max_document_bytes)
    stealth = HttpTier(
        name="stealth", timeout=20, fetcher=network.fetcher, readers=readers, bounds=bounds
    )
    tiers: list[Tier] = [
        stealth,
        HttpTier(name="html", timeout=15, fetcher=network.fetcher, readers=readers, bounds=bounds),
        BrowserTier(
            browser=browser,
            guard=network.guard,
            readers=readers,
            spa_hosts=SPA_HOSTS,
            page_bytes=wanted.max_html_bytes,
        ),
    ]
    if key := settings.keys.get(EXA_KEY):
        tiers.append(ExaTier(network.upstreams, key))
    return PageReader(Ladder(tiers), build_sites(network.upstreams, settings.keys), stealth)
