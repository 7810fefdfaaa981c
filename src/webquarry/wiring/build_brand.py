"""Builds brand research."""

from typing import TYPE_CHECKING

from webquarry.reading.documents.document_reader import DocumentReader
from webquarry.reading.robots import Robots
from webquarry.services.brand.page_fetch import BrandPageFetcher
from webquarry.services.brand.service import BrandService, TierTimeouts
from webquarry.settings.load import Settings
from webquarry.wiring.open_shared import build_renderer

if TYPE_CHECKING:
    from webquarry.wiring.container import Services


def build_brands(settings: Settings, services: "Services") -> BrandService:
    """Return the brand service; the browser starts when a page first needs it."""
    network = services.network
    fetcher = BrandPageFetcher(
        network.fetcher,
        services.reading,
        build_renderer(settings, network, services.browser, DocumentReader()),
        Robots(network.fetcher) if settings.scraping.respect_robots else None,
        services.parsers,
    )
    return BrandService(
        fetcher,
        services.searching,
        services.store,
        services.artifacts,
        timeouts=TierTimeouts(isolate=settings.isolated),
    )
