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

from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.server import admin, console, llms_txt, rest, rest_v1
from webquarry.server.access_control import METADATA, Access, AccessRules, caller_of, resource_base
from webquarry.server.mcp_server import Context, ServerOffer, build_server
from webquarry.server.request_guard import RequestGuard
from webquarry.server.shutdown import DrainMiddleware, StreamDrain
from webquarry.settings.load import Settings


@dataclass(frozen=True, kw_only=True)
class HttpApp:
    """Who may come in, and who may look behind the scenes."""

    access: AccessRules
    desk: admin.AdminApi | None = None  # None: there is no /admin
    drain: StreamDrain = field(default_factory=StreamDrain)


def build_http(offer: ServerOffer, settings: Settings, house: HttpApp) -> Starlette:
    """Return the ASGI application for `offer`."""
    most = settings.server.max_request_body_bytes
    mcp = build_server(offer, _identify_mcp, shared=house.access.door is None)
    manager = StreamableHTTPSessionManager(
        mcp,
        max_request_body_size=most,
        # a session lives in one process, and the next request may meet another
        stateless=settings.http.workers > 1 or bool(settings.cache.redis_url),
    )
    endpoint = StreamableHTTPASGIApp(manager)
    return Starlette(
        routes=[
            Route("/mcp", endpoint),
            Route("/mcp/", endpoint),  # many clients add the slash, few follow a redirect
            *rest.routes(offer.path, _identify_rest, max_body=most),
            *rest_v1.routes(
                offer, _identify_rest, toolsets=settings.server.toolsets, max_body=most
            ),
            *console.routes(offer, settings, _identify_rest, house.desk),
            *llms_txt.routes(),
            *_health(offer, house.drain),
            *_metrics(offer, settings, house),
            *_metadata(offer, settings),
            *(admin.routes(house.desk) if house.desk else ()),
        ],
        middleware=[
            Middleware(RequestGuard, server=settings.server, http=settings.http),
            Middleware(Access, rules=house.access),
            Middleware(DrainMiddleware, drain=house.drain),
        ],
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
        if drain.begun:
            return JSONResponse({"status": "unhealthy", "reason": "it is stopping"}, 503)
        try:
            await offer.services.store.get("health:probe")
        except WebquarryError as exc:
            return JSONResponse({"status": "unhealthy", "reason": str(exc)}, 503)
        return JSONResponse({"status": "healthy"})

    return [Route("/health/live", live), Route("/health/ready", ready)]


def _metrics(offer: ServerOffer, settings: Settings, house: HttpApp) -> list[Route]:
    token = settings.auth.metrics_token

    async def metrics(request: Request) -> Response:
        if not allowed(request):
            challenge = {"WWW-Authenticate": 'Bearer realm="webquarry metrics"'}
            return PlainTextResponse("METRICS_TOKEN or the admin key is needed\n", 401, challenge)
        return PlainTextResponse(
            offer.services.metrics.prometheus(), media_type="text/plain; version=0.0.4"
        )

    def allowed(request: Request) -> bool:
        if not token and not settings.auth.demanded:
            return True
        given = request.headers.get("authorization", "").encode()
        if token and hmac.compare_digest(given, f"Bearer {token}".encode()):
            return True
        key = request.headers.get("x-admin-key", "")
        return house.desk is not None and house.desk.key.check(key) != "wrong"

    return [Route("/metrics", metrics)] if settings.http.metrics_enabled else []


def _metadata(offer: ServerOffer, settings: Settings) -> list[Route]:
    """Return where clients learn whose tokens we accept (RFC 9728)."""
    issuer = settings.auth.oauth_issuer_url
    if not issuer:
        return []

    async def metadata(request: Request) -> Response:
        base = resource_base(request, settings.auth.public_url)
        tools = offer.path.registry.tools()
        toolsets = sorted({f"toolset:{tool.toolset}" for tool in tools})
        named = [f"tool:{tool.name}" for tool in tools]
        return JSONResponse(
            {
                "resource": f"{base}/mcp",
                "resource_name": "Webquarry",
                "authorization_servers": [issuer],
                "bearer_methods_supported": ["header"],
                "scopes_supported": [
                    *settings.auth.required_scopes, "research", "tool:*", *toolsets, *named
                ],
            },
            headers={"Cache-Control": "max-age=3600"},
        )  # fmt: skip

    return [Route(METADATA, metadata), Route(f"{METADATA}/mcp", metadata)]


def _identify_mcp(ctx: Context) -> Caller:
    return caller_of(ctx.request, "http")


def _identify_rest(request: Request) -> Caller:
    return caller_of(request, "rest")
