"""How the HTTP server treats connections, and what it tells browsers."""

from typing import Annotated

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import FLAG, duration, matching, size, whole
from webquarry.settings.variable import Variable

_HEADER = matching(r"off|[\x20-\x7e]{1,4000}", "the value of a header, or off")


class HttpSettings(SettingsGroup):
    """Bounds and headers of the HTTP server."""

    workers: Annotated[
        int,
        Variable("WEBQUARRY_WORKERS", "Processes that serve HTTP on one port.", whole(1, 64)),
    ] = 1
    trust_proxy: Annotated[
        bool,
        Variable(
            "TRUST_PROXY", "Take the caller's address from the proxy's X-Forwarded-For.", FLAG
        ),
    ] = False
    cors_strict: Annotated[
        bool,
        Variable(
            "CORS_STRICT",
            "Refuse scripts of web pages from elsewhere; off needs tokens or keys instead.",
            FLAG,
        ),
    ] = True
    max_header_bytes: Annotated[
        int, Variable("HTTP_MAX_HEADER_BYTES", "Largest request head.", size(2**10, 2**24))
    ] = 2**16
    read_header_timeout: Annotated[
        float,
        Variable(
            "HTTP_READ_HEADER_TIMEOUT", "How long a head may take to arrive.", duration("1s", "5m")
        ),
    ] = 5.0
    read_timeout: Annotated[
        float,
        Variable(
            "HTTP_READ_TIMEOUT", "How long a whole request may take to arrive.",
            duration("1s", "1h"),
        ),
    ] = 30.0  # fmt: skip
    idle_timeout: Annotated[
        float,
        Variable(
            "HTTP_IDLE_TIMEOUT", "How long an idle connection stays open.", duration("1s", "1h")
        ),
    ] = 120.0
    csp: Annotated[
        str,
        Variable("HTTP_CSP", "Content-Security-Policy of answers that are no pages.", _HEADER),
    ] = "default-src 'none'; frame-ancestors 'none'"
    referrer_policy: Annotated[
        str, Variable("HTTP_REFERRER_POLICY", "Referrer-Policy of every answer.", _HEADER)
    ] = "no-referrer"
    permissions_policy: Annotated[
        str, Variable("HTTP_PERMISSIONS_POLICY", "Permissions-Policy of every answer.", _HEADER)
    ] = "geolocation=(), camera=(), microphone=()"
    metrics_enabled: Annotated[
        bool, Variable("METRICS_ENABLED", "Whether there is a /metrics.", FLAG)
    ] = True
