"""The HTTP server: MCP at /mcp, REST at /v1, the console at /, health and metrics."""

import hmac
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from webquarry.errors import AccessError, WebquarryError
from webquarry.models.caller import Caller
from webquarry.server import admin as admin_api
from webquarry.server import console, llms_txt, monitor_feeds, rest, rest_v1
from webquarry.server.access_control import (
    METADATA,
    AccessMiddleware,
    AccessRules,
    caller_of,
    public_base_url,
)
from webquarry.server.admin import AdminApi
from webquarry.server.compat import VENDORS
from webquarry.server.compat.vendor_context import vendor_context
from webquarry.server.compat.vendor_routes import VendorMiddleware, check_vendors
from webquarry.server.compat.vendor_routes import routes as vendor_routes
from webquarry.server.mcp_server import Context, ServerOffer, build_server
from webquarry.server.problem_details import problem
from webquarry.server.request_errors import error_handlers
from webquarry.server.request_guard import RequestGuard
from webquarry.server.shutdown import DrainMiddleware, StreamDrain
from webquarry.settings.load import Settings


@dataclass(frozen=True, kw_only=True)
class HttpControls:
    """What the settings decide about the HTTP server: access, admin API, shutdown."""

    access: AccessRules
    admin: AdminApi | None = None  # None: there is no /admin
    drain: StreamDrain = field(default_factory=StreamDrain)


def build_starlette(offer: ServerOffer, settings: Settings, controls: HttpControls) -> Starlette:
    """Return the ASGI application for `offer`."""
    check_vendors(VENDORS, settings.compat)
    max_body = settings.server.max_request_body_bytes
    mcp = build_server(offer, _identify_mcp, shared=controls.access.authenticator is None)
    manager = StreamableHTTPSessionManager(
        mcp,
        max_request_body_size=max_body,
        # sessions are kept in one process, and the next request may reach another one
        stateless=settings.http.workers > 1 or bool(settings.cache.redis_url),
    )
    endpoint = StreamableHTTPASGIApp(manager)
    return Starlette(
        routes=[
            Route("/mcp", endpoint),
            Route("/mcp/", endpoint),  # many clients add the slash and do not follow redirects
            *vendor_routes(VENDORS, vendor_context(offer, settings, _identify_rest)),
            *rest.routes(offer.path, _identify_rest, max_body=max_body),
            *rest_v1.routes(
                offer,
                _identify_rest,
                toolsets=settings.server.toolsets,
                limits=rest_v1.BodyLimits(max_body, settings.server.max_upload_bytes),
            ),
            *monitor_feeds.routes(offer, settings.auth.public_url),
            *console.routes(offer, settings, _identify_rest, controls.admin),
            *llms_txt.routes(),
            *_health(offer, controls.drain),
            *_metrics(offer, settings, controls),
            *_metadata(offer, settings),
            *(admin_api.routes(controls.admin) if controls.admin else ()),
        ],
        middleware=[
            Middleware(
                VendorMiddleware, vendors=VENDORS, settings=settings.compat, max_body=max_body
            ),
            Middleware(
                RequestGuard,
                server=settings.server,
                http=settings.http,
                other_hosts=settings.compat.vendors_by_host,
            ),
            Middleware(AccessMiddleware, rules=controls.access),
            Middleware(DrainMiddleware, drain=controls.drain),
        ],
        exception_handlers=error_handlers(),
        lifespan=_lifespan(manager),
    )


def _lifespan(manager: StreamableHTTPSessionManager) -> Any:
    @asynccontextmanager
    async def run(_: Starlette) -> AsyncGenerator[None]:
        async with manager.run():
            yield

    return run


def _health(offer: ServerOffer, drain: StreamDrain) -> list[Route]:
    async def live(_: Request) -> Response:
        return PlainTextResponse("ok")

    async def ready(_: Request) -> Response:
        if drain.started:
            return JSONResponse({"status": "unhealthy", "reason": "shutting down"}, 503)
        try:
            await offer.services.store.get("health:probe")
        except WebquarryError as exc:
            return JSONResponse({"status": "unhealthy", "reason": str(exc)}, 503)
        return JSONResponse({"status": "healthy"})

    return [Route("/health/live", live), Route("/health/ready", ready)]


def _metrics(offer: ServerOffer, settings: Settings, controls: HttpControls) -> list[Route]:
    token = settings.auth.metrics_token

    async def metrics(request: Request) -> Response:
        if not allowed(request):
            challenge = {"WWW-Authenticate": 'Bearer realm="webquarry metrics"'}
            text = "Send METRICS_TOKEN as a bearer token, or the admin key as X-Admin-Key."
            return problem(text, AccessError(text).block(), status=401, headers=challenge)
        return PlainTextResponse(
            offer.services.metrics.prometheus(), media_type="text/plain; version=0.0.4"
        )

    def allowed(request: Request) -> bool:
        if not token and not settings.auth.required:
            return True
        credential = request.headers.get("authorization", "").encode()
        if token and hmac.compare_digest(credential, f"Bearer {token}".encode()):
            return True
        key = request.headers.get("x-admin-key", "")
        return controls.admin is not None and controls.admin.key.check(key) != "wrong"

    return [Route("/metrics", metrics)] if settings.http.metrics_enabled else []


def _metadata(offer: ServerOffer, settings: Settings) -> list[Route]:
    """Return the routes of the OAuth protected resource metadata (RFC 9728)."""
    issuer = settings.auth.oauth_issuer_url
    if not issuer:
        return []

    async def metadata(request: Request) -> Response:
        base = public_base_url(request, settings.auth.public_url)
        tools = offer.path.registry.tools()
        toolsets = sorted({f"toolset:{tool.toolset}" for tool in tools})
        tool_scopes = [f"tool:{tool.name}" for tool in tools]
        return JSONResponse(
            {
                "resource": f"{base}/mcp",
                "resource_name": "Webquarry",
                "authorization_servers": [issuer],
                "bearer_methods_supported": ["header"],
                "scopes_supported": [
                    *settings.auth.required_scopes, "research", "tool:*", *toolsets, *tool_scopes
                ],
            },
            headers={"Cache-Control": "max-age=3600"},
        )  # fmt: skip

    return [Route(METADATA, metadata), Route(f"{METADATA}/mcp", metadata)]


def _identify_mcp(ctx: Context) -> Caller:
    return caller_of(ctx.request, "http")


def _identify_rest(request: Request) -> Caller:
    return caller_of(request, "rest")
