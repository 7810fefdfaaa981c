"""The first thing every HTTP request meets: who may talk to us from a browser, and headers."""

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from webquarry.observe.call_context import clean_request_id
from webquarry.settings.groups.http import HttpSettings
from webquarry.settings.groups.server import ServerSettings

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Strict-Transport-Security": "max-age=31536000",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class RequestGuard:
    """Refuses foreign hosts and origins (DNS rebinding), adds security headers and CORS."""

    def __init__(self, app: ASGIApp, *, server: ServerSettings, http: HttpSettings) -> None:
        self._app = app
        self._hosts = LOOPBACK | {_bare(host) for host in (server.host, *server.allowed_hosts)}
        self._origins = frozenset(o.rstrip("/").lower() for o in server.allowed_origins)
        self._strict = http.cors_strict
        # whoever reaches a server on the loopback has a browser on the same machine
        self._local = server.host in LOOPBACK
        self._headers = SAFE_HEADERS | _chosen(http)

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
        finish = _Finish(send, request_id, origin, self._headers)
        if scope["method"] == "OPTIONS" and origin is not None:
            await Response(status_code=204)(scope, receive, finish)
            return
        await self._app(scope, receive, finish)

    def _knows_host(self, host: str) -> bool:
        name = _bare(host)
        # an address cannot be rebound, only a name can, so any literal address will do
        return name in self._hosts or _is_address(name)

    def _knows_origin(self, origin: str, host: str) -> bool:
        if origin.lower() in self._origins or not self._strict:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        same = parts.netloc.lower() == host.lower()
        return same or (self._local and parts.hostname in LOOPBACK)


class _Finish:
    """Adds our headers to the response on its way out."""

    def __init__(
        self, send: Send, request_id: str, origin: str | None, always: Mapping[str, str]
    ) -> None:
        self._send = send
        self._always = always
        self._request_id = request_id
        self._origin = origin

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["X-Request-Id"] = self._request_id
            for name, value in self._always.items():
                headers.setdefault(name, value)
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
            "Mcp-Protocol-Version, Mcp-Method, Mcp-Name, X-Request-Id, X-Api-Key, X-Admin-Key, "
            "Idempotency-Key"
        )
        headers["Access-Control-Expose-Headers"] = (
            "Mcp-Session-Id, X-Request-Id, WWW-Authenticate, Retry-After, RateLimit, "
            "RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset"
        )
        headers["Access-Control-Max-Age"] = "86400"
        headers.add_vary_header("Origin")


def _trimmed(header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    # RFC 9110: blanks around a value do not belong to it; the parser leaves trailing ones
    return header[0], header[1].strip(b" \t")


def _chosen(http: HttpSettings) -> dict[str, str]:
    """Return the headers an operator can change; `off` leaves one out."""
    wanted = {
        "Content-Security-Policy": http.csp,
        "Referrer-Policy": http.referrer_policy,
        "Permissions-Policy": http.permissions_policy,
    }
    return {name: value for name, value in wanted.items() if value != "off"}


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
