"""Operates pages for callers: opens them, acts on them, and says what they show."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from webquarry.content.text.token_count import BYTES_PER_TOKEN, cut_text
from webquarry.content.visibility.element_index import HIDDEN_MARK
from webquarry.errors import (
    BadInputError,
    BrowserError,
    NetworkError,
    WebquarryError,
)
from webquarry.models.browsing import Download, PageAction
from webquarry.models.caller import Caller
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.guard.server import Guard
from webquarry.net.url import Url, parse
from webquarry.observe.active_recorder import capturing_with
from webquarry.reading.browser.context_options import ContextOptions
from webquarry.reading.browser.playwright_errors import playwright_errors
from webquarry.reading.browsing.browsing_session import BrowsingSession, SessionLife
from webquarry.reading.browsing.browsing_sessions import BrowsingSessions
from webquarry.reading.browsing.caller_scripts import ScriptRun, run_script
from webquarry.reading.browsing.page_actions import ActionFailedError, PageActor, check_action
from webquarry.reading.browsing.page_tab import PageTab
from webquarry.reading.response_reader import ResponseReader

OPEN_SECONDS = 30.0
CALL_SECONDS = 50.0  # below the timeout of a tool
_SETTLE_SECONDS = 5.0
_HTML = Headers([("content-type", "text/html; charset=utf-8")])
_MAX_HTML = 8 * 2**20
_SCRIPT_SECONDS = 20.0
_NET_ERROR = re.compile(r"net::(ERR_\w+)")


@dataclass(frozen=True, kw_only=True)
class BrowseRequest:
    """What to do on the pages of a session, and how much of them to show."""

    actions: tuple[PageAction, ...] = ()
    max_tokens: int = 2000
    find: str = ""


@dataclass(kw_only=True)
class BrowsedPage:
    """What a page shows after some actions."""

    session: str
    url: str = ""
    title: str = ""
    status: int = 0
    snapshot: str = ""
    done: int = 0  # actions
    failed: str = ""
    events: tuple[str, ...] = ()
    downloads: tuple[Download, ...] = ()
    content: str = ""
    results: list[str] = field(default_factory=list[str])
    closed: bool = False


class BrowsingService:
    """Pages that callers operate."""

    def __init__(
        self,
        sessions: BrowsingSessions,
        guard: Guard,
        responses: ResponseReader,
        *,
        allows_scripts: bool = False,
    ) -> None:
        self.sessions = sessions
        self.allows_scripts = allows_scripts
        self._guard = guard
        self._responses = responses

    async def open(
        self,
        caller: Caller,
        options: ContextOptions | None = None,
        *,
        ident: str = "",
        signed_in: str = "",
        life: SessionLife | None = None,
    ) -> BrowsingSession:
        """Open a session without a page."""
        return await self.sessions.open(
            caller,
            options or ContextOptions(downloads=True),
            ident=ident,
            signed_in=signed_in,
            life=life,
        )

    def check_url(self, url: str) -> Url:
        """Return the URL; raise if its host must not be visited."""
        target = parse(url)
        try:
            self._guard.policy.check(target)
        except RefusedError as error:
            raise error.to_error(url) from error
        return target

    def check(self, actions: Sequence[PageAction]) -> None:
        """Raise `BadInputError` if an action cannot be done here."""
        for action in actions:
            check_action(action)
            if action.do == "script":
                self.check_scripts()

    def check_scripts(self) -> None:
        """Raise `BadInputError` unless the operator allows scripts of callers."""
        if not self.allows_scripts:
            raise BadInputError(
                "script: this server runs no scripts of callers; its operator can allow them with "
                "BROWSE_SCRIPTS=on"
            )

    async def browse(
        self, session: BrowsingSession, request: BrowseRequest, url: str = ""
    ) -> BrowsedPage:
        """Open the URL, if there is one, do the actions, and return what the page shows."""
        target = self.check_url(url) if url else None
        async with session.lock:
            # what a page of a session shows is for its owner only: it is in no capture
            with capturing_with(None):
                return await session.while_open(
                    self._browse(session, request, target), CALL_SECONDS
                )

    async def run_script(self, session: BrowsingSession, code: str, seconds: float) -> ScriptRun:
        """Run JavaScript of the caller in the page; return its value and what it printed."""
        self.check_scripts()
        async with session.lock:
            with capturing_with(None):
                run = await session.while_open(run_script(session.tab, code, seconds), seconds + 5)
                await session.while_open(session.tab.settle(_SETTLE_SECONDS), CALL_SECONDS)
        return run

    async def _browse(
        self, session: BrowsingSession, request: BrowseRequest, target: Url | None
    ) -> BrowsedPage:
        page = BrowsedPage(session=session.id)
        if target:
            await self._visit(session.tab, target)
        for action in request.actions:
            try:
                await self._do(session, action, page, request)
            except ActionFailedError as error:
                page.failed = f"action {page.done + 1} ({action.name}): {error}"
                break
            page.done += 1
            if page.closed:
                return page
        await self._show(session, request, page)
        return page

    async def _visit(self, tab: PageTab, target: Url) -> None:
        tab.status, tab.document_type = 0, ""
        try:
            await tab.page.goto(target.href, wait_until="commit", timeout=OPEN_SECONDS * 1000)
        except playwright_errors() as error:
            # the navigation to a file that is saved ends with an error
            if not (tab.downloads.waiting or tab.document_type):
                raise self._navigation_error(target, str(error)) from error
        await tab.settle(_SETTLE_SECONDS * 2)

    def _navigation_error(self, target: Url, message: str) -> WebquarryError:
        refusal = self._guard.refusal(target) if "ERR_SOCKS" in message else None
        if refusal:
            return refusal.to_error(target.href)
        code = _NET_ERROR.search(message)
        reason = code[1] if code else message.partition("\n")[0][:120]
        return NetworkError(f"{target.href} could not be opened: {reason}")

    async def _do(
        self,
        session: BrowsingSession,
        action: PageAction,
        page: BrowsedPage,
        request: BrowseRequest,
    ) -> None:
        tab = session.tab
        session.events.accept_dialogs = action.dialog == "accept"
        if action.do == "close":
            session.end("its owner closed it")
            page.closed = True
        elif action.do == "read":
            page.content = await self._read(tab, request.max_tokens)
        elif action.do == "script":
            run = await run_script(tab, action.value, _SCRIPT_SECONDS)
            if run.error:
                raise ActionFailedError(run.error)
            page.results.append(run.result)
            await session.tab.settle(_SETTLE_SECONDS)
        else:
            await PageActor(tab.page, tab.worlds, tab.memory).do(action)
            # a new window opens a moment later
            await asyncio.sleep(0)
            await session.tab.settle(_SETTLE_SECONDS)

    async def _read(self, tab: PageTab, max_tokens: int) -> str:
        """Return the page as Markdown."""
        marks = {"mark": HIDDEN_MARK, "milliseconds": 1500, "maxTexts": 20_000}
        try:
            await tab.worlds.call("mark_hidden", marks)
            html = str(await tab.worlds.call("take_document", _MAX_HTML))
        except BrowserError as error:
            raise ActionFailedError(str(error)) from error
        fetched = FetchedResponse(
            url=tab.page.url,
            status=tab.status or 200,
            headers=_HTML,
            content=html.encode("utf-8", "replace"),
        )
        reading = await self._responses.read(fetched, tab.page.url, "browser", is_page=True)
        return cut_text(reading.markdown, max_tokens * BYTES_PER_TOKEN)

    async def _show(
        self, session: BrowsingSession, request: BrowseRequest, page: BrowsedPage
    ) -> None:
        page.downloads = await session.downloads.take(request.max_tokens)
        tab = session.tab
        if page.downloads:  # the page itself stays as it was
            tab.document_type = ""
        page.url, page.status = tab.page.url, tab.status
        if tab.document_type:
            shown = await session.downloads.shown(
                session.context, tab.page.url, tab.document_type, request.max_tokens
            )
            page.downloads = (*page.downloads, shown)
            tab.document_type = ""
        elif page.url.startswith("chrome-error:"):
            page.failed = page.failed or "the page opened a URL that was refused or is unreachable"
        else:
            await self._take_snapshot(session, request, page)
        page.events = session.events.take()

    async def _take_snapshot(
        self, session: BrowsingSession, request: BrowseRequest, page: BrowsedPage
    ) -> None:
        tab = session.tab
        try:
            contents = await tab.memory.contents(tab.worlds, request.find)
        except playwright_errors():
            if not tab.page.is_closed():
                raise
            # the window has closed itself: the earlier one is shown
            tab = session.tab
            contents = await tab.memory.contents(tab.worlds, request.find)
        page.url, page.status, page.title = tab.page.url, tab.status, contents.title
        page.snapshot = tab.memory.text(contents, request.max_tokens, request.find)
