"""One browser for all tests of a module, on an event loop in a thread."""

import asyncio
import threading
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from tests.reading.chromium import open_browser
from webquarry.reading.browser.chromium import BrowserOptions
from webquarry.reading.tiers.browser_tier import BrowserTier

T = TypeVar("T")


class BrowserThread:
    """A browser that synchronous tests use."""

    def __init__(self, loop: asyncio.AbstractEventLoop, tier: BrowserTier) -> None:
        self._loop = loop
        self.tier = tier

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of a coroutine."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(180)


@contextmanager
def browser_thread(
    *, private: bool = True, allow_scripts: bool = False
) -> Generator[BrowserThread]:
    """Open a browser for the duration of the block."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    opened = open_browser(BrowserOptions(no_sandbox="true", pages=4), private=private)
    _, tier = asyncio.run_coroutine_threadsafe(opened.__aenter__(), loop).result(60)
    try:
        yield BrowserThread(loop, replace(tier, allow_scripts=allow_scripts))
    finally:
        closing = opened.__aexit__(None, None, None)
        asyncio.run_coroutine_threadsafe(closing, loop).result(60)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
