"""Tells subscribed clients that a resource has changed, in both protocol eras."""

from typing import Any

import mcp_types as types
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated

Context = ServerRequestContext[Any, Any]


class Subscriptions:
    """Who wants to hear about which URI."""

    def __init__(self) -> None:
        self._bus = InMemorySubscriptionBus()
        self.listen = ListenHandler(self._bus)  # 2026-07-28: a stream per subscription
        # Until 2025-11-25 a subscription belongs to the connection and ends with it.
        self._wanted: dict[Connection, dict[str, ServerSession]] = {}

    async def subscribe(
        self, ctx: Context, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        """Note that this connection wants to hear about the URI."""
        connection = _connection(ctx)
        if connection not in self._wanted:
            self._wanted[connection] = {}
            connection.exit_stack.callback(self._wanted.pop, connection, None)
        self._wanted[connection][str(params.uri)] = ctx.session
        return types.EmptyResult()

    async def unsubscribe(
        self, ctx: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """Forget that this connection wanted to hear about the URI."""
        self._wanted.get(_connection(ctx), {}).pop(str(params.uri), None)
        return types.EmptyResult()

    async def updated(self, uri: str) -> None:
        """Tell everyone subscribed to `uri` that it has changed."""
        await self._bus.publish(ResourceUpdated(uri=uri))
        for wanted in list(self._wanted.values()):
            if session := wanted.get(uri):
                await session.send_resource_updated(uri)


def _connection(ctx: Context) -> Connection:
    # the SDK has no public way from a request to its connection
    return ctx.session._connection  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
