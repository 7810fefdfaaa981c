"""The console in Chromium; fails on console errors and on requests to other hosts."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect

TIMEOUT = 20_000  # milliseconds; a busy machine is slow
expect.set_options(timeout=TIMEOUT)


@dataclass
class WatchedPage:
    """A page, its console errors and its requests to other hosts."""

    page: Page
    base: str
    errors: list[str] = field(default_factory=list[str])
    third_party_requests: list[str] = field(default_factory=list[str])

    def on_console(self, message: ConsoleMessage) -> None:
        """Record an error that the browser reports."""
        if message.type == "error":
            self.errors.append(message.text)

    def on_request(self, request: Request) -> None:
        """Record a request to another host."""
        if not request.url.startswith((f"{self.base}/", "blob:", "data:")):
            self.third_party_requests.append(request.url)

    def open(self, path: str) -> Page:
        """Open a page of the console and wait until its data is loaded."""
        self.page.goto(f"{self.base}{path}")
        self.page.locator(".busy").first.wait_for(state="detached")
        return self.page


@contextmanager
def watched(browser: Browser, base: str, **options: Any) -> Generator[WatchedPage]:
    """Yield a page in its own browser context; fails if it had errors."""
    context = browser.new_context(**options)
    page = context.new_page()
    page.set_default_timeout(TIMEOUT)
    seen = WatchedPage(page, base)
    page.on("console", seen.on_console)
    page.on("pageerror", lambda error: seen.errors.append(str(error)))
    page.on("request", seen.on_request)
    try:
        yield seen
    finally:
        context.close()
    assert (seen.errors, seen.third_party_requests) == ([], [])
