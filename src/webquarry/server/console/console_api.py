"""What the console's scripts fetch: each answer holds what its caller may see."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from webquarry.auth.scopes import allows
from webquarry.calls.registry import TOOLSETS
from webquarry.calls.scoped_tools import offered
from webquarry.content.text.token_count import estimate_tokens, json_size
from webquarry.errors import BadInputError, NotFoundError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlJob
from webquarry.server.admin import AdminApi
from webquarry.server.mcp_server import ServerOffer
from webquarry.server.problem_details import SafeJson, problem, problem_of
from webquarry.server.request_guard import LOOPBACK
from webquarry.server.rest_operations import STATUS, offered_operations
from webquarry.services.cinder.cinder_crawls import moment, needed, summary
from webquarry.settings.load import Settings
from webquarry.settings.show import as_json, effective
from webquarry.version import __version__

Identify = Callable[[Request], Caller]
_HEALTH = "diagnostics://health"
_OVERVIEW = {  # what the front page shows, by the resource that says it
    "providers": "stats://providers",
    "health": _HEALTH,
    "sessions": "stats://sessions",
    "limits": "stats://rate-limits",
    "tools": "stats://tools",
    "errors": "diagnostics://errors/recent",
}


@dataclass(frozen=True, kw_only=True)
class ConsoleApi:
    """Answers the scripts."""

    offer: ServerOffer
    settings: Settings
    identify: Identify
    admin: AdminApi | None

    async def overview(self, request: Request) -> Any:
        caller = self.identify(request)
        # side by side: a store or a provider that is slow should be waited for once
        views = await asyncio.gather(*(self._view(uri, caller) for uri in _OVERVIEW.values()))
        listed = offered(self.offer.path.registry, caller)
        return {
            "version": __version__,
            "caller": {"tenant": caller.tenant, "user": caller.user, "proved": caller.proved},
            "store": await self._store(),
            "offered": {
                "tools": len(listed),
                "tokens": estimate_tokens(json_size({"tools": listed})),
            },
            "calls": self.offer.services.metrics.recent.latest(caller.tenant),
            **dict(zip(_OVERVIEW, views, strict=True)),
        }

    async def tools(self, request: Request) -> Any:
        """Return the tools on offer to the caller, each with the toolset it is of."""
        registry = self.offer.path.registry
        toolsets = {tool.name: tool.toolset for tool in registry.tools()}
        listed = offered(registry, self.identify(request))
        return {
            "tools": [entry | {"toolset": toolsets[entry["name"]]} for entry in listed],
            "toolsets": TOOLSETS,
        }

    async def resource(self, request: Request) -> Response:
        uri = request.query_params.get("uri", "")
        if not uri:
            raise BadInputError("uri: say which resource, like ?uri=stats://tools")
        offer = self.offer
        reading = await offer.library.read(uri, self.identify(request), offer.services)
        body = reading.body
        # never as the type it claims to be: a stored page would run here as one of ours
        as_json = reading.mime == "application/json" and not reading.meta
        return Response(
            body.encode("utf-8", "replace") if isinstance(body, str) else body,
            media_type="application/json" if as_json else "application/octet-stream",
            headers={
                "X-Resource-Type": reading.mime.partition(";")[0],
                "X-Resource-Meta": json.dumps(dict(reading.meta or {})),
                "Content-Disposition": "attachment",
            },
        )

    async def artifacts(self, request: Request) -> Any:
        caller = self.identify(request)
        kept = await self.offer.services.artifacts.owned(tenant=caller.tenant, owner=caller.user)
        return {
            "artifacts": [
                {
                    "id": each.id,
                    "uri": each.uri,
                    "bytes": each.bytes,
                    "mimeType": each.mime,
                    "expiresAt": moment(each.expires_at),
                }
                for each in kept
            ]
        }

    async def crawls(self, request: Request) -> Any:
        caller = self._crawler(request)
        jobs = await needed(self.offer.services.crawling).jobs(caller)
        return {"crawls": [_crawl(job) for job in jobs[:50]]}

    async def failures(self, request: Request) -> Any:
        caller, job = self._crawler(request), request.path_params["id"]
        failures = await needed(self.offer.services.crawling).failures(job, caller)
        return {"failures": [failure.model_dump(mode="json") for failure in failures]}

    async def shown_settings(self, request: Request) -> Any:
        """Return the settings, on this machine to anybody, otherwise to whoever runs the server."""
        private = self.settings.auth.demanded or self.settings.server.host not in LOOPBACK
        if private and not self._is_admin(request):
            advice = {"kind": "auth_required", "retryable": False, "detail": "admin_key"}
            sentence = (
                "Only whoever runs this server may see its settings: give the admin key."
                if self.admin
                else "This server shows its settings to nobody: it has no ADMIN_API_KEY."
            )
            return problem(sentence, advice | {"suggestedAction": "inform_user"}, status=403)
        return {"settings": as_json(effective(self.settings))}

    def _is_admin(self, request: Request) -> bool:
        key = request.headers.get("x-admin-key", "")
        return self.admin is not None and self.admin.key.check(key) != "wrong"

    def _crawler(self, request: Request) -> Caller:
        """Return the caller, if crawls are on offer and this one may look at theirs."""
        caller = self.identify(request)
        known = {each.tool for each in offered_operations(self.settings.server.toolsets)}
        if STATUS not in known or not allows(caller.scopes, STATUS, "crawl"):
            raise NotFoundError("Crawls are not offered here, or not to you.")
        return caller

    async def _view(self, uri: str, caller: Caller) -> Any:
        try:
            reading = await self.offer.library.read(uri, caller, self.offer.services)
        except WebquarryError as exc:  # the others can be shown all the same
            return {"problem": str(exc)}
        return json.loads(reading.body)

    async def _store(self) -> dict[str, Any]:
        try:
            await self.offer.services.store.get("health:probe")
        except WebquarryError as exc:
            return {"status": "unhealthy", "reason": str(exc)}
        return {"status": "healthy"}


def routes(desk: ConsoleApi) -> list[Route]:
    """Return the routes of the data."""
    answers: dict[str, Callable[[Request], Awaitable[Any]]] = {
        "overview": desk.overview,
        "tools": desk.tools,
        "resource": desk.resource,
        "artifacts": desk.artifacts,
        "crawls": desk.crawls,
        "crawls/{id}/failures": desk.failures,
        "settings": desk.shown_settings,
    }
    return [
        Route(f"/v1/console/{path}", partial(_guarded, answer), methods=["GET"])
        for path, answer in answers.items()
    ]


async def _guarded(answer: Callable[[Request], Awaitable[Any]], request: Request) -> Response:
    try:
        found = await answer(request)
    except WebquarryError as exc:
        return problem_of(exc)
    return found if isinstance(found, Response) else SafeJson(found)


def _crawl(job: CrawlJob) -> dict[str, Any]:
    told = summary(job).model_dump(mode="json", exclude_none=True)
    return told | {
        "url": job.request.url,
        "maxPages": job.request.max_pages,
        "createdAt": moment(job.created),
        "rate": job.progress.rate,
        "depth": job.progress.depth,
    }
