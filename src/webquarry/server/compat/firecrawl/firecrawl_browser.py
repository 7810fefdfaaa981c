"""Browser sessions of Firecrawl's clients: `/browser`, and `/scrape/{id}/interact`."""

import time
from collections import OrderedDict
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.errors import BadInputError, NotFoundError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.model import Model
from webquarry.reading.browsing.browsing_service import BrowseRequest, BrowsingService
from webquarry.reading.browsing.browsing_session import BrowsingSession, SessionLife
from webquarry.server.compat.firecrawl.firecrawl_errors import parsed, refuse
from webquarry.server.compat.vendor_context import Handle, VendorContext
from webquarry.server.problem_details import SafeJson

Json = dict[str, Any]
_TOOL = "browse_page"
_REMEMBERED = 1000
_TTL, _SCRIPT_SECONDS = 300, 30
_REFUSED = {
    "profile": "browser sessions here keep nothing; store a login with `webquarry login` instead",
    "location": "this server has no proxies in other countries",
    "streamWebView": "a session here cannot be watched",
}
_LANGUAGES = "language: only node is available here: JavaScript, which runs in the page"
_PROMPT = (
    "prompt: no model operates the browser here; send code, or let your assistant use the tool "
    "browse_page over MCP"
)


class _Create(Model):
    ttl: int = Field(default=_TTL, ge=30, le=3600)
    activityTtl: int | None = Field(default=None, ge=10, le=3600)
    streamWebView: bool | None = None
    blockAds: bool | None = None  # images, fonts and media are never loaded
    profile: dict[str, Any] | None = None
    location: dict[str, Any] | None = None
    origin: str | None = None
    integration: str | None = None


class _Execute(Model):
    code: str | None = Field(default=None, max_length=100_000)
    prompt: str | None = None
    language: Literal["python", "node", "bash"] = "node"
    timeout: int = Field(default=_SCRIPT_SECONDS, ge=1, le=300)
    origin: str | None = None
    integration: str | None = None


class RecentScrapes:
    """The URLs of recent scrapes of each caller, by their ids."""

    def __init__(self) -> None:
        self._urls: OrderedDict[tuple[str, str, str], str] = OrderedDict()

    def add(self, caller: Caller, scrape: str, url: str) -> None:
        """Remember the URL of a scrape."""
        self._urls[caller.tenant, caller.user, scrape] = url
        while len(self._urls) > _REMEMBERED:
            self._urls.popitem(last=False)

    def url(self, caller: Caller, scrape: str) -> str:
        """Return the URL of a scrape of this caller."""
        found = self._urls.get((caller.tenant, caller.user, scrape))
        if found is None:
            raise NotFoundError(f"There is no recent scrape {scrape!r}; scrape the page again.")
        return found


