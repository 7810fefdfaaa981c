"""Clients that connect to busy hosts directly, at the IP addresses that the guard checked.

A request through the guard passes this process twice. A host that is requested often gets a client
of its own instead, pinned to the checked addresses; it never uses the DNS. All other requests go
through the guard, which also reports why a connection fails (ADR 9).
"""

import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from webquarry.net.client.wreq_client import HttpClient
from webquarry.net.clock import Clock
from webquarry.net.guard.resolver import PinnedHost
from webquarry.net.guard.server import Guard
from webquarry.net.url import Url

# creating a client costs as much as five requests through the guard
REQUESTS_THROUGH_GUARD = 2
USAGE_WINDOW = 60.0  # seconds without a request, after which a host counts as new
RECHECK_INTERVAL = 60.0  # seconds until its addresses are resolved and checked again
CLIENT_LIFETIME = 600.0  # seconds, like a connection of the guard
_MAX_HOSTS = 16  # each client takes a quarter of a megabyte
# host names that all parsers read alike
_ORDINARY_NAME = re.compile(r"[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+")


@dataclass
class _Host:
    last_used: float
    requests: int = 0
    client: HttpClient | None = None
    addresses: frozenset[str] = frozenset()
    created: float = 0.0
    checked: float = 0.0


class DirectClients:
    """The clients of busy hosts."""

    def __init__(
        self, guard: Guard, connect_to: Callable[[PinnedHost], HttpClient], clock: Clock
    ) -> None:
        self._guard = guard
        self._connect_to = connect_to
        self._clock = clock
        self._hosts: OrderedDict[tuple[str, int], _Host] = OrderedDict()

    async def client_for(self, url: Url) -> HttpClient | None:
        """Return the client for the host of a URL; None if the guard must be used."""
        now = self._clock.monotonic()
        host = self._used_host(url, now)
        host.requests += 1
        host.last_used = now
        if (
            host.client
            and now - host.checked < RECHECK_INTERVAL
            and now - host.created < CLIENT_LIFETIME
        ):
            return host.client
        if host.requests <= REQUESTS_THROUGH_GUARD or not _is_ordinary(url):
            return None
        pinned = await self._guard.pin(url)
        if pinned is None:
            self.forget(url)
            return None
        return self._checked_client(host, pinned, now)

    def forget(self, url: Url) -> bool:
        """Use the guard for this host until it is busy again; return whether it had a client."""
        host = self._hosts.pop((url.host, url.port), None)
        if host is None or host.client is None:
            return False
        host.client.close_idle()
        return True

    def close(self) -> None:
        """Close all connections."""
        hosts, self._hosts = self._hosts, OrderedDict()
        for host in hosts.values():
            if host.client:
                host.client.close()

    def _used_host(self, url: Url, now: float) -> _Host:
        """Return the entry of a host, new if it was not used lately."""
        key = (url.host, url.port)
        host = self._hosts.get(key)
        if host is not None and now - host.last_used > USAGE_WINDOW:
            self.forget(url)
            host = None
        if host is None:
            host = self._hosts[key] = _Host(last_used=now)
        self._hosts.move_to_end(key)
        while len(self._hosts) > _MAX_HOSTS:
            _, oldest = self._hosts.popitem(last=False)
            if oldest.client:
                oldest.client.close_idle()
        return host

    def _checked_client(self, host: _Host, pinned: PinnedHost, now: float) -> HttpClient:
        """Return the client for freshly checked addresses; a new one if they or it are old."""
        addresses = frozenset(pinned.addresses)
        expired = now - host.created >= CLIENT_LIFETIME
        if host.client is None or expired or addresses != host.addresses:
            if host.client:
                host.client.close_idle()  # requests may still be running
            host.client, host.created = self._connect_to(pinned), now
            host.addresses = addresses
        host.checked = now
        return host.client


def _is_ordinary(url: Url) -> bool:
    return url.ip is not None or _ORDINARY_NAME.fullmatch(url.host) is not None
