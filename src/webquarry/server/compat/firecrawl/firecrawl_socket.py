"""The WebSocket of a crawl or batch: its state and pages as they come.

Each message is made from a response of the HTTP API, requested inside this process with the
headers of the client. So hosts, origins, credentials, limits and owners are checked as for any
request, and again for each message.
"""

import asyncio
import json
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from webquarry.content.text.token_count import compact_json

Json = dict[str, Any]
_SECONDS = 1.0  # between two looks at a job
_POLICY = 1008  # close code: the request was refused
_OK = 200


async def serve_socket(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one WebSocket until the job has ended or the client has gone."""
    await receive()  # the handshake
    offered: list[str] = scope.get("subprotocols") or []
    as_request = _JobRequest(app, _http_scope(scope, offered))
    status, body = await as_request.page(0)
    if status != _OK:
        # after the handshake, because clients see no reason before it
        await send({"type": "websocket.accept", "subprotocol": offered[0] if offered else None})
        await _tell(send, {"type": "error", "error": body.get("error", f"HTTP {status}")})
        await send({"type": "websocket.close", "code": _POLICY})
        return
    await send({"type": "websocket.accept", "subprotocol": offered[0] if offered else None})
    gone = asyncio.ensure_future(_wait_until_gone(receive))
    try:
        await _follow(as_request, body, send, gone)
    finally:
        gone.cancel()


async def _follow(
    request: "_JobRequest", first: Json, send: Send, gone: "asyncio.Future[None]"
) -> None:
    await _tell(send, {"type": "catchup", "data": first})
    seen, body = len(first["data"]), first
    while not (_has_ended(body) and "next" not in body):
        await asyncio.wait({gone}, timeout=0 if body["data"] else _SECONDS)
        if gone.done():
            return
        status, body = await request.page(seen)
        if status != _OK:
            await _tell(send, {"type": "error", "error": body.get("error", f"HTTP {status}")})
            break
        for page in body["data"]:
            await _tell(send, {"type": "document", "data": page})
        seen += len(body["data"])
    else:
        await _tell(send, _ending(body))
    await send({"type": "websocket.close", "code": 1000})


def _has_ended(body: Json) -> bool:
    return body["status"] != "scraping"


def _ending(body: Json) -> Json:
    """Return the last message: all pages were sent before."""
    if body["status"] == "completed":
        return {"type": "done", "data": body | {"data": []}}
    reason = body.get("warning") or f"The job is {body['status']}."
    return {"type": "error", "error": reason}


async def _tell(send: Send, message: Json) -> None:
    text = compact_json(message).encode("utf-8", "replace").decode()
    await send({"type": "websocket.send", "text": text})


async def _wait_until_gone(receive: Receive) -> None:
    """Wait until the client closes; what it says is not read."""
    while (await receive())["type"] != "websocket.disconnect":
        pass


def _http_scope(scope: Scope, offered: list[str]) -> MutableMapping[str, Any]:
    """Return the scope of a GET request for the same job."""
    request = {**scope, "type": "http", "method": "GET", "headers": list(scope["headers"])}
    request["scheme"] = "https" if scope.get("scheme") == "wss" else "http"
    headers = MutableHeaders(scope=request)
    if offered and "authorization" not in headers:
        # browsers cannot send headers, so the client sends its key as a subprotocol
        headers["authorization"] = f"Bearer {offered[0]}"
    return request


@dataclass(frozen=True)
class _JobRequest:
    """Requests the state of a job inside this process."""

    app: ASGIApp
    scope: MutableMapping[str, Any]

    async def page(self, skip: int) -> tuple[int, Json]:
        """Return the status and the body of a response."""
        answer = _Answer()
        query = f"skip={skip}".encode()
        state = dict(self.scope.get("state", {}))
        await self.app({**self.scope, "query_string": query, "state": state}, _no_body, answer)
        return answer.status, json.loads(answer.body)


@dataclass
class _Answer:
    """Collects a response."""

    status: int = 500
    parts: list[bytes] = field(default_factory=list[bytes])

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif message["type"] == "http.response.body":
            self.parts.append(message.get("body", b""))

    @property
    def body(self) -> bytes:
        return b"".join(self.parts)


async def _no_body() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}
