"""One Chromium process, started on demand and restarted when it dies."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from webquarry.errors import BrowserError
from webquarry.net.guard.server import Guard
from webquarry.reading.browser import chromium
from webquarry.reading.browser.chromium import BrowserOptions
from webquarry.reading.browser.context_options import ContextOptions

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, Playwright

logger = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[["BrowserContext"], Awaitable[T]]

_START_SECONDS = 30.0
_CLOSE_SECONDS = 5.0
_ATTEMPTS = 2  # a page during which the browser dies twice is the cause


class BrowserDiedError(Exception):
    """The browser ended during a request."""


class Browser:
    """Runs work in separate browser contexts, a limited number at a time."""

    def __init__(self, guard: Guard, options: BrowserOptions | None = None) -> None:
        self._guard = guard
        self._options = options or BrowserOptions()
        self._slots = asyncio.Semaphore(self._options.pages)
        self._lock = asyncio.Lock()
        self._process: _Process | None = None
        self._busy = 0
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()  # unreferenced tasks may be collected
        self._stopped = asyncio.Event()
        self._stopped.set()
        self.launches = 0
        self._image_browser: Browser | None = None

    async def run(self, work: Work[T], seconds: float, options: ContextOptions | None = None) -> T:
        """Return the result of `work` in a new context; it is repeated if the browser dies.

        Raises `BrowserError` when there is no browser and `TimeoutError` when time is up.
        """
        if options and options.shows_images and not self._options.images:
            return await self._with_images().run(work, seconds, options)
        chromium.find_program(self._options)  # fails before waiting for a slot
        async with asyncio.timeout(seconds), self._slots:
            with self._in_use():
                for _ in range(_ATTEMPTS):
                    process = await self._running()
                    try:
                        return await process.run(work, options or ContextOptions())
                    except BrowserDiedError:
                        logger.warning("Chromium died and is restarted")
                raise BrowserError("Chromium died twice while rendering the page")

    async def wait_until_stopped(self) -> None:
        """Wait until no browser runs."""
        await self._stopped.wait()

    async def close(self) -> None:
        """Stop the browser and its child processes."""
        if self._timer:
            self._timer.cancel()
        async with self._lock:
            await self._stop()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._image_browser:
            await self._image_browser.close()

    def _with_images(self) -> "Browser":
        """Return another browser for screenshots: this one loads no images."""
        if self._image_browser is None:
            self._image_browser = Browser(self._guard, replace(self._options, images=True))
        return self._image_browser

    @contextlib.contextmanager
    def _in_use(self) -> Generator[None]:
        self._busy += 1
        if self._timer:
            self._timer.cancel()
        try:
            yield
        finally:
            self._busy -= 1
            if not self._busy:
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(self._options.idle, self._on_idle)

    def _on_idle(self) -> None:
        task = asyncio.ensure_future(self._close_if_idle())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _close_if_idle(self) -> None:
        async with self._lock:
            if not self._busy:
                await self._stop()

    async def _running(self) -> "_Process":
        async with self._lock:
            if self._process and not self._process.is_usable:
                await self._stop()
            if self._process is None:
                self._process = await _launch(self._options, await self._guard.start())
                self._stopped.clear()
                self.launches += 1
            return self._process

    async def _stop(self) -> None:
        process, self._process = self._process, None
        if process:
            await process.stop()
        self._stopped.set()


@dataclass
class _Process:
    """A running browser and its Playwright driver."""

    driver: "Playwright"
    browser: "Chromium"
    disconnected: asyncio.Future[None]
    hangs: bool = False
    _closing: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    @property
    def is_usable(self) -> bool:
        return self.browser.is_connected() and not self.hangs

    async def run(self, work: Work[T], options: ContextOptions) -> T:
        """Run work in a context; raise `BrowserDiedError` if the browser ends during it."""
        from playwright.async_api import Error

        task = asyncio.ensure_future(self._in_context(work, options))
        try:
            # calls to a browser that died may never return, so the disconnection is awaited, too
            await asyncio.wait({task, self.disconnected}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
        except Error as error:
            if self.is_usable:
                raise
            raise BrowserDiedError from error
        finally:
            task.cancel()
            task.add_done_callback(_retrieve)
        raise BrowserDiedError

    async def _in_context(self, work: Work[T], options: ContextOptions) -> T:
        context = await self.browser.new_context(**options.arguments(self.browser.version))
        try:
            return await work(context)
        finally:
            closing = asyncio.ensure_future(self._close(context))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    async def _close(self, context: "BrowserContext") -> None:
        """Close a context, even one whose scripts never end."""
        from playwright.async_api import Error

        try:
            await asyncio.wait_for(context.close(), _CLOSE_SECONDS)
        except (Error, TimeoutError):
            # its scripts would run forever: the next caller starts another browser
            self.hangs = True

    async def stop(self) -> None:
        from playwright.async_api import Error

        await asyncio.gather(*self._closing, return_exceptions=True)
        for stop in (self.browser.close, self.driver.stop):
            # either may have ended already
            with contextlib.suppress(Error, TimeoutError, OSError):
                await asyncio.wait_for(stop(), _CLOSE_SECONDS)


async def _launch(options: BrowserOptions, proxy: str) -> _Process:
    program = chromium.find_program(options)
    try:
        from playwright.async_api import Error, async_playwright
    except ImportError as error:
        raise BrowserError(chromium.DRIVER_MISSING) from error

    driver = await async_playwright().start()
    try:
        try:
            browser = await _start(driver, options, program, proxy)
        except Error as error:
            if options.no_sandbox != "auto" or not chromium.is_sandbox_refused(str(error)):
                raise
            unsafe = replace(options, no_sandbox="true")
            browser = await _start(driver, unsafe, program, proxy)
    except Error as error:
        await driver.stop()
        raise BrowserError(chromium.launch_error_message(str(error))) from error
    except BaseException:
        await driver.stop()
        raise
    disconnected: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def on_disconnect(_: "Chromium") -> None:
        if not disconnected.done():
            disconnected.set_result(None)

    browser.on("disconnected", on_disconnect)
    return _Process(driver, browser, disconnected)


async def _start(
    driver: "Playwright", options: BrowserOptions, program: str, proxy: str
) -> "Chromium":
    has_sandbox = chromium.can_sandbox(options)
    browser = await driver.chromium.launch(
        executable_path=program,
        headless=True,
        chromium_sandbox=has_sandbox,
        args=chromium.arguments(proxy, images=options.images),
        timeout=_START_SECONDS * 1000,
        downloads_path=options.downloads,
        handle_sigint=False,
        handle_sigterm=False,
        handle_sighup=False,
    )
    if not has_sandbox:
        logger.warning(
            "Chromium runs WITHOUT ITS SANDBOX: a page that exploits a flaw in it has the rights of"
            " this server. Do not run as root; allow user namespaces, in containers with"
            " deploy/seccomp-chromium.json"
        )
    return browser


def _retrieve(task: "asyncio.Task[T]") -> None:
    """Retrieve the exception of a task that nobody awaits any more."""
    if not task.cancelled():
        task.exception()
