"""Which places pages may come from, and how requests leave this machine."""

from pathlib import Path
from typing import Annotated

from webquarry.settings.groups.group import SettingsGroup
from webquarry.settings.value_types import FLAG, PATH, duration, many, matching, url, whole
from webquarry.settings.variable import Variable

_DOMAIN = matching(r"\.?[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*\.?", "a domain")
_BYPASS = matching(r"\*|\.?[A-Za-z0-9_.:-]{1,255}", "a domain, an address or *")
_PROXY = url("http", "https")


class NetworkSettings(SettingsGroup):
    """Reaching the web."""

    allow_private_ips: Annotated[
        bool,
        Variable(
            "ALLOW_PRIVATE_IPS",
            "Also read pages on this machine and in private networks, on any port; "
            "metadata services stay closed.",
            FLAG,
        ),
    ] = False
    allowed_domains: Annotated[
        tuple[str, ...],
        Variable(
            "ALLOWED_DOMAINS",
            "Read pages only from these domains and those below them; every redirect is checked.",
            many(_DOMAIN),
        ),
    ] = ()
    allowed_ports: Annotated[
        tuple[int, ...],
        Variable("ALLOWED_PORTS", "Ports that pages may come from.", many(whole(1, 65535))),
    ] = (80, 443, 8000, 8008, 8080, 8081, 8443, 8888)
    https_proxy: Annotated[
        str,
        Variable("HTTPS_PROXY", "Proxy to everything but port 80, asked with CONNECT.", _PROXY),
    ] = ""
    http_proxy: Annotated[
        str,
        Variable("HTTP_PROXY", "Proxy to port 80; for pages it is asked with CONNECT.", _PROXY),
    ] = ""
    no_proxy: Annotated[
        tuple[str, ...],
        Variable(
            "NO_PROXY", "Domains reached without the proxies; * for all of them.", many(_BYPASS)
        ),
    ] = ()
    ca_file: Annotated[
        Path | None,
        Variable("SSL_CERT_FILE", "Certificates to trust instead of the usual ones (PEM).", PATH),
    ] = None
    circuit_failure_threshold: Annotated[
        int,
        Variable(
            "CIRCUIT_FAILURE_THRESHOLD",
            "Failures in a row after which a source is left alone for a while.",
            whole(1, 1000),
        ),
    ] = 5
    circuit_reset_timeout: Annotated[
        float,
        Variable(
            "CIRCUIT_RESET_TIMEOUT_SECONDS",
            "How long a failing source is left alone.",
            duration("1s", "1h"),
        ),
    ] = 60.0
