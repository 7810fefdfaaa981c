"""The JSON API of the web console. Each response contains only what the caller may see."""

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
from webquarry.calls.argument_help import argument_help
from webquarry.calls.registry import TOOLSETS
from webquarry.calls.tool import AnyTool
from webquarry.content.text.token_count import estimate_tokens, json_size
from webquarry.errors import BadInputError, NotFoundError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlJob
from webquarry.server.admin import AdminApi
from webquarry.server.mcp_server import ServerOffer
from webquarry.server.problem_details import SafeJson, problem, problem_of
from webquarry.server.request_guard import LOOPBACK
from webquarry.server.rest_operations import STATUS, offered_operations
from webquarry.services.cinder.cinder_crawls import crawl_summary, rfc3339_of
from webquarry.settings.load import Settings
from webquarry.settings.show import as_json, effective
from webquarry.version import __version__

Identify = Callable[[Request], Caller]
_HEALTH = "diagnostics://health"
_OVERVIEW = {  # the resources on the overview page
    "providers": "stats://providers",
    "health": _HEALTH,
    "sessions": "stats://sessions",
    "limits": "stats://rate-limits",
    "tools": "stats://tools",
    "errors": "diagnostics://errors/recent",
}


@dataclass(frozen=True, kw_only=True)
class ConsoleApi:
    """Handles the requests of the console's scripts."""

    offer: ServerOffer
    settings: Settings
    identify: Identify
    admin: AdminApi | None

    async def overview(self, request: Request) -> Any:
        caller = self.identify(request)
        # concurrently: each of them may wait for the store or a provider
        views = await asyncio.gather(*(self._view(uri, caller) for uri in _OVERVIEW.values()))
        listed = self.offer.path.registry.definitions_for(caller)
        return {
            "version": __version__,
            "caller": {"tenant": caller.tenant, "user": caller.user, "proved": caller.proved},
            "store": await self._store(),
            "offered": {
                "tools": len(listed),
                "tokens": estimate_tokens(json_size({"tools": listed})),
            },
            "calls": self.offer.services.metrics.tenants.latest_calls(caller.tenant),
            **dict(zip(_OVERVIEW, views, strict=True)),
        }

    async def tools(self, request: Request) -> Any:
        """Return the tools that the caller may use, with toolset and full argument descriptions."""
        registry = self.offer.path.registry
        tools = {tool.name: tool for tool in registry.tools()}
        allowed = registry.definitions_for(self.identify(request))
        return {
            "tools": [_tool(definition, tools[definition["name"]]) for definition in allowed],
            "toolsets": TOOLSETS,
        }

    async def resource(self, request: Request) -> Response:
        uri = request.query_params.get("uri", "")
        if not uri:
            raise BadInputError("uri: name a resource, e.g. ?uri=stats://tools")
        offer = self.offer
        content = await offer.resources.read(uri, self.identify(request), offer.services)
        body = content.body
        # not with its own media type: a stored HTML page would run with the console's origin
        is_json = content.mime == "application/json" and not content.meta
        return Response(
            body.encode("utf-8", "replace") if isinstance(body, str) else body,
            media_type="application/json" if is_json else "application/octet-stream",
            headers={
                "X-Resource-Type": content.mime.partition(";")[0],
                "X-Resource-Meta": json.dumps(dict(content.meta or {})),
                "Content-Disposition": "attachment",
            },
        )

    async def artifacts(self, request: Request) -> Any:
        caller = self.identify(request)
        owned = await self.offer.services.artifacts.list_owned(
            tenant=caller.tenant, owner=caller.user
        )
        return {
            "artifacts": [
                {
                    "id": artifact.id,
                    "uri": artifact.uri,
                    "bytes": artifact.bytes,
                    "mimeType": artifact.mime,
                    "expiresAt": rfc3339_of(artifact.expires_at),
                }
                for artifact in owned
            ]
        }

    async def crawls(self, request: Request) -> Any:
        caller = self._crawl_caller(request)
        jobs = await self.offer.services.crawling.jobs(caller)
        return {"crawls": [_crawl(job) for job in jobs[:50]]}

    async def failures(self, request: Request) -> Any:
        caller, job = self._crawl_caller(request), request.path_params["id"]
        crawling = self.offer.services.crawling
        errors = await crawling.failures(job, caller, which="errors")
        skipped = await crawling.failures(job, caller, which="skipped")
        return {
            "failures": [failure.model_dump(mode="json") for failure in errors],
            "skipped": [failure.model_dump(mode="json") for failure in skipped],
        }

    async def shown_settings(self, request: Request) -> Any:
        """Return the settings: on a local server without authentication to all, else to admins."""
        private = self.settings.auth.required or self.settings.server.host not in LOOPBACK
        if private and not self._is_admin(request):
            advice = {"kind": "auth_required", "retryable": False, "detail": "admin_key"}
            message = (
                "Only the operator may see the settings of this server. Enter the admin key."
                if self.admin
                else "The settings of this server cannot be viewed: ADMIN_API_KEY is not set."
            )
            return problem(message, advice | {"suggestedAction": "inform_user"}, status=403)
        return {"settings": as_json(effective(self.settings))}

    def _is_admin(self, request: Request) -> bool:
        key = request.headers.get("x-admin-key", "")
        return self.admin is not None and self.admin.key.check(key) != "wrong"

    def _crawl_caller(self, request: Request) -> Caller:
        """Return the caller if crawls are available and this caller may read them."""
        caller = self.identify(request)
        available = {each.tool for each in offered_operations(self.settings.server.toolsets)}
        if STATUS not in available or not allows(caller.scopes, STATUS, "crawl"):
            raise NotFoundError("Crawls are not available on this server, or not to you.")
        return caller

    async def _view(self, uri: str, caller: Caller) -> Any:
        try:
            content = await self.offer.resources.read(uri, caller, self.offer.services)
        except WebquarryError as exc:  # the page shows the other parts
            return {"problem": str(exc)}
        return json.loads(content.body)

    async def _store(self) -> dict[str, Any]:
        try:
            await self.offer.services.store.get("health:probe")
        except WebquarryError as exc:
            return {"status": "unhealthy", "reason": str(exc)}
        return {"status": "healthy"}


