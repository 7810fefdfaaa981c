"""Opens what reading, crawling and searching share, without what each has for itself."""

from contextlib import AsyncExitStack

from webquarry.reading.browser.browser import Browser
from webquarry.reading.browser.chromium import BrowserOptions
from webquarry.settings.load import Settings
from webquarry.storage.page_index import PageIndex
from webquarry.wiring.open_network import NetworkServices


def open_index(settings: Settings, stack: AsyncExitStack) -> PageIndex | None:
    """Open the index of what was read, unless it is turned off; no file before it is used."""
    if not settings.search.local_index:
        return None
    index = PageIndex(
        settings.server.data_dir / "index.sqlite3", most_pages=settings.search.local_index_pages
    )
    stack.push_async_callback(index.close)
    return index


def open_browser(settings: Settings, network: NetworkServices, stack: AsyncExitStack) -> Browser:
    """Open the browser that everybody shares; it starts when it is first used."""
    wanted = settings.scraping
    browser = Browser(
        network.guard,
        BrowserOptions(
            path=wanted.chrome_path,
            pages=wanted.max_scrape_concurrency_browser,
            idle=wanted.browser_idle_timeout,
            sandbox=not wanted.chrome_no_sandbox,
        ),
    )
    stack.push_async_callback(browser.close)
    return browser
