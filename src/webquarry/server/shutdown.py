"""Ends the streams that never end by themselves, when the server stops; calls may finish."""

import anyio
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LISTENING = "subscriptions/listen"


class StreamDrain:
    """Whether the server is stopping, and what waits for it."""

    def __init__(self) -> None:
        self.begun = False
        self._waiting: set[anyio.CancelScope] = set()

    def begin(self) -> None:
        """Take nothing new and let go of those who only listen."""
        self.begun = True
        for scope in tuple(self._waiting):
            scope.cancel()

    def add(self, scope: anyio.CancelScope) -> None:
        """Let go of this one when it begins."""
        self._waiting.add(scope)
        if self.begun:
            scope.cancel()

    def remove(self, scope: anyio.CancelScope) -> None:
        """Forget one that ended by itself."""
        self._waiting.discard(scope)


class DrainMiddleware:
    """Keeps an eye on the streams of news at /mcp."""

    def __init__(self, app: ASGIApp, *, drain: StreamDrain) -> None:
        self._app = app
        self._drain = drain

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _endless(scope):
            await self._app(scope, receive, send)
            return
        answer = _Answer(send)
        with anyio.CancelScope() as waiting:
            self._drain.add(waiting)
            try:
                await self._app(scope, receive, answer)
            finally:
                self._drain.remove(waiting)
        if waiting.cancelled_caught:
            await answer.finish()


class _Answer:
    """Knows how far an answer has come, so that it can be ended properly."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._open = False

    async def __call__(self, message: Message) -> None:
        await self._send(message)
        self._open = message["type"] == "http.response.start" or message.get("more_body", False)

    async def finish(self) -> None:
        if self._open:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})


def _endless(scope: Scope) -> bool:
    if scope["path"].rstrip("/") != "/mcp":
        return False
    return scope["method"] == "GET" or Headers(scope=scope).get("mcp-method") == _LISTENING
