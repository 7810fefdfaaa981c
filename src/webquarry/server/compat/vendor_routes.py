"""The routes of all vendors' APIs, and the middleware that brings requests to them."""

import json
from collections.abc import Sequence
from typing import Any, cast

from starlette.datastructures import Headers, MutableHeaders
from starlette.routing import BaseRoute, Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from webquarry.content.text.token_count import compact_json
from webquarry.errors import InternalError, SettingsError
from webquarry.server.access_control import JOB_PATHS
from webquarry.server.compat.vendor_api import VendorApi
from webquarry.server.compat.vendor_context import MOUNT, VendorContext
from webquarry.server.problem_details import MEDIA_TYPE, problem_body
from webquarry.server.request_guard import host_name
from webquarry.settings.groups.compat import CompatSettings

_OWN_PATHS = ("/compat/", "/health/")  # at every host


def routes(vendors: Sequence[VendorApi], context: VendorContext) -> list[BaseRoute]:
    """Return the routes of the vendors' APIs."""
    return [Mount(vendor.prefix, routes=vendor.routes(context)) for vendor in vendors]


def check_vendors(vendors: Sequence[VendorApi], settings: CompatSettings) -> None:
    """Raise if the settings name an unknown vendor, or two with the same path at the root."""
    known = {vendor.name: vendor for vendor in vendors}
    named = {"COMPAT_ROOT": settings.root, "COMPAT_HOSTS": settings.vendors_by_host.values()}
    for setting, names in named.items():
        if unknown := sorted(set(names) - known.keys()):
            raise SettingsError(
                f"{setting} names unknown vendors: {', '.join(unknown)}; "
                f"choose from {', '.join(known)}"
            )
    paths = [path for name in settings.root for path in known[name].root_paths]
    if twice := sorted({path for path in paths if paths.count(path) > 1}):
        raise SettingsError(
            f"COMPAT_ROOT names vendors that share the path {twice[0]}; give each a host name in "
            "COMPAT_HOSTS instead"
        )


class VendorMiddleware:
    """Brings requests of vendors' clients to their routes; errors get the vendor's form."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        vendors: Sequence[VendorApi],
        settings: CompatSettings,
        max_body: int,
    ) -> None:
        self._app = app
        self._vendors = {vendor.name: vendor for vendor in vendors}
        self._hosts = settings.vendors_by_host
        self._root = [self._vendors[name] for name in settings.root]
        self._max_body = max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        vendor = self._vendor(scope)
        if scope["type"] == "websocket":
            await self._serve_socket(vendor, scope, receive, send)
        elif vendor is None:
            await self._app(scope, receive, send)
        else:
            await self._serve(vendor, _moved(scope, vendor), receive, send)

    async def _serve_socket(
        self, vendor: VendorApi | None, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Serve a WebSocket through HTTP requests to this middleware; refuse all others."""
        if vendor is None or vendor.socket is None:
            await receive()
            await send({"type": "websocket.close", "code": 1000})
            return
        await vendor.socket(self, scope, receive, send)

    async def _serve(self, vendor: VendorApi, scope: Scope, receive: Receive, send: Send) -> None:
        receive = await _with_key(scope, receive, vendor.key_field, self._max_body)
        response = _VendorResponse(send, vendor)
        try:
            await self._app(scope, receive, response)
        except Exception:
            # the handler of the application logs it; its response has not this form
            await response.fail(str(scope.get("state", {}).get("request_id", "")))
            raise

    def _vendor(self, scope: Scope) -> VendorApi | None:
        """Return the vendor whose client sent the request."""
        path: str = scope["path"]
        for vendor in self._vendors.values():
            if path == vendor.prefix or path.startswith(f"{vendor.prefix}/"):
                return vendor
        if path.startswith(_OWN_PATHS):
            return None
        host = host_name(Headers(scope=scope).get("host", "")) if self._hosts else ""
        if name := self._hosts.get(host):
            return self._vendors[name]
        return next((v for v in self._root if path.startswith(v.root_paths)), None)


