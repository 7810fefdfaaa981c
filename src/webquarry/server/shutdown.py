"""Ends open-ended streams when the server shuts down; calls may finish."""

import anyio
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LISTENING = "subscriptions/listen"


class StreamDrain:
    """Whether the server is shutting down, and the streams to cancel then."""

    def __init__(self) -> None:
        self.started = False
        self._streams: set[anyio.CancelScope] = set()

    def start(self) -> None:
        """Cancel all open-ended streams, now and later."""
        self.started = True
        for scope in tuple(self._streams):
            scope.cancel()

    def add(self, scope: anyio.CancelScope) -> None:
        """Cancel this scope at shutdown."""
        self._streams.add(scope)
        if self.started:
            scope.cancel()

    def remove(self, scope: anyio.CancelScope) -> None:
        """Forget a stream that has ended."""
        self._streams.discard(scope)


class DrainMiddleware:
    """Registers the open-ended streams of /mcp with the drain."""

    def __init__(self, app: ASGIApp, *, drain: StreamDrain) -> None:
        self._app = app
        self._drain = drain

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _is_open_ended(scope):
            await self._app(scope, receive, send)
            return
        response = _TrackedResponse(send)
        with anyio.CancelScope() as stream:
            self._drain.add(stream)
            try:
                await self._app(scope, receive, response)
            finally:
                self._drain.remove(stream)
        if stream.cancelled_caught:
            await response.finish()


class _TrackedResponse:
    """Knows whether a response is open, so that it can be ended properly."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._open = False

    async def __call__(self, message: Message) -> None:
        await self._send(message)
        self._open = message["type"] == "http.response.start" or message.get("more_body", False)

    async def finish(self) -> None:
        if self._open:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})


def _is_open_ended(scope: Scope) -> bool:
    if scope["path"].rstrip("/") != "/mcp":
        return False
    return scope["method"] == "GET" or Headers(scope=scope).get("mcp-method") == _LISTENING
