"""How pages are read: the browser, how many at once, how much of each."""

from typing import Annotated

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import FLAG, TEXT, duration, size, whole
from webquarry.settings.variable import Variable

_COUNT = whole(1, 100)


class ScrapingSettings(SettingsGroup):
    """Reading pages."""

    chrome_path: Annotated[
        str,
        Variable(
            "CHROME_PATH",
            "Chromium for pages that need their script; looked for when not set, "
            "`disabled` for none.",
            TEXT,
        ),
    ] = ""
    chrome_no_sandbox: Annotated[
        bool,
        Variable(
            "CHROME_NO_SANDBOX",
            "Start Chromium without its sandbox, where containers forbid one; as root always.",
            FLAG,
        ),
    ] = False
    browser_idle_timeout: Annotated[
        float,
        Variable(
            "BROWSER_IDLE_TIMEOUT",
            "How long an unused browser stays open.",
            duration("1s", "24h"),
        ),
    ] = 300.0
    max_scrape_concurrency: Annotated[
        int, Variable("MAX_SCRAPE_CONCURRENCY", "Pages read at the same time.", _COUNT)
    ] = 5
    max_scrape_concurrency_browser: Annotated[
        int,
        Variable(
            "MAX_SCRAPE_CONCURRENCY_BROWSER", "Pages in the browser at the same time.", _COUNT
        ),
    ] = 2
    max_html_bytes: Annotated[
        int,
        Variable("MAX_HTML_BYTES", "Read at most this much of a page.", size(2**10, 2**30)),
    ] = 8 * 2**20
    max_document_bytes: Annotated[
        int,
        Variable("MAX_DOCUMENT_BYTES", "Read at most this much of a file.", size(2**10, 2**30)),
    ] = 50 * 2**20
    respect_robots: Annotated[
        bool,
        Variable(
            "RESPECT_ROBOTS",
            "Ask robots.txt also before a single page is read for somebody; crawls always do.",
            FLAG,
        ),
    ] = False
