"""The REST interface in this process, over services a test chooses."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from tests.support import ALICE, Desk
from webquarry.models.caller import Caller
from webquarry.resources.resource import ResourceRegistry
from webquarry.server import rest_v1
from webquarry.server.mcp_server import ServerOffer
from webquarry.services import Services


@asynccontextmanager
async def rest_client(
    services: Services,
    *,
    toolsets: Sequence[str] = ("default",),
    caller: Caller = ALICE,
    desk: Desk | None = None,
) -> AsyncGenerator[httpx2.AsyncClient]:
    """Yield a client of `/v1` for these toolsets."""
    at = desk or Desk((), services=services)
    offer = ServerOffer(path=at.path, services=services, library=ResourceRegistry(()))

    def identify(_: Request) -> Caller:
        return caller

    app = Starlette(routes=rest_v1.routes(offer, identify, toolsets=toolsets, max_body=10_000))

    async def numbered(scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("state", {})["request_id"] = "r1"  # as the gate does
        await app(scope, receive, send)

    transport: Any = httpx2.ASGITransport(app=numbered)
    async with httpx2.AsyncClient(transport=transport, base_url="http://rest.test") as client:
        yield client
