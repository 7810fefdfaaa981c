"""The first thing every HTTP request meets: who may talk to us from a browser, and headers."""

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from webquarry.observe.context import clean_request_id

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
API_POLICY = "default-src 'none'; frame-ancestors 'none'"


class Gate:
    """Refuses foreign hosts and origins (DNS rebinding), adds security headers and CORS."""

    def __init__(
        self, app: ASGIApp, *, hosts: Iterable[str] = (), origins: Iterable[str] = ()
    ) -> None:
        self._app = app
        self._hosts = LOOPBACK | {_bare(host) for host in hosts}
        self._origins = frozenset(origin.rstrip("/").lower() for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["headers"] = [_trimmed(header) for header in scope["headers"]]
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._knows_host(host):
            refusal = f"Host {host!r} is not served here; add it to ALLOWED_HOSTS."
            await PlainTextResponse(refusal, 421)(scope, receive, send)
            return
        if origin is not None and not self._knows_origin(origin, host):
            refusal = f"Origin {origin!r} may not call this server; add it to ALLOWED_ORIGINS."
            await PlainTextResponse(refusal, 403)(scope, receive, send)
            return
        request_id = clean_request_id(headers.get("x-request-id", ""))
        scope.setdefault("state", {})["request_id"] = request_id
        finish = _Finish(send, request_id, origin)
        if scope["method"] == "OPTIONS" and origin is not None:
            await Response(status_code=204)(scope, receive, finish)
            return
        await self._app(scope, receive, finish)

    def _knows_host(self, host: str) -> bool:
        name = _bare(host)
        # an address cannot be rebound, only a name can, so any literal address will do
        return name in self._hosts or _is_address(name)

    def _knows_origin(self, origin: str, host: str) -> bool:
        if origin.lower() in self._origins:
            return True
        parts = urlsplit(origin)
        return parts.netloc.lower() == host.lower() or parts.hostname in LOOPBACK


class _Finish:
    """Adds our headers to the response on its way out."""

    def __init__(self, send: Send, request_id: str, origin: str | None) -> None:
        self._send = send
        self._request_id = request_id
        self._origin = origin

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["X-Request-Id"] = self._request_id
            for name, value in SAFE_HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Content-Security-Policy", API_POLICY)
            headers.setdefault("Cache-Control", "no-store")
            if self._origin is not None:
                self._allow(headers, self._origin)
        await self._send(message)

    @staticmethod
    def _allow(headers: MutableHeaders, origin: str) -> None:
        headers["Access-Control-Allow-Origin"] = origin
        headers["Access-Control-Allow-Methods"] = "GET, POST, DELETE, OPTIONS"
        headers["Access-Control-Allow-Headers"] = (
            "Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, "
            "Mcp-Protocol-Version, Mcp-Method, Mcp-Name, X-Request-Id"
        )
        headers["Access-Control-Expose-Headers"] = "Mcp-Session-Id, X-Request-Id"
        headers["Access-Control-Max-Age"] = "86400"
        headers.add_vary_header("Origin")


def _trimmed(header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    # RFC 9110: blanks around a value do not belong to it; the parser leaves trailing ones
    return header[0], header[1].strip(b" \t")


def _bare(host: str) -> str:
    """Return the name or address without port and brackets."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
