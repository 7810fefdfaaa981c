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
from webquarry.calls.registry import TOOLSETS
from webquarry.content.text.token_count import estimate_tokens, json_size
from webquarry.errors import (
    AccessError,
    Advice,
    BadInputError,
    ForbiddenError,
    NotFoundError,
    WebquarryError,
)
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlJob
from webquarry.server.admin import AdminApi
from webquarry.server.console.artifact_title import artifact_title
from webquarry.server.console.console_home import HomeApi, Identify
from webquarry.server.console.provider_keys import ProviderKeysApi
from webquarry.server.console.tool_menus import described_tool, menu_choices
from webquarry.server.exposure import LOOPBACK
from webquarry.server.mcp_server import ServerOffer
from webquarry.server.problem_details import SafeJson, problem_of
from webquarry.server.rest_operations import CHECK, STATUS, offered_operations
from webquarry.services.cinder.cinder_crawls import crawl_summary, rfc3339_of
from webquarry.settings.load import Settings
from webquarry.settings.show import as_json, effective
from webquarry.settings.tree import declarations
from webquarry.storage.artifacts import Artifact
from webquarry.version import __version__

Handler = Callable[[Request], Awaitable[Any]]
_HEALTH = "diagnostics://health"
_OVERVIEW = {  # the resources on the overview page
    "providers": "stats://providers",
    "health": _HEALTH,
    "sessions": "stats://sessions",
    "limits": "stats://rate-limits",
    "tools": "stats://tools",
    "errors": "diagnostics://errors/recent",
}
_TOOLSETS = {STATUS: "crawl", CHECK: "trust"}
_ADMIN_KEY = {"detail": "admin_key"}
_ENTER_KEY = "Only the operator may see the settings of this server. Enter the admin key."
_NO_KEY = "The settings of this server cannot be viewed: ADMIN_API_KEY is not set."


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
        """Return the tools that the caller may use, described for people."""
        registry = self.offer.path.registry
        tools = {tool.name: tool for tool in registry.tools()}
        caller = self.identify(request)
        allowed = registry.definitions_for(caller)
        choices = await menu_choices(self.offer.completers, caller)
        return {
            "tools": [described_tool(each, tools[each["name"]], choices) for each in allowed],
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
                    "title": await self._title(artifact, caller),
                    "uri": artifact.uri,
                    "bytes": artifact.bytes,
                    "mimeType": artifact.mime,
                    "expiresAt": rfc3339_of(artifact.expires_at),
                }
                for artifact in owned
            ]
        }

    async def _title(self, artifact: Artifact, caller: Caller) -> str:
        stored = await self.offer.services.artifacts.read(
            artifact.id, tenant=caller.tenant, owner=caller.user
        )
        return artifact_title(artifact.mime, stored.chunk)

    async def delete_session(self, request: Request) -> Any:
        session_id = request.path_params["id"]
        caller, services = self.identify(request), self.offer.services
        await services.sessions.delete(caller, session_id)
        group = f"session.{session_id}"
        await services.capturing.erase_group(caller.tenant, caller.user, group)
        return {"deleted": session_id}

    async def crawls(self, request: Request) -> Any:
        caller = self._caller_with(request, STATUS, "Crawls")
        jobs = await self.offer.services.crawling.jobs(caller)
        return {"crawls": [_crawl(job) for job in jobs[:50]]}

    async def checks(self, request: Request) -> Any:
        """Return the checks of documents of the caller, the newest first."""
        caller = self._caller_with(request, CHECK, "Checks of documents")
        jobs = await self.offer.services.document_checks.jobs(caller)
        shown = [job.status().model_dump(mode="json", exclude_none=True) for job in jobs]
        return {"checks": shown[:50], "maxBytes": self.settings.server.max_upload_bytes}

    async def failures(self, request: Request) -> Any:
        caller, job = self._caller_with(request, STATUS, "Crawls"), request.path_params["id"]
        crawling = self.offer.services.crawling
        errors = await crawling.failures(job, caller, which="errors")
        skipped = await crawling.failures(job, caller, which="skipped")
        return {
            "failures": [failure.model_dump(mode="json") for failure in errors],
            "skipped": [failure.model_dump(mode="json") for failure in skipped],
        }

    def require_operator(self, request: Request) -> None:
        """Raise unless the caller is an admin, or the server local and without authentication."""
        private = self.settings.auth.required or self.settings.server.host not in LOOPBACK
        if private and not self._is_admin(request):
            raise OperatorOnlyError(_ENTER_KEY if self.admin else _NO_KEY, details=_ADMIN_KEY)

    async def shown_settings(self, request: Request) -> Any:
        """Return all settings with their descriptions."""
        self.require_operator(request)
        table = declarations(self.settings.declared)
        rows = as_json(effective(self.settings))
        texts = {name: each.variable for name, each in table.items()}
        return {
            "settings": [
                row
                | {
                    "description": texts[str(row["name"])].description,
                    "accepts": texts[str(row["name"])].kind.accepts,
                }
                for row in rows
            ]
        }

    def _is_admin(self, request: Request) -> bool:
        key = request.headers.get("x-admin-key", "")
        return self.admin is not None and self.admin.key.check(key) != "wrong"

    def _caller_with(self, request: Request, tool: str, noun: str) -> Caller:
        """Return the caller if a tool is available and this caller may use it."""
        caller = self.identify(request)
        available = {each.tool for each in offered_operations(self.settings.server.toolsets)}
        if tool not in available or not allows(caller.scopes, tool, _TOOLSETS[tool]):
            raise NotFoundError(f"{noun} are not available on this server, or not to you.")
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


class OperatorOnlyError(AccessError):
    """Only the operator of the server may do this."""

    advice = Advice("auth_required", retryable=False, action="inform_user")


def routes(api: ConsoleApi, home: HomeApi, keys: ProviderKeysApi) -> list[Route]:
    """Return the routes of `/v1/console`."""
    handlers: dict[str, Handler] = {
        "overview": api.overview,
        "tools": api.tools,
        "resource": api.resource,
        "artifacts": api.artifacts,
        "crawls": api.crawls,
        "checks": api.checks,
        "crawls/{id}/failures": api.failures,
        "settings": api.shown_settings,
        "home": home.home,
        "providers": keys.providers,
    }
    changes: dict[tuple[str, str], Handler] = {
        ("POST", "keys"): keys.add_key,
        ("DELETE", "sessions/{id}"): api.delete_session,
    }
    reads: dict[tuple[str, str], Handler] = {("GET", path): each for path, each in handlers.items()}
    return [
        Route(f"/v1/console/{path}", partial(_respond, handler), methods=[method])
        for (method, path), handler in (reads | changes).items()
    ]


async def _respond(handler: Handler, request: Request) -> Response:
    try:
        result = await handler(request)
    except (ForbiddenError, OperatorOnlyError) as exc:
        return problem_of(exc, status=403)
    except WebquarryError as exc:
        return problem_of(exc)
    return result if isinstance(result, Response) else SafeJson(result)


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
