"""Opens the reading service from the scraping settings."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from webquarry.models.reading import ReadMode, ReadStrategy
from webquarry.models.retraction import RetractionStatus
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.provider import Keys
from webquarry.reading.browser.browser import Browser
from webquarry.reading.html_workers import HtmlExtractor
from webquarry.reading.page_cache import PageCache
from webquarry.reading.page_reader import PageReader
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.robots import Robots
from webquarry.reading.service import ReadingDependencies, ReadingLimits, ReadingService
from webquarry.reading.sites import build_sites
from webquarry.reading.tiers.exa_tier import KEY as EXA_KEY
from webquarry.reading.tiers.exa_tier import ExaTier
from webquarry.reading.tiers.http_tier import FetchLimits, HttpTier
from webquarry.reading.tiers.ladder import Ladder, Tier
from webquarry.settings.load import Settings
from webquarry.wiring.open_network import NetworkServices
from webquarry.wiring.open_shared import build_browser_tier, page_time_factor

if TYPE_CHECKING:
    from webquarry.wiring.container import Services


def open_reading(settings: Settings, services: "Services", stack: AsyncExitStack) -> ReadingService:
    """Open the service; browser and worker processes start when first used."""
    options, network = settings.scraping, services.network
    documents = services.documents
    factory = ReaderFactory(settings, network, services.browser)
    extractor = HtmlExtractor(services.parsers)
    stack.push_async_callback(extractor.aclose)
    default_reader = factory.reader(ResponseReader(documents, extractor=extractor))
    readers = {
        ReadMode(strategy=strategy, keep_html=html, keep_source=source): factory.reader(
            ResponseReader(documents, extractor=extractor, keep_html=html, keep_source=source),
            strategy,
        )
        for strategy in get_args(ReadStrategy)
        for html, source in ((False, False), (True, False), (False, True), (True, True))
        if (strategy, html, source) != ("smart", False, False)
    }
    reading = ReadingService(
        default_reader,
        PageCache(services.store),
        dependencies=ReadingDependencies(
            retractions=Notices(network.upstreams, settings.keys),
            robots=Robots(network.fetcher) if options.respect_robots else None,
            index=services.page_index,
            readers=readers,
        ),
        limits=ReadingLimits(
            concurrency=options.max_scrape_concurrency,
            isolate=settings.isolated,
            seconds=settings.limits.page_timeout,
        ),
    )
    stack.push_async_callback(reading.close)
    return reading


@dataclass(frozen=True)
class ReaderFactory:
    """Builds a page reader for each read mode."""

    settings: Settings
    network: NetworkServices
    browser: Browser

    def reader(self, responses: ResponseReader, strategy: ReadStrategy | None = None) -> PageReader:
        """Return a reader for the strategy; None is smart with site readers."""
        stealth, plain = self._http("stealth", 20, responses), self._http("html", 15, responses)
        browser = build_browser_tier(self.settings, self.network, self.browser, responses)
        restricted: dict[ReadStrategy | None, list[Tier]] = {
            "static": [stealth, plain],
            "dynamic": [browser],
        }
        tiers = restricted.get(strategy, [stealth, plain, browser])
        key = self.settings.keys.get(EXA_KEY)
        if key and not responses.keep_html and strategy not in restricted:
            tiers.append(ExaTier(self.network.upstreams, key))
        sites = () if strategy else build_sites(self.network.upstreams, self.settings.keys)
        return PageReader(Ladder(tiers), sites, stealth, tests_changes=strategy != "dynamic")

    def _http(
        self, name: Literal["stealth", "html"], seconds: float, responses: ResponseReader
    ) -> HttpTier:
        options = self.settings.scraping
        return HttpTier(
            name=name,
            timeout=seconds * page_time_factor(self.settings),
            fetcher=self.network.fetcher,
            responses=responses,
            limits=FetchLimits(
                page_bytes=options.max_html_bytes, document_bytes=options.max_document_bytes
            ),
        )


class Notices:
    """Queries Crossref, which is imported when the first scholarly page is read."""

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        self._upstreams = upstreams
        self._keys = keys

    async def status(self, doi: str) -> RetractionStatus | None:
        """Return the most serious notice about a work; raise if Crossref cannot be reached."""
        from webquarry.providers.crossref import Crossref

        return await Crossref(self._upstreams, self._keys).status(doi)
