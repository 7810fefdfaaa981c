"""Reading pages: browser, concurrency and size limits."""

from pathlib import Path

from webquarry.settings.groups.group import SettingsGroup, flag, setting
from webquarry.settings.value_types import (
    FLAG_OR_AUTO,
    PATH,
    choice,
    duration,
    many,
    matching,
    size,
    whole,
)

_COUNT = whole(1, 100)


class ScrapingSettings(SettingsGroup):
    """Reading pages."""

    chrome_path: str = setting(
        "CHROME_PATH",
        "Chromium for pages that need JavaScript; searched for if not set, `disabled` for none.",
        default="",
    )
    chrome_no_sandbox: str = setting(
        "CHROME_NO_SANDBOX",
        "Start Chromium without its sandbox; always so as root. `auto`: only where the sandbox "
        "cannot start, with a warning.",
        FLAG_OR_AUTO,
        default="false",
    )
    browser_idle_timeout: float = setting(
        "BROWSER_IDLE_TIMEOUT",
        "How long an unused browser stays open.",
        duration("1s", "24h"),
        default=300.0,
    )
    max_scrape_concurrency: int = setting(
        "MAX_SCRAPE_CONCURRENCY", "Pages read concurrently.", _COUNT, default=5
    )
    max_scrape_concurrency_browser: int = setting(
        "MAX_SCRAPE_CONCURRENCY_BROWSER",
        "Pages rendered concurrently in the browser.",
        _COUNT,
        default=2,
    )
    max_html_bytes: int = setting(
        "MAX_HTML_BYTES", "Maximum size of a page.", size(2**10, 2**30), default=8 * 2**20
    )
    max_document_bytes: int = setting(
        "MAX_DOCUMENT_BYTES", "Maximum size of a document.", size(2**10, 2**30), default=50 * 2**20
    )
    allowed_file_roots: tuple[Path, ...] = setting(
        "ALLOWED_FILE_ROOTS",
        "Folders whose files tools may read: `check_document` by path, `scrape_page` by a file:// "
        "URL; none by default.",
        many(PATH),
        default=(),
    )
    libreoffice_path: str = setting(
        "LIBREOFFICE_PATH",
        "LibreOffice for .doc and .ppt files; searched for if not set, `disabled` for none.",
        default="",
    )
    ocr: str = setting(
        "OCR",
        "What recognizes the text of scans and images: `auto` is RapidOCR (the extra "
        "`webquarry[ocr]`) where it is installed and knows the language, else tesseract.",
        choice("auto", "rapidocr", "tesseract", "disabled"),
        default="auto",
    )
    ocr_language: str = setting(
        "OCR_LANGUAGE",
        "Language of scans and images that declare none, as a code like `de`.",
        matching(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}|", "a language code like de or zh-TW"),
        default="",
    )
    respect_robots: bool = flag(
        "RESPECT_ROBOTS",
        "Check robots.txt also before reading a single page; crawls always do, and result pages of "
        "`searxng_search` have their own setting.",
        default=False,
    )
    allow_page_scripts: bool = flag(
        "ALLOW_PAGE_SCRIPTS",
        "Let callers run their own JavaScript in pages, as a step. It runs in the browser, behind "
        "the network guard.",
        default=False,
    )
