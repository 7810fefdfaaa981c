"""Serves the sample web and the stand-ins on one loopback port of this process."""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from webquarry_demo.sample_pages import DOMAIN, sample_web
from webquarry_demo.sample_registries import Registries, sample_works
from webquarry_demo.sample_search import SampleSearchEngine

_HOST = "127.0.0.1"
_KEEP_ALIVE = 75  # seconds, as of most servers
_METHODS = frozenset({"GET", "HEAD"})


@asynccontextmanager
async def sample_server() -> AsyncGenerator[int]:
    """Serve until the end of the block; yields the port."""
    listener = socket.create_server((_HOST, 0), backlog=128)
    port: int = listener.getsockname()[1]
    config = uvicorn.Config(
        sample_app(port),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=1,
    )
    server = _Server(config)
    serving = asyncio.ensure_future(server.serve(sockets=[listener]))
    try:
        yield port
    finally:
        server.should_exit = True
        with contextlib.suppress(asyncio.CancelledError):
            await serving


def sample_app(port: int) -> ASGIApp:
    """Return the application: the host selects a site, otherwise the path a stand-in."""
    web = sample_web()
    engine = SampleSearchEngine(web)
    registries = Registries(sample_works(), port)

    def respond(request: Request) -> Response:
        if request.method not in _METHODS:
            return Response("Only GET and HEAD.", 405)
        site, _, domain = (request.url.hostname or "").rpartition(".")
        if domain == DOMAIN and site:
            response = web.respond(site, request.url.path, port)
            headers = {"location": response.location} if response.location else None
            return Response(response.body, response.status, headers, response.media_type)
        name, _, path = request.url.path.lstrip("/").partition("/")
        if name == "searxng":
            return _searxng(engine, path, request, port)
        status, body = registries.respond(name, path, request.query_params)
        if isinstance(body, str):
            return Response(body, status, media_type="text/plain")
        return _json(body, status)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await respond(Request(scope))(scope, receive, send)

    return app


def _searxng(engine: SampleSearchEngine, path: str, request: Request, port: int) -> Response:
    if path == "healthz":
        return Response("OK", media_type="text/plain")
    if path != "search":
        return Response("Not found", 404)
    return _json(engine.respond(request.query_params, port), 200)


def _json(body: object, status: int) -> Response:
    return Response(json.dumps(body), status, media_type="application/json")


class _Server(uvicorn.Server):
    """Does not handle signals; the demo does."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave signal handling to the caller."""
        yield
