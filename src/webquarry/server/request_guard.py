"""Host and origin checks, CORS and security headers for every HTTP request."""

import ipaddress
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from webquarry.errors import SettingsError
from webquarry.observe.call_context import clean_request_id
from webquarry.server.exposure import LOOPBACK
from webquarry.server.problem_details import rejection
from webquarry.settings.groups.http import HttpSettings
from webquarry.settings.groups.server import ServerSettings

SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Strict-Transport-Security": "max-age=31536000",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class RequestGuard:
    """Rejects unknown hosts and origins (DNS rebinding), adds security headers and CORS."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        server: ServerSettings,
        http: HttpSettings,
        other_hosts: Iterable[str] = (),
    ) -> None:
        self._app = app
        names = (server.host, *server.allowed_hosts, *other_hosts)
        self._hosts = LOOPBACK | {host_name(name) for name in names}
        self._origins = frozenset(o.rstrip("/").lower() for o in server.allowed_origins)
        self._strict = http.cors_strict
        # browsers that reach a loopback server run on the same machine
        self._local = server.host in LOOPBACK
        self._headers = SAFE_HEADERS | _configured_headers(http)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["headers"] = [_trimmed(header) for header in scope["headers"]]
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        request_id = clean_request_id(headers.get("x-request-id", ""))
        scope.setdefault("state", {})["request_id"] = request_id
        if refusal := self._refusal(scope["path"], headers.get("host", ""), origin):
            # without CORS headers: the page that sent it must not read the response
            await refusal(scope, receive, _HeaderWriter(send, request_id, None, self._headers))
            return
        with_headers = _HeaderWriter(send, request_id, origin, self._headers)
        if scope["method"] == "OPTIONS" and origin is not None:
            await Response(status_code=204)(scope, receive, with_headers)
            return
        await self._app(scope, receive, with_headers)

    def _refusal(self, path: str, host: str, origin: str | None) -> Response | None:
        """Return the response to a request from an unknown host or origin."""
        if not self._is_allowed_host(host):
            status, text = 421, f"Host {host!r} is not allowed. Add it to ALLOWED_HOSTS."
        elif origin is not None and not self._is_allowed_origin(origin, host):
            status, text = 403, f"Origin {origin!r} is not allowed. Add it to ALLOWED_ORIGINS."
        else:
            return None
        return rejection(path, text, SettingsError(text).block(), status=status)

    def _is_allowed_host(self, host: str) -> bool:
        name = host_name(host)
        # DNS rebinding needs a name, so any IP address is allowed
        return name in self._hosts or _is_ip_address(name)

    def _is_allowed_origin(self, origin: str, host: str) -> bool:
        if origin.lower() in self._origins or not self._strict:
            return True
        try:
            parts = urlsplit(origin)
            _ = parts.port  # raises for a forged port: http://127.0.0.1:8642.evil.example
        except ValueError:
            return False
        same = parts.netloc.lower() == host.lower()
        return same or (self._local and parts.hostname in LOOPBACK)


class _HeaderWriter:
    """Adds the headers to a response."""

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
    # RFC 9110: whitespace around a value is not part of it; the parser keeps trailing spaces
    return header[0], header[1].strip(b" \t")


def _configured_headers(http: HttpSettings) -> dict[str, str]:
    """Return the headers that settings can change; `off` omits one."""
    configured = {
        "Content-Security-Policy": http.csp,
        "Referrer-Policy": http.referrer_policy,
        "Permissions-Policy": http.permissions_policy,
    }
    return {name: value for name, value in configured.items() if value != "off"}


def host_name(host: str) -> str:
    """Return the host name or IP address without port and brackets."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