def _moved(scope: Scope, vendor: VendorApi) -> Scope:
    """Return the scope with the path below `/compat`, from wherever the client sent it."""
    jobs = tuple(f"{vendor.prefix}{path}" for path in vendor.job_paths)
    if scope["path"].startswith(vendor.prefix):
        return {**scope, MOUNT: vendor.prefix, JOB_PATHS: jobs}
    return {**scope, "path": f"{vendor.prefix}{scope['path']}", MOUNT: "", JOB_PATHS: jobs}


async def _with_key(scope: Scope, receive: Receive, field: str, max_body: int) -> Receive:
    """Put the API key into the one header that authentication reads."""
    headers = MutableHeaders(scope=scope)
    scope["headers"] = headers.raw
    bearer, key = headers.get("authorization", ""), headers.get("x-api-key")
    if bearer and key and bearer.partition(" ")[2] == key:
        del headers["x-api-key"]  # some clients send it twice
    if not field or bearer or key or "json" not in headers.get("content-type", ""):
        return receive
    messages, body = await _read(receive, max_body)
    if (sent := _key_in(body, field)) is not None:
        headers["authorization"] = f"Bearer {sent}"
    return _Replayed(messages, receive)


async def _read(receive: Receive, max_body: int) -> tuple[list[Message], bytes]:
    """Return the messages of a body, up to its largest size, and what they contain."""
    messages: list[Message] = []
    size = 0
    while not messages or messages[-1].get("more_body"):
        messages.append(await receive())
        size += len(messages[-1].get("body", b""))
        if size > max_body:
            break
    return messages, b"".join(message.get("body", b"") for message in messages)


class _Replayed:
    """Receives messages that were read before, then the others."""

    def __init__(self, messages: list[Message], receive: Receive) -> None:
        self._messages = messages
        self._receive = receive

    async def __call__(self) -> Message:
        return self._messages.pop(0) if self._messages else await self._receive()


def _key_in(body: bytes, field: str) -> str | None:
    try:
        parsed: Any = json.loads(body)
    except (ValueError, RecursionError):
        return None  # the handler reports it
    key = cast("dict[str, Any]", parsed).get(field) if isinstance(parsed, dict) else None
    usable = isinstance(key, str) and key.isascii() and key.isprintable()
    return cast("str", key) if usable and key else None


class _VendorResponse:
    """Replaces the problems in responses by errors as the vendor sends them."""

    def __init__(self, send: Send, vendor: VendorApi) -> None:
        self._send = send
        self._vendor = vendor
        self._start: Message | None = None  # of a problem whose body is to come
        self._body = b""
        self._started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._started = True
            if Headers(raw=message["headers"]).get("content-type", "").startswith(MEDIA_TYPE):
                self._start = message
                return
        elif self._start and message["type"] == "http.response.body":
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_error(self._start, json.loads(self._body))
            return
        await self._send(message)

    async def fail(self, request_id: str) -> None:
        """Report a bug in this server, if no response was begun."""
        if self._started:
            return
        error = InternalError(
            f"Internal error. The server's log has the details (request {request_id})."
        )
        start: Message = {"type": "http.response.start", "headers": []}
        MutableHeaders(scope=start)["x-request-id"] = request_id
        await self._send_error(start, problem_body(str(error), error.block(), 500))

    async def _send_error(self, start: Message, problem: dict[str, Any]) -> None:
        error = self._vendor.error(problem)
        body = compact_json(error.body).encode("utf-8", "replace")
        headers = MutableHeaders(raw=list(start["headers"]))
        headers["content-type"] = "application/json"
        headers["content-length"] = str(len(body))
        await self._send({**start, "status": error.status, "headers": headers.raw})
        await self._send({"type": "http.response.body", "body": body})
