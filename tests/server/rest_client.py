"""The REST interface in this process, over the services of a test."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from tests.support import ALICE, CallHarness
from webquarry.models.caller import Caller
from webquarry.resources.resource import ResourceRegistry
from webquarry.server import rest_v1
from webquarry.server.mcp_server import ServerOffer
from webquarry.wiring.container import Services


@asynccontextmanager
async def rest_client(
    services: Services,
    *,
    toolsets: Sequence[str] = ("default",),
    caller: Caller = ALICE,
    harness: CallHarness | None = None,
) -> AsyncGenerator[httpx2.AsyncClient]:
    """Yield a client of `/v1` for these toolsets."""
    calls = harness or CallHarness((), services=services)
    offer = ServerOffer(path=calls.path, services=services, resources=ResourceRegistry(()))

    def identify(_: Request) -> Caller:
        return caller

    app = Starlette(
        routes=rest_v1.routes(
            offer, identify, toolsets=toolsets, limits=rest_v1.BodyLimits(10_000, 20_000)
        )
    )

    async def with_request_id(scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("state", {})["request_id"] = "r1"  # as the request guard does
        await app(scope, receive, send)

    transport: Any = httpx2.ASGITransport(app=with_request_id)
    async with httpx2.AsyncClient(transport=transport, base_url="http://rest.test") as client:
        yield client