def routes(api: ConsoleApi) -> list[Route]:
    """Return the routes of `/v1/console`."""
    handlers: dict[str, Callable[[Request], Awaitable[Any]]] = {
        "overview": api.overview,
        "tools": api.tools,
        "resource": api.resource,
        "artifacts": api.artifacts,
        "crawls": api.crawls,
        "crawls/{id}/failures": api.failures,
        "settings": api.shown_settings,
    }
    return [
        Route(f"/v1/console/{path}", partial(_respond, handler), methods=["GET"])
        for path, handler in handlers.items()
    ]


async def _respond(handler: Callable[[Request], Awaitable[Any]], request: Request) -> Response:
    try:
        result = await handler(request)
    except WebquarryError as exc:
        return problem_of(exc)
    return result if isinstance(result, Response) else SafeJson(result)


def _tool(definition: dict[str, Any], tool: AnyTool) -> dict[str, Any]:
    """Return the definition with the argument descriptions for people instead of models."""
    schema = definition["inputSchema"]
    properties = dict(schema.get("properties", {}))
    for name, field in tool.input_model.model_fields.items():
        argument = field.alias or name
        if argument in properties:  # some schemas omit an argument
            text = argument_help(tool.name, name, field.description or "")
            properties[argument] = properties[argument] | {"description": text}
    schema = schema | {"properties": properties}
    return definition | {"inputSchema": schema, "toolset": tool.toolset}


def _crawl(job: CrawlJob) -> dict[str, Any]:
    status = crawl_summary(job).model_dump(mode="json", exclude_none=True)
    return status | {
        "kind": job.kind,
        "url": job.request.url,
        "maxPages": job.request.max_pages,
        "createdAt": rfc3339_of(job.created),
        "rate": job.progress.rate,
        "depth": job.progress.depth,
    }
