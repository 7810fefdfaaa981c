"""The console in Chromium, with an eye on what must never happen."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect

PATIENCE = 20_000  # milliseconds; a busy machine is slow, not wrong
expect.set_options(timeout=PATIENCE)


@dataclass
class Watched:
    """A page, and what it complained about or asked of others."""

    page: Page
    base: str
    faults: list[str] = field(default_factory=list[str])
    foreign: list[str] = field(default_factory=list[str])

    def hear(self, said: ConsoleMessage) -> None:
        """Note what the browser reports as an error."""
        if said.type == "error":
            self.faults.append(said.text)

    def follow(self, asked: Request) -> None:
        """Note a request to anybody but the server."""
        if not asked.url.startswith((f"{self.base}/", "blob:", "data:")):
            self.foreign.append(asked.url)

    def open(self, path: str) -> Page:
        """Go to a page of the console and wait until it has what it asked for."""
        self.page.goto(f"{self.base}{path}")
        self.page.locator(".busy").first.wait_for(state="detached")
        return self.page


@contextmanager
def watched(browser: Browser, base: str, **options: Any) -> Generator[Watched]:
    """Yield a page in a context of its own; fails if anything went wrong on it."""
    context = browser.new_context(**options)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    seen = Watched(page, base)
    page.on("console", seen.hear)
    page.on("pageerror", lambda error: seen.faults.append(str(error)))
    page.on("request", seen.follow)
    try:
        yield seen
    finally:
        context.close()
    assert (seen.faults, seen.foreign) == ([], [])
