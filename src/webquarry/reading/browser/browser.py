"""One Chromium for the whole process: started when needed, restarted when it dies."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from webquarry.errors import BrowserError
from webquarry.net.guard.server import Guard
from webquarry.reading.browser import chromium
from webquarry.reading.browser.chromium import BrowserOptions

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, Playwright

logger = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[["BrowserContext"], Awaitable[T]]

_STARTING = 30.0
_CLOSING = 5.0
_TRIES = 2  # a browser that dies twice under the same page is killed by that page


class BrowserDiedError(Exception):
    """The browser went away while it worked for us."""


class Browser:
    """Runs work in browser contexts of their own, a few at once."""

    def __init__(self, guard: Guard, wish: BrowserOptions | None = None) -> None:
        self._guard = guard
        self._wish = wish or BrowserOptions()
        self._slots = asyncio.Semaphore(self._wish.pages)
        self._lock = asyncio.Lock()
        self._process: _Process | None = None
        self._busy = 0
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()  # a task nobody holds may vanish
        self._rested = asyncio.Event()
        self._rested.set()
        self.launches = 0

    async def run(self, work: Work[T], seconds: float) -> T:
        """Return what `work` finds in a fresh context; it starts again if the browser dies.

        Raises `BrowserError` when there is no browser and `TimeoutError` when time is up.
        """
        chromium.find(self._wish)  # say so before anybody waits in line
        async with asyncio.timeout(seconds), self._slots:
            with self._working():
                for _ in range(_TRIES):
                    process = await self._started()
                    try:
                        return await process.do(work)
                    except BrowserDiedError:
                        logger.warning("Chromium died; it is started again")
                raise BrowserError("Chromium died twice while it showed the page")

    async def resting(self) -> None:
        """Wait until no browser runs."""
        await self._rested.wait()

    async def close(self) -> None:
        """Stop the browser and everything it started."""
        if self._timer:
            self._timer.cancel()
        async with self._lock:
            await self._stop()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @contextlib.contextmanager
    def _working(self) -> Generator[None]:
        self._busy += 1
        if self._timer:
            self._timer.cancel()
        try:
            yield
        finally:
            self._busy -= 1
            if not self._busy:
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(self._wish.idle, self._rest)

    def _rest(self) -> None:
        task = asyncio.ensure_future(self._close_if_idle())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _close_if_idle(self) -> None:
        async with self._lock:
            if not self._busy:
                await self._stop()

    async def _started(self) -> "_Process":
        async with self._lock:
            if self._process and not self._process.alive:
                await self._stop()
            if self._process is None:
                self._process = await _launch(self._wish, await self._guard.start())
                self._rested.clear()
                self.launches += 1
            return self._process

    async def _stop(self) -> None:
        process, self._process = self._process, None
        if process:
            await process.stop()
        self._rested.set()


@dataclass
class _Process:
    """A running browser and the driver that talks to it."""

    driver: "Playwright"
    browser: "Chromium"
    death: asyncio.Future[None]
    condemned: bool = False
    _leaving: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    @property
    def alive(self) -> bool:
        return self.browser.is_connected() and not self.condemned

    async def do(self, work: Work[T]) -> T:
        """Run work in a context; raise `BrowserDiedError` if the browser goes away meanwhile."""
        from playwright.async_api import Error

        task = asyncio.ensure_future(self._in_context(work))
        try:
            # calls to a browser that died may stay open for ever, so its death is watched too
            await asyncio.wait({task, self.death}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
        except Error as error:
            if self.alive:
                raise
            raise BrowserDiedError from error
        finally:
            task.cancel()
            task.add_done_callback(_forget)
        raise BrowserDiedError

    async def _in_context(self, work: Work[T]) -> T:
        context = await self.browser.new_context(
            user_agent=chromium.user_agent(self.browser.version),
            locale="en-US",
            viewport={"width": 1366, "height": 768},
            service_workers="block",
            accept_downloads=False,
        )
        try:
            return await work(context)
        finally:
            leaving = asyncio.ensure_future(self._leave(context))
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)

    async def _leave(self, context: "BrowserContext") -> None:
        """Close a context, even one whose page never stops computing."""
        from playwright.async_api import Error

        try:
            await asyncio.wait_for(context.close(), _CLOSING)
        except (Error, TimeoutError):
            # it would go on computing for ever: the next caller starts another browser
            self.condemned = True

    async def stop(self) -> None:
        from playwright.async_api import Error

        await asyncio.gather(*self._leaving, return_exceptions=True)
        for ending in (self.browser.close, self.driver.stop):
            # whatever of the two is dead already need not be stopped
            with contextlib.suppress(Error, TimeoutError, OSError):
                await asyncio.wait_for(ending(), _CLOSING)


async def _launch(wish: BrowserOptions, door: str) -> _Process:
    program = chromium.find(wish)
    try:
        from playwright.async_api import Error, async_playwright
    except ImportError as error:
        raise BrowserError("the browser needs playwright: pip install playwright") from error

    driver = await async_playwright().start()
    try:
        browser = await driver.chromium.launch(
            executable_path=program,
            headless=True,
            chromium_sandbox=chromium.may_sandbox(wish),
            args=chromium.arguments(door),
            timeout=_STARTING * 1000,
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )
    except Error as error:
        await driver.stop()
        raise BrowserError(chromium.explain(str(error))) from error
    except BaseException:
        await driver.stop()
        raise
    death: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def died(_: "Chromium") -> None:
        if not death.done():
            death.set_result(None)

    browser.on("disconnected", died)
    return _Process(driver, browser, death)


def _forget(task: "asyncio.Task[T]") -> None:
    """Mark the exception as seen: nobody waits for this task any more."""
    if not task.cancelled():
        task.exception()
