"""Network access: allowed hosts and ports, proxies, circuit breakers."""

from pathlib import Path

from webquarry.settings.groups.group import SettingsGroup, flag, setting
from webquarry.settings.value_types import PATH, duration, many, matching, url, whole

_DOMAIN = matching(r"\.?[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*\.?", "a domain")
_BYPASS = matching(r"\*|\.?[A-Za-z0-9_.:-]{1,255}", "a domain, an address or *")
_PROXY = url("http", "https", "socks5", "socks5h")


class NetworkSettings(SettingsGroup):
    """Network access."""

    allow_private_ips: bool = flag(
        "ALLOW_PRIVATE_IPS",
        "Also read pages on this machine and in private networks, on any port; metadata "
        "services stay blocked.",
        default=False,
    )
    allowed_domains: tuple[str, ...] = setting(
        "ALLOWED_DOMAINS",
        "Read pages only from these domains and their subdomains; every redirect is checked.",
        many(_DOMAIN),
        default=(),
    )
    allowed_ports: tuple[int, ...] = setting(
        "ALLOWED_PORTS",
        "Ports that pages may be read from.",
        many(whole(1, 65535)),
        default=(80, 443, 8000, 8008, 8080, 8081, 8443, 8888),
    )
    https_proxy: str = setting(
        "HTTPS_PROXY",
        "Proxy for everything except port 80: SOCKS5, or HTTP with CONNECT.",
        _PROXY,
        default="",
    )
    http_proxy: str = setting(
        "HTTP_PROXY",
        "Proxy for port 80: SOCKS5, or HTTP with CONNECT for pages.",
        _PROXY,
        default="",
    )
    no_proxy: tuple[str, ...] = setting(
        "NO_PROXY",
        "Domains that are reached without a proxy; * for all.",
        many(_BYPASS),
        default=(),
    )
    ca_file: Path | None = setting(
        "SSL_CERT_FILE",
        "CA certificates to trust instead of the default ones (PEM).",
        PATH,
        default=None,
    )
    circuit_failure_threshold: int = setting(
        "CIRCUIT_FAILURE_THRESHOLD",
        "Consecutive failures after which requests to a provider are paused.",
        whole(1, 1000),
        default=5,
    )
    circuit_reset_timeout: float = setting(
        "CIRCUIT_RESET_TIMEOUT_SECONDS",
        "How long requests to a failing provider are paused.",
        duration("1s", "1h"),
        default=60.0,
    )
