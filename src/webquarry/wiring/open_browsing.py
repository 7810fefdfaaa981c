"""Opens the service of pages that callers operate."""

import shutil
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from webquarry.reading.browser.browser import Browser
from webquarry.reading.browser.chromium import BrowserOptions
from webquarry.reading.browsing.browsing_service import BrowsingService
from webquarry.reading.browsing.browsing_session import SessionLife
from webquarry.reading.browsing.browsing_sessions import BrowsingLimits, BrowsingSessions
from webquarry.reading.browsing.page_downloads import PageDownloads
from webquarry.reading.html_workers import HtmlExtractor
from webquarry.reading.response_reader import ResponseReader
from webquarry.settings.load import Settings

if TYPE_CHECKING:
    from webquarry.wiring.shared_services import SharedServices


def open_browsing(
    settings: Settings, services: "SharedServices", stack: AsyncExitStack
) -> BrowsingService:
    """Open the service; its browser, which readers do not share, starts when first used."""
    options, network = settings.browsing, services.network
    folder = Path(tempfile.mkdtemp(prefix="webquarry-downloads-"))
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    extractor = HtmlExtractor(services.parsers)
    stack.push_async_callback(extractor.aclose)
    responses = ResponseReader(services.documents, extractor=extractor)
    browser = Browser(
        network.guard,
        BrowserOptions(
            path=settings.scraping.chrome_path,
            pages=options.sessions,
            idle=settings.scraping.browser_idle_timeout,
            no_sandbox=settings.scraping.chrome_no_sandbox,
            downloads=folder,
        ),
    )
    limits = BrowsingLimits(
        sessions=options.sessions,
        per_user=options.sessions_per_user,
        memory=options.memory,
        life=SessionLife(idle=options.idle, total=options.lifetime),
    )

    def downloads(folder: Path) -> PageDownloads:
        return PageDownloads(
            responses=responses,
            fetcher=network.fetcher,
            max_bytes=settings.scraping.max_document_bytes,
            folder=folder,
        )

    sessions = BrowsingSessions(browser, limits, downloads, folder)
    stack.push_async_callback(sessions.close)
    return BrowsingService(sessions, network.guard, responses, allows_scripts=options.scripts)
