"""Notifies subscribed clients of changed resources, in all protocol revisions."""

from collections.abc import Callable
from typing import Any

import mcp_types as types
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated

Context = ServerRequestContext[Any, Any]


class Subscriptions:
    """The subscriptions of clients to resource URIs."""

    def __init__(self) -> None:
        self.on_subscribed: Callable[[str], None] = lambda uris: None
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus)
        # until 2025-11-25: subscriptions belong to the connection and end with it
        self._by_connection: dict[Connection, dict[str, ServerSession]] = {}

    async def listen(
        self, ctx: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Open the stream of one subscription, as clients do since 2026-07-28."""
        self.on_subscribed(params.model_dump_json())
        return await self._listen(ctx, params)

    async def subscribe(
        self, ctx: Context, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        """Add the subscription of this connection."""
        self.on_subscribed(str(params.uri))
        connection = _connection(ctx)
        if connection not in self._by_connection:
            self._by_connection[connection] = {}
            connection.exit_stack.callback(self._by_connection.pop, connection, None)
        self._by_connection[connection][str(params.uri)] = ctx.session
        return types.EmptyResult()

    async def unsubscribe(
        self, ctx: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """Remove the subscription of this connection."""
        self._by_connection.get(_connection(ctx), {}).pop(str(params.uri), None)
        return types.EmptyResult()

    async def updated(self, uri: str) -> None:
        """Notify all clients subscribed to `uri` that it has changed."""
        await self._bus.publish(ResourceUpdated(uri=uri))
        for sessions in list(self._by_connection.values()):
            if session := sessions.get(uri):
                await session.send_resource_updated(uri)


def _connection(ctx: Context) -> Connection:
    # the SDK has no public attribute for the connection of a request
    return ctx.session._connection  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
