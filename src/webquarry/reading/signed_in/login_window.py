"""Opens a browser in which a person signs in, and returns what it has stored then."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from webquarry.errors import BrowserError
from webquarry.net.guard.server import Guard
from webquarry.reading.browser import chromium
from webquarry.reading.browser.chromium import BrowserOptions
from webquarry.reading.browser.playwright_errors import playwright_errors

_START_SECONDS = 30.0
_OPEN_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class LoginWindow:
    """A browser with a window, or one that is operated through a debugging port."""

    guard: Guard
    options: BrowserOptions
    debugging_port: int = 0  # of 127.0.0.1; 0: it has a window

    async def storage_state(
        self, url: str, wait: Callable[[Any], Awaitable[None]]
    ) -> Mapping[str, Any]:
        """Open the URL, `wait` until the person has signed in, and return what is stored then.

        `wait` gets the browser context.
        """
        program = chromium.find_program(self.options)
        if not chromium.is_driver_installed():
            raise BrowserError(chromium.DRIVER_MISSING)
        from playwright.async_api import async_playwright

        async with async_playwright() as driver:
            try:
                browser = await driver.chromium.launch(
                    executable_path=program,
                    headless=bool(self.debugging_port),
                    chromium_sandbox=chromium.can_sandbox(self.options),
                    args=await self._arguments(),
                    timeout=_START_SECONDS * 1000,
                )
                context = await browser.new_context(no_viewport=not self.debugging_port)
                page = await context.new_page()
                await page.goto(url, wait_until="commit", timeout=_OPEN_SECONDS * 1000)
                await wait(context)
                state = await context.storage_state()
                await browser.close()
            except playwright_errors() as error:
                message = str(error).partition("\n")[0][:200]
                raise BrowserError(f"The sign-in was not finished: {message}") from error
        return dict(state)

    async def _arguments(self) -> list[str]:
        arguments = chromium.arguments(await self.guard.start(), images=True)
        if self.debugging_port:
            arguments.append(f"--remote-debugging-port={self.debugging_port}")
        return arguments
