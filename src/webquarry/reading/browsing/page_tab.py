"""One page of a session: its pending requests, dialogs, downloads, and what was shown of it."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webquarry.net.client.response import Headers
from webquarry.net.media_type import is_document
from webquarry.reading.browser.playwright_errors import playwright_errors
from webquarry.reading.browsing.page_snapshot import SnapshotMemory
from webquarry.reading.browsing.page_worlds import PageWorlds

if TYPE_CHECKING:
    from playwright.async_api import Dialog, Page, Request, Response

    from webquarry.reading.browsing.page_downloads import PageDownloads

_AWAITED = frozenset({"document", "script", "xhr", "fetch"})
_QUIET_MS = 300  # a page without changes for so long has reacted
_MAX_EVENTS = 20


@dataclass
class SessionEvents:
    """What happened on the pages of a session since its caller was last told."""

    accept_dialogs: bool = False
    _texts: list[str] = field(default_factory=list[str])

    def add(self, text: str) -> None:
        """Note an event."""
        if len(self._texts) < _MAX_EVENTS:
            self._texts.append(text)

    def take(self) -> tuple[str, ...]:
        """Return the events, once."""
        taken, self._texts = tuple(self._texts), []
        return taken


@dataclass
class PageTab:
    """A page that is open in a session."""

    page: "Page"
    worlds: PageWorlds
    events: SessionEvents
    downloads: "PageDownloads"
    memory: SnapshotMemory = field(default_factory=SnapshotMemory)
    status: int = 0
    document_type: str = ""  # of a PDF that is shown instead of a page
    _pending: "set[Request]" = field(default_factory=set["Request"])
    _tasks: set[asyncio.Future[Any]] = field(default_factory=set[asyncio.Future[Any]])

    @classmethod
    async def of(cls, page: "Page", events: SessionEvents, downloads: "PageDownloads") -> "PageTab":
        """Watch a page from now on."""
        tab = cls(page, await PageWorlds.of(page), events, downloads)
        page.on("request", tab._on_request)
        page.on("requestfinished", tab._on_request_end)
        page.on("requestfailed", tab._on_request_end)
        page.on("response", tab._on_response)
        page.on("dialog", tab._on_dialog)
        page.on("download", downloads.add)
        page.on("crash", lambda _: events.add("The page crashed; open its URL again."))
        return tab

    async def settle(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Wait until the page has loaded and reacted, at most so long."""
        ends = clock() + seconds
        while (left := ends - clock()) > 0:
            try:
                await self.page.wait_for_load_state("domcontentloaded", timeout=left * 1000)
                await self.worlds.call("wait_until_quiet", [_QUIET_MS, left * 1000])
            except playwright_errors() as error:
                # a navigation destroys the JavaScript context: wait for the next document
                if self.page.is_closed() or not _is_navigation(str(error)):
                    return
                continue
            if not self._pending:
                return

    def _on_request(self, request: "Request") -> None:
        if request.resource_type in _AWAITED:
            self._pending.add(request)

    def _on_request_end(self, request: "Request") -> None:
        self._pending.discard(request)

    def _on_response(self, response: "Response") -> None:
        request = response.request
        if not request.is_navigation_request() or request.frame != self.page.main_frame:
            return
        self.status = response.status
        media_type = Headers(response.headers.items()).media_type
        self.document_type = media_type if response.ok and is_document(b"", media_type) else ""

    def _on_dialog(self, dialog: "Dialog") -> None:
        accepts = self.events.accept_dialogs or dialog.type == "beforeunload"
        done = "accepted" if accepts else "dismissed"
        self.events.add(f"Dialog ({dialog.type}) {dialog.message[:300]!r} was {done}.")
        self._spawn(dialog.accept() if accepts else dialog.dismiss())

    def _spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # retrieved and ignored: the page may be gone before the dialog


def _is_navigation(message: str) -> bool:
    return any(word in message for word in ("context", "navigated", "Timeout"))
