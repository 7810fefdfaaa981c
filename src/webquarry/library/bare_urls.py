"""URLs without a scheme, as people type them."""

import re
from ipaddress import ip_address

_BARE_HOST = re.compile(r"(?P<host>localhost(?=[:/?#]|$)|[\w-]+(\.[\w-]+)+)([:/?#].*)?")


def with_scheme(url: str) -> str:
    """Return the URL with https:// if it begins with a host name; http:// on this network."""
    match = _BARE_HOST.fullmatch(url)
    if not match:
        return url
    return f"{'http' if _is_local(match['host']) else 'https'}://{url}"


def _is_local(host: str) -> bool:
    """Whether the host is this machine or a private address, where servers rarely have TLS."""
    try:
        return ip_address(host).is_private
    except ValueError:
        return host == "localhost"
