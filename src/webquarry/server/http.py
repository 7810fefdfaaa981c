"""The HTTP server: MCP at /mcp, REST at /v1, the console at /, health and metrics."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from webquarry.models.caller import Caller
from webquarry.server import console, rest
from webquarry.server.gate import Gate
from webquarry.server.protocol import Context, Offer, build_server
from webquarry.settings.groups.server import Server as ServerSettings


def build_http(offer: Offer, settings: ServerSettings) -> Starlette:
    """Return the ASGI application for `offer`."""
    mcp = build_server(offer, _identify_mcp)
    manager = StreamableHTTPSessionManager(
        mcp, max_request_body_size=settings.max_request_body_bytes
    )
    endpoint = StreamableHTTPASGIApp(manager)
    return Starlette(
        routes=[
            Route("/mcp", endpoint),
            Route("/mcp/", endpoint),  # many clients add the slash, few follow a redirect
            *rest.routes(offer.path, _identify_rest, max_body=settings.max_request_body_bytes),
            *console.routes(offer),
            *_health(offer),
        ],
        middleware=[
            Middleware(
                Gate,
                hosts=(settings.host, *settings.allowed_hosts),
                origins=settings.allowed_origins,
            )
        ],
        lifespan=_lifespan(manager),
    )


def _lifespan(manager: StreamableHTTPSessionManager) -> Any:
    @asynccontextmanager
    async def run(_: Starlette) -> AsyncGenerator[None]:
        async with manager.run():
            yield

    return run


def _health(offer: Offer) -> list[Route]:
    async def live(_: Request) -> Response:
        return PlainTextResponse("ok")

    async def ready(_: Request) -> Response:
        await offer.services.store.get("health:probe")  # the store answers, or this is a 500
        return JSONResponse({"status": "healthy"})

    async def metrics(_: Request) -> Response:
        return PlainTextResponse(offer.services.metrics.prometheus(), media_type="text/plain")

    return [
        Route("/health/live", live),
        Route("/health/ready", ready),
        Route("/metrics", metrics),
    ]


def _identify_mcp(ctx: Context) -> Caller:
    return _caller(ctx.request, "http")


def _identify_rest(request: Request) -> Caller:
    return _caller(request, "rest")


def _caller(request: Request | None, transport: Any) -> Caller:
    address = request.client.host if request is not None and request.client else None
    return Caller(transport=transport, address=address)
