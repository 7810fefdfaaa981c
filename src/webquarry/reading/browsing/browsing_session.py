"""A browser context that stays open between the calls of its owner."""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from webquarry.errors import BrowserError, PageError, SessionNotFoundError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.reading.browser.browser import Browser
from webquarry.reading.browser.context_options import ContextOptions
from webquarry.reading.browser.playwright_errors import playwright_errors
from webquarry.reading.browsing.page_downloads import PageDownloads
from webquarry.reading.browsing.page_tab import PageTab, SessionEvents

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page

T = TypeVar("T")
_MAX_TABS = 5
_OPEN_SECONDS = 40.0
_END_SECONDS = 2.0


class _BrowserLostError(Exception):
    """The browser ended, and the pages of the session with it."""


@dataclass
class SessionLife:
    """How long a session lives."""

    idle: float = 300.0  # seconds without a call
    total: float = 3600.0

    def shorter(self, wanted: "SessionLife") -> "SessionLife":
        """Return the life that is wanted, within this one."""
        return SessionLife(min(self.idle, wanted.idle), min(self.total, wanted.total))


@dataclass
class BrowsingSession:
    """The pages of one owner: nobody else can find the session."""

    owner: Caller
    life: SessionLife
    downloads: PageDownloads
    id: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    signed_in: str = ""  # the host whose stored login it uses
    created: float = field(default_factory=time.time)
    used: float = field(default_factory=time.time)
    events: SessionEvents = field(default_factory=SessionEvents)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    on_end: Callable[["BrowsingSession"], None] = lambda _: None
    reason: str = ""  # why it has ended
    _tabs: list[PageTab] = field(default_factory=list[PageTab])
    _context: "BrowserContext | None" = None
    _ready: asyncio.Event = field(default_factory=asyncio.Event)
    _closing: asyncio.Event = field(default_factory=asyncio.Event)
    _holder: "asyncio.Task[None] | None" = None
    _timer: asyncio.TimerHandle | None = None

    async def start(self, browser: Browser, options: ContextOptions) -> None:
        """Open the context in the browser; it stays open until the session ends."""
        self._holder = asyncio.ensure_future(self._hold(browser, options))
        self._holder.add_done_callback(self._ended)
        opened = asyncio.ensure_future(self._ready.wait())
        try:
            async with asyncio.timeout(_OPEN_SECONDS):
                waited = {self._holder, opened}
                await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
        except TimeoutError as error:
            self.end("the browser did not start in time")
            raise BrowserError("The browser did not start in time; try again later.") from error
        finally:
            opened.cancel()
        if not self._ready.is_set():
            raise BrowserError(f"No page could be opened: {self.reason}")

    @property
    def is_ready(self) -> bool:
        """Whether it has pages."""
        return self._ready.is_set() and not self.reason

    @property
    def tab(self) -> PageTab:
        """The page that is operated: the one opened last."""
        if not self._tabs:
            raise self.ended_error()
        return self._tabs[-1]

    @property
    def context(self) -> "BrowserContext":
        """The browser context; raise if the session has ended."""
        if self._context is None or self.reason:
            raise self.ended_error()
        return self._context

    async def while_open(self, work: Awaitable[T], seconds: float) -> T:
        """Return the result of work on the pages; raise if the session ends during it."""
        holder = self._holder
        if holder is None:
            raise self.ended_error()
        task = asyncio.ensure_future(work)
        self._hold_open(seconds)
        try:
            # calls to a browser that died may never return
            await asyncio.wait({task, holder}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return await self._result(task, holder)
            if holder.done():
                raise self.ended_error()
            raise TimeoutError
        finally:
            task.cancel()
            task.add_done_callback(_retrieve)
            self._hold_open(self.life.idle)

    def end(self, reason: str) -> None:
        """Close the pages."""
        self.reason = self.reason or reason
        self._closing.set()

    async def wait_until_closed(self) -> None:
        """Return when the browser has closed the pages."""
        if self._holder:
            await asyncio.wait({self._holder})

    def ended_error(self) -> WebquarryError:
        """Return the error for calls from now on."""
        reason = self.reason or "the browser died"
        return SessionNotFoundError(
            f"The browser session {self.id} has ended: {reason}. Open the page again with its url."
        )

    async def _result(self, task: "asyncio.Future[T]", holder: "asyncio.Task[None]") -> T:
        try:
            return task.result()
        except playwright_errors() as error:
            # the browser may be about to report that it has died
            await asyncio.wait({holder}, timeout=_END_SECONDS)
            if holder.done():
                raise self.ended_error() from error
            message = str(error).partition("\n")[0][:200]
            raise PageError(f"The browser could not do this: {message}") from error

    def _hold_open(self, seconds: float) -> None:
        self.used = time.time()
        if self._timer:
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        # a little longer than a call, which ends by itself
        self._timer = loop.call_later(
            seconds + _END_SECONDS, self.end, f"it was not used for {self.life.idle:g} seconds"
        )

    async def _hold(self, browser: Browser, options: ContextOptions) -> None:
        try:
            await browser.run(self._stay, self.life.total, options)
        except _BrowserLostError:
            self.reason = self.reason or "the browser died; its pages are lost"
        except TimeoutError:
            self.reason = self.reason or f"{self.life.total:g} seconds are over"
        except (WebquarryError, *playwright_errors()) as error:
            self.reason = self.reason or str(error)

    async def _stay(self, context: "BrowserContext") -> None:
        if self._context is not None:  # the browser was started again: this one has no pages
            raise _BrowserLostError
        self._context = context
        await self._add(await context.new_page())
        context.on("page", lambda page: asyncio.ensure_future(self._on_popup(page)))
        self._hold_open(self.life.idle)
        self._ready.set()
        await self._closing.wait()

    async def _on_popup(self, page: "Page") -> None:
        try:
            if len(self._tabs) >= _MAX_TABS:
                self.events.add("Another window was refused: too many are open.")
                await page.close()
                return
            await self._add(page)
        except playwright_errors():
            return  # it is closed already
        self.events.add("A new window has opened and is shown now; when it closes, the earlier is.")

    async def _add(self, page: "Page") -> None:
        tab = await PageTab.of(page, self.events, self.downloads)
        self._tabs.append(tab)
        page.on("close", lambda _: self._remove(tab))

    def _remove(self, tab: PageTab) -> None:
        if tab in self._tabs:
            self._tabs.remove(tab)

    def _ended(self, holder: "asyncio.Future[Any]") -> None:
        _retrieve(holder)
        if self._timer:
            self._timer.cancel()
        self.reason = self.reason or "it was closed"
        self.on_end(self)


def _retrieve(task: "asyncio.Future[Any]") -> None:
    """Retrieve the exception of a task that nobody awaits any more."""
    if not task.cancelled():
        task.exception()
