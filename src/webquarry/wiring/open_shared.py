"""The page index, the parsers, the browser and the renderer, which several services share."""

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from webquarry.parsing.parsers import Parsers
from webquarry.settings.groups.limits import LimitSettings
from webquarry.settings.load import Settings
from webquarry.storage.page_index import PageIndex
from webquarry.wiring.open_network import NetworkServices

if TYPE_CHECKING:
    from webquarry.crawl.rendering import CrawlRenderer
    from webquarry.reading.browser.browser import Browser
    from webquarry.reading.documents.document_reader import DocumentReader
    from webquarry.reading.local_files import LocalFiles
    from webquarry.reading.response_reader import ResponseReader
    from webquarry.reading.tiers.browser_tier import BrowserTier
    from webquarry.services.cinder.cinder_screenshots import PageScreenshots
    from webquarry.services.step_reading import PageStepService
    from webquarry.wiring.container import Services
    from webquarry.wiring.shared_services import SharedServices


def open_index(settings: Settings, stack: AsyncExitStack) -> PageIndex | None:
    """Open the page index unless it is disabled; its file is created when first used."""
    if not settings.search.local_index:
        return None
    index = PageIndex(
        settings.server.data_dir / "index.sqlite3", max_pages=settings.search.local_index_pages
    )
    stack.push_async_callback(index.close)
    return index


def open_documents(settings: Settings, stack: AsyncExitStack) -> "DocumentReader":
    """Open the reader of documents; its worker processes start when needed."""
    from webquarry.reading.documents.document_reader import DocumentReader
    from webquarry.reading.documents.ocr.recognizer_choice import installed_recognizers
    from webquarry.reading.documents.office_converter import OfficeConverter, find_office

    options, seconds = settings.scraping, settings.limits
    program = find_office(options.libreoffice_path)
    documents = DocumentReader(
        max_bytes=options.max_document_bytes,
        timeout=seconds.document_timeout,
        recognizers=installed_recognizers(options.ocr, options.ocr_language),
        converter=OfficeConverter(program, seconds=seconds.document_timeout) if program else None,
    )
    stack.push_async_callback(documents.aclose)
    return documents


def build_local_files(settings: Settings, services: "SharedServices") -> "LocalFiles":
    """Return what reads files of this machine, and files that callers send."""
    from webquarry.reading.html_workers import HtmlExtractor
    from webquarry.reading.local_files import LocalFiles
    from webquarry.reading.response_reader import ResponseReader

    return LocalFiles(
        ResponseReader(services.documents, extractor=HtmlExtractor(services.parsers)),
        settings.scraping.allowed_file_roots,
        settings.scraping.max_document_bytes,
        settings.server.max_upload_bytes,
    )


def open_parsers(stack: AsyncExitStack) -> Parsers:
    """Open the parsers of foreign content; their worker processes start when needed."""
    parsers = Parsers()
    stack.push_async_callback(parsers.aclose)
    return parsers


def open_browser(settings: Settings, network: NetworkServices, stack: AsyncExitStack) -> "Browser":
    """Open the browser; its process starts when first used."""
    from webquarry.reading.browser.browser import Browser
    from webquarry.reading.browser.chromium import BrowserOptions

    options = settings.scraping
    browser = Browser(
        network.guard,
        BrowserOptions(
            path=options.chrome_path,
            pages=options.max_scrape_concurrency_browser,
            idle=options.browser_idle_timeout,
            no_sandbox=options.chrome_no_sandbox,
        ),
    )
    stack.push_async_callback(browser.close)
    return browser


def build_browser_tier(
    settings: Settings, network: NetworkServices, browser: "Browser", responses: "ResponseReader"
) -> "BrowserTier":
    """Return the tier that reads pages in the browser."""
    # imported here because most processes render nothing
    from webquarry.reading.tiers.browser_tier import BrowserTier
    from webquarry.reading.tiers.ladder import SPA_HOSTS

    return BrowserTier(
        browser=browser,
        guard=network.guard,
        responses=responses,
        spa_hosts=SPA_HOSTS,
        max_chars=settings.scraping.max_html_bytes,
        timeout=BrowserTier.timeout * page_time_factor(settings),
        allow_scripts=settings.scraping.allow_page_scripts,
    )


def page_time_factor(settings: Settings) -> float:
    """Return the factor for the timeouts of single reading methods."""
    return settings.limits.page_timeout / LimitSettings().page_timeout


def build_renderer(
    settings: Settings, network: NetworkServices, browser: "Browser", documents: "DocumentReader"
) -> "CrawlRenderer":
    """Return the renderer of pages that need JavaScript."""
    from webquarry.crawl.rendering import CrawlRenderer
    from webquarry.reading.response_reader import ResponseReader

    responses = ResponseReader(documents)
    return CrawlRenderer(build_browser_tier(settings, network, browser, responses))


def build_screenshots(settings: Settings, services: "Services") -> "PageScreenshots":
    """Return what takes screenshots of single pages."""
    from webquarry.reading.robots import Robots
    from webquarry.services.cinder.cinder_screenshots import PageScreenshots

    network, respect = services.network, settings.scraping.respect_robots
    return PageScreenshots(
        renderer=build_renderer(settings, network, services.browser, services.documents),
        artifacts=services.artifacts,
        robots=Robots(network.fetcher) if respect else None,
        seconds=max(5.0, settings.limits.page_timeout - 10),  # the renderer adds 10 seconds
    )


def open_page_steps(
    settings: Settings, services: "Services", stack: AsyncExitStack
) -> "PageStepService":
    """Return what runs steps on single pages."""
    from webquarry.reading.html_workers import HtmlExtractor
    from webquarry.reading.response_reader import ResponseReader
    from webquarry.reading.robots import Robots
    from webquarry.services.step_reading import PageStepService

    network, options = services.network, settings.scraping
    extractor = HtmlExtractor(services.parsers)
    stack.push_async_callback(extractor.aclose)

    def tier(keep_html: bool, keep_source: bool) -> "BrowserTier":  # noqa: FBT001
        responses = ResponseReader(
            services.documents,
            extractor=extractor,
            keep_html=keep_html,
            keep_source=keep_source,
        )
        return build_browser_tier(settings, network, services.browser, responses)

    return PageStepService(
        tier=tier,
        artifacts=services.artifacts,
        robots=Robots(network.fetcher) if options.respect_robots else None,
        allow_scripts=options.allow_page_scripts,
        seconds=settings.limits.page_timeout,
    )