class _Browsers:
    """The handlers, over the sessions that `browse_page` has as well."""

    def __init__(self, context: VendorContext, scrapes: RecentScrapes) -> None:
        self._context = context
        self._scrapes = scrapes

    async def create(self, request: Request) -> Response:
        """Open a session."""
        body: _Create = parsed(_Create, await self._context.body(request))
        refuse(_REFUSED, {name: getattr(body, name) for name in _REFUSED})
        caller = await self._admitted(request)
        life = SessionLife(idle=body.activityTtl or body.ttl, total=body.ttl)
        session = await self._browsing.open(caller, life=life)
        return SafeJson({"success": True, "id": session.id, "expiresAt": _expires(session)})

    async def listed(self, request: Request) -> Response:
        """List the caller's sessions."""
        caller = await self._admitted(request)
        sessions, status = self._browsing.sessions, request.query_params.get("status")
        rows = [_row(each, "active") for each in sessions.of(caller)]
        ended = [_row(each, "destroyed") for each in sessions.ended(caller)]
        shown = {"active": rows, "destroyed": ended}.get(status or "", [*rows, *ended])
        return SafeJson({"success": True, "sessions": shown})

    async def execute(self, request: Request) -> Response:
        """Run code in a session."""
        body = await self._code(request)
        caller = await self._admitted(request)
        session = self._browsing.sessions.get(caller, request.path_params["id"])
        return await self._run(session, body)

    async def delete(self, request: Request) -> Response:
        """Close a session."""
        caller = await self._admitted(request)
        session = self._browsing.sessions.get(caller, request.path_params["id"])
        return await self._end(session)

    async def interact(self, request: Request) -> Response:
        """Run code on the page of a scrape, which is opened for that."""
        body = await self._code(request)
        caller, scrape = await self._admitted(request), request.path_params["id"]
        url = self._scrapes.url(caller, scrape)
        session = _open_session(self._browsing, caller, scrape)
        if session is None:
            session = await self._browsing.open(caller, ident=scrape)
            await self._visit(session, url)
        return await self._run(session, body)

    async def stop(self, request: Request) -> Response:
        """Close the page of a scrape; one that was never opened is closed already."""
        caller, scrape = await self._admitted(request), request.path_params["id"]
        self._scrapes.url(caller, scrape)
        session = _open_session(self._browsing, caller, scrape)
        if session is None:
            return SafeJson({"success": True, "sessionDurationMs": 0, "creditsBilled": 0})
        return await self._end(session)

    @property
    def _browsing(self) -> BrowsingService:
        return self._context.offer.services.browsing

    async def _admitted(self, request: Request) -> Caller:
        try:
            return await self._context.admit(request, _TOOL)
        except NotFoundError as error:
            raise BadInputError(
                "browser: this server lends none; its operator can add toolset browser"
            ) from error

    async def _code(self, request: Request) -> _Execute:
        body: _Execute = parsed(_Execute, await self._context.body(request))
        if body.prompt:
            raise BadInputError(_PROMPT)
        if not body.code:
            raise BadInputError("code: is missing")
        self._browsing.check_scripts()
        if body.language != "node":
            raise BadInputError(_LANGUAGES)
        return body

    async def _visit(self, session: BrowsingSession, url: str) -> None:
        try:
            await self._browsing.browse(session, BrowseRequest(), url)
        except WebquarryError:
            session.end("its page could not be opened")
            raise

    async def _run(self, session: BrowsingSession, body: _Execute) -> Response:
        run = await self._browsing.run_script(session, body.code or "", float(body.timeout))
        return SafeJson(
            {
                "success": True,
                "stdout": run.printed,
                "output": run.printed,
                "result": run.result,
                "stderr": run.error,
                "exitCode": int(bool(run.error)),
                "killed": False,
                "truncated": run.truncated,
            }
        )

    async def _end(self, session: BrowsingSession) -> Response:
        await self._browsing.sessions.end(session, "its owner closed it")
        lasted = int((time.time() - session.created) * 1000)
        return SafeJson({"success": True, "sessionDurationMs": lasted, "creditsBilled": 0})


def browser_routes(context: VendorContext, scrapes: RecentScrapes) -> list[BaseRoute]:
    """Return the routes of browser sessions."""
    browsers = _Browsers(context, scrapes)

    def route(path: str, method: str, handle: Handle) -> Route:
        return Route(path, context.handler(handle), methods=[method])

    return [
        route("/v2/browser", "POST", browsers.create),
        route("/v2/browser", "GET", browsers.listed),
        route("/v2/browser/{id}/execute", "POST", browsers.execute),
        route("/v2/browser/{id}", "DELETE", browsers.delete),
        route("/v2/scrape/{id}/interact", "POST", browsers.interact),
        route("/v2/scrape/{id}/interact", "DELETE", browsers.stop),
    ]


def _open_session(browsing: BrowsingService, caller: Caller, ident: str) -> BrowsingSession | None:
    found = (each for each in browsing.sessions.of(caller) if each.id == ident)
    return next((each for each in found if not each.reason), None)


def _row(session: BrowsingSession, status: str) -> Json:
    return {
        "id": session.id,
        "status": status,
        "cdpUrl": "",  # no session can be operated or watched from outside
        "liveViewUrl": "",
        "streamWebView": False,
        "createdAt": _iso(session.created),
        "lastActivity": _iso(session.used),
    }


def _expires(session: BrowsingSession) -> str:
    return _iso(session.created + session.life.total)


def _iso(timestamp: float) -> str:
    return datetime.fromtimestamp(timestamp, UTC).isoformat().replace("+00:00", "Z")
