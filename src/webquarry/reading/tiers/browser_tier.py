"""The browser tier: lets a page run until it is quiet, then reads what it shows."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webquarry.errors import BlockedError, BrowserError
from webquarry.models.reading import Reading
from webquarry.net.client.headers import Headers
from webquarry.net.clock import Clock
from webquarry.net.fetch import FetchedResponse
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.guard.server import Guard
from webquarry.net.url import parse, under
from webquarry.reading.browser.browser import Browser
from webquarry.reading.response_reader import Answer, ResponseReader, reading_of
from webquarry.reading.tiers.acceptance import judge
from webquarry.reading.tiers.read_errors import UnreadableError
from webquarry.reading.tiers.status import check_status

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Dialog, Page, Request, Response, Route

_QUIET = 0.5  # seconds without a change after which a page is finished
_QUIET_SPA = 2.0
_LONGEST_WAIT = 10.0  # for pages that never are
_RESERVE = 2.0  # seconds kept for taking the page out of the browser
_PENDING = frozenset({"document", "script", "xhr", "fetch"})
_HEAVY = re.compile(
    r"\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|mp4|webm|m4v|mov|mp3|m4a|ogg|wav|flac|m3u8|mpd|ts"
    r"|woff2?|ttf|otf|eot)(?:\?|#|$)",
    re.IGNORECASE,
)
# resolves when nothing has changed for `quiet` ms, or after `most` ms
_SETTLED = """([quiet, most]) => new Promise(resolve => {
  const ends = performance.now() + most;
  let timer;
  const finish = () => { observer.disconnect(); resolve(); };
  const wait = () => {
    clearTimeout(timer);
    const left = ends - performance.now();
    if (left <= 0) finish(); else timer = setTimeout(finish, Math.min(quiet, left));
  };
  const observer = new MutationObserver(wait);
  observer.observe(document, {childList: true, subtree: true, characterData: true});
  wait();
})"""
# the page as it stands, with what its components show inside themselves
_TAKEN = """most => {
  const open = root => {
    for (const host of root.querySelectorAll('*')) {
      if (!host.shadowRoot) continue;
      open(host.shadowRoot);
      const shown = document.createElement('div');
      for (const node of host.shadowRoot.childNodes)
        if (!['STYLE', 'LINK', 'SCRIPT'].includes(node.nodeName))
          shown.append(node.cloneNode(true));
      host.append(shown);
    }
  };
  open(document);
  return document.documentElement.outerHTML.slice(0, most);
}"""


@dataclass(frozen=True, kw_only=True)
class RenderedPage:
    """A page as a browser shows it."""

    url: str
    status: int
    html: str
    cut: bool = False


@dataclass(frozen=True, kw_only=True)
class BrowserTier:
    """Reads pages that need their script."""

    browser: Browser
    guard: Guard
    readers: ResponseReader
    spa_hosts: tuple[str, ...] = ()
    page_bytes: int = 8 * 2**20
    clock: Clock = field(default_factory=Clock)
    name: str = "browser"
    timeout: float = 30.0

    async def read(self, url: str, seconds: float) -> Reading:
        """Return the page, or raise `UnreadableError`."""
        rendered = await self._rendered(url, seconds)
        raw = rendered.html.encode("utf-8", "replace")
        check_status(
            FetchedResponse(
                url=rendered.url, status=rendered.status, headers=Headers(), content=raw
            ),
            self.clock,
        )
        answer = Answer(
            url=rendered.url,
            content=raw,
            content_type="text/html; charset=utf-8",
            cut=rendered.cut,
            status=rendered.status,
        )
        page = await self.readers.page(answer)
        return judge(reading_of(url, answer, page, self.name), page, scripted=lambda: False)

    async def _rendered(self, url: str, seconds: float) -> RenderedPage:
        from webquarry.reading.browser.playwright_errors import playwright_errors

        try:
            return await self.render(url, seconds)
        except BrowserError as error:
            raise UnreadableError("browser_unavailable", str(error)) from error
        except TimeoutError as error:
            raise UnreadableError(
                "network", f"not finished within {seconds:.0f} seconds"
            ) from error
        except playwright_errors() as error:
            raise self._explained(url, str(error)) from error

    async def render(self, url: str, seconds: float) -> RenderedPage:
        """Return the page once it is quiet."""
        where = parse(url)
        try:
            self.guard.policy.check(where)
        except RefusedError as error:
            raise UnreadableError("validation", str(error.error(url)), final=True) from error
        quiet = _QUIET_SPA if under(where.host, self.spa_hosts) else _QUIET
        ends = self.clock.now() + seconds

        async def show(context: "BrowserContext") -> RenderedPage:
            visit = _Visit(await context.new_page(), self.page_bytes)
            return await visit.take(where.href, quiet, lambda: ends - self.clock.now())

        return await self.browser.run(show, seconds)

    def _explained(self, url: str, words: str) -> UnreadableError:
        """Return what a failed navigation means, asking the guard when it was the guard."""
        refusal = self.guard.refusal(parse(url)) if "ERR_SOCKS" in words else None
        if refusal:
            found = refusal.error(url)
            if isinstance(found, BlockedError):
                return UnreadableError("validation", str(found), final=True)
            return UnreadableError("network", refusal.why)
        code = re.search(r"net::(ERR_\w+)", words)
        return UnreadableError("network", code[1] if code else words.partition("\n")[0][:120])


class _Visit:
    """One page in one context."""

    def __init__(self, page: "Page", most: int) -> None:
        self._page = page
        self._most = most
        self._status = 0
        self._pending: set[Request] = set()
        self._tasks: set[asyncio.Future[Any]] = set()

    async def take(self, url: str, quiet: float, left: Callable[[], float]) -> RenderedPage:
        """Go there, wait until it is quiet, return what is there."""
        await self._prepare()
        first = await self._page.goto(url, wait_until="commit", timeout=left() * 1000)
        self._status = self._status or (first.status if first else 0)
        await self._settle(quiet, left)
        html: str = await self._page.evaluate(_TAKEN, self._most + 1)
        return RenderedPage(
            url=self._page.url,
            status=self._status or 200,
            html=html[: self._most],
            cut=len(html) > self._most,
        )

    async def _prepare(self) -> None:
        page = self._page
        await page.context.route(_HEAVY, _refuse)
        page.on("response", self._answered)
        page.on("request", self._asked)
        page.on("requestfinished", self._done)
        page.on("requestfailed", self._done)
        page.on("popup", lambda popup: self._spawn(popup.close()))
        page.on("dialog", self._dismiss)

    async def _settle(self, quiet: float, left: Callable[[], float]) -> None:
        """Wait until neither the page nor its requests have moved for a while."""
        from webquarry.reading.browser.playwright_errors import playwright_errors

        patience = min(_LONGEST_WAIT, left() - _RESERVE)
        while patience > 0:
            began = left()
            try:
                # a script at the top of a page may take its time
                await self._page.wait_for_load_state("domcontentloaded", timeout=patience * 1000)
                await self._page.evaluate(_SETTLED, [quiet * 1000, patience * 1000])
            except playwright_errors() as error:
                # a page that moves on takes the waiting with it: wait for the next one
                if "context" not in str(error) and "Timeout" not in str(error):
                    raise
            else:
                if not self._pending:
                    return
            patience -= began - left()

    def _asked(self, request: "Request") -> None:
        if request.resource_type in _PENDING:
            self._pending.add(request)

    def _done(self, request: "Request") -> None:
        self._pending.discard(request)

    def _answered(self, response: "Response") -> None:
        request = response.request
        if request.is_navigation_request() and request.frame == self._page.main_frame:
            self._status = response.status

    def _dismiss(self, dialog: "Dialog") -> None:
        self._spawn(dialog.dismiss())

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(_quietly(self._tasks))


def _quietly(tasks: set[asyncio.Future[Any]]) -> Callable[[asyncio.Future[Any]], None]:
    def done(task: asyncio.Future[Any]) -> None:
        tasks.discard(task)
        if not task.cancelled():
            task.exception()  # a popup that is gone already needs no closing

    return done


async def _refuse(route: "Route") -> None:
    await route.abort("blockedbyclient")
