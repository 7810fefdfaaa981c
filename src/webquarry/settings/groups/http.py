"""Connections and response headers of the HTTP server."""

from webquarry.settings.groups.group import SettingsGroup, flag, setting
from webquarry.settings.value_types import duration, matching, size, whole

_HEADER = matching(r"off|[\x20-\x7e]{1,4000}", "the value of a header, or off")


class HttpSettings(SettingsGroup):
    """Limits and headers of the HTTP server."""

    workers: int = setting(
        "WEBQUARRY_WORKERS",
        "Number of processes that serve HTTP on one port.",
        whole(1, 64),
        default=1,
    )
    trust_proxy: bool = flag(
        "TRUST_PROXY",
        "Take the client's IP address from the proxy's X-Forwarded-For header.",
        default=False,
    )
    cors_strict: bool = flag(
        "CORS_STRICT",
        "Reject scripts of web pages from other origins; false requires tokens or keys instead.",
        default=True,
    )
    max_header_bytes: int = setting(
        "HTTP_MAX_HEADER_BYTES",
        "Maximum size of the request headers.",
        size(2**10, 2**24),
        default=2**16,
    )
    read_header_timeout: float = setting(
        "HTTP_READ_HEADER_TIMEOUT",
        "How long the request headers may take to arrive.",
        duration("1s", "5m"),
        default=5.0,
    )
    read_timeout: float = setting(
        "HTTP_READ_TIMEOUT",
        "How long a whole request may take to arrive.",
        duration("1s", "1h"),
        default=30.0,
    )
    idle_timeout: float = setting(
        "HTTP_IDLE_TIMEOUT",
        "How long an idle connection stays open.",
        duration("1s", "1h"),
        default=120.0,
    )
    csp: str = setting(
        "HTTP_CSP",
        "Content-Security-Policy of responses that are not pages.",
        _HEADER,
        default="default-src 'none'; frame-ancestors 'none'",
    )
    referrer_policy: str = setting(
        "HTTP_REFERRER_POLICY", "Referrer-Policy of every response.", _HEADER, default="no-referrer"
    )
    permissions_policy: str = setting(
        "HTTP_PERMISSIONS_POLICY",
        "Permissions-Policy of every response.",
        _HEADER,
        default="geolocation=(), camera=(), microphone=()",
    )
    metrics_enabled: bool = flag("METRICS_ENABLED", "Whether to serve /metrics.", default=True)
