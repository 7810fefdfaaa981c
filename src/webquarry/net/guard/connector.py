"""Connects to the checked IP addresses, directly or through proxies."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import urlsplit

from webquarry.net.guard.proxy_tunnel import ProxyUnusableError, open_tunnel
from webquarry.net.guard.refusals import RefusedError
from webquarry.net.guard.relay import RelayEnd
from webquarry.net.guard.resolver import PinnedHost
from webquarry.net.url import in_domains

_TIMEOUT = 8.0  # seconds for all attempts
_STAGGER = 0.25  # seconds until the next address is tried as well (Happy Eyeballs)
_MAX_ATTEMPTS = 6
_MAX_PROXIES = 3  # tried for one connection
_PROXY_PAUSE = 60.0  # seconds without a proxy that failed


CheckProxy = Callable[[str, int], Awaitable[str]]


@dataclass(frozen=True, kw_only=True)
class Proxies:
    """The operator's proxies, as URLs; empty = direct."""

    http: str = ""
    https: str = ""
    bypass: tuple[str, ...] = ()  # domains to connect to directly, `*` for all

    def candidates(self, host: str, port: int) -> tuple[str, ...]:
        """Return the proxies to try for a destination; () for a direct connection."""
        if "*" in self.bypass or in_domains(host, self.bypass):
            return ()
        proxy = self.http if port == 80 else self.https
        return (proxy,) if proxy else ()

    def note_failure(self, proxy: str) -> None:
        """Do nothing: there is no other proxy to use instead."""


@dataclass
class RotatingProxies:
    """A list of proxies, used in turn; one that failed is left out for a while."""

    urls: tuple[str, ...]
    clock: Callable[[], float] = time.monotonic
    _next: int = 0
    _failed: dict[str, float] = field(default_factory=dict[str, float])

    def candidates(self, _host: str, _port: int) -> tuple[str, ...]:
        """Return the proxies to try for any destination, the next one first."""
        start = self._next % len(self.urls)
        self._next = start + 1
        turn = [*self.urls[start:], *self.urls[:start]]
        now = self.clock()
        usable = [url for url in turn if self._failed.get(url, -_PROXY_PAUSE) + _PROXY_PAUSE <= now]
        return tuple((usable or turn)[:_MAX_PROXIES])

    def note_failure(self, proxy: str) -> None:
        """Leave a proxy out for a while."""
        self._failed[proxy] = self.clock()


class Connector:
    """Opens outgoing connections."""

    def __init__(
        self,
        proxies: Proxies | RotatingProxies | None = None,
        *,
        check_proxy: CheckProxy | None = None,
        timeout: float = _TIMEOUT,
    ) -> None:
        """`check_proxy` returns the checked IP address of a proxy that a caller chose."""
        self.proxies = proxies or Proxies()
        self._check_proxy = check_proxy
        self._timeout = timeout

    async def connect(self, pinned: PinnedHost) -> RelayEnd:
        """Return an open connection to one of the IP addresses, or raise `RefusedError`."""
        proxies = self.proxies.candidates(pinned.url.host, pinned.url.port)
        try:
            async with asyncio.timeout(self._timeout):
                if proxies:
                    return await self._connect_through(proxies, pinned)
                return await _first_to_succeed(_attempts(pinned, _connect))
        except TimeoutError as error:
            raise RefusedError("timeout", f"{pinned.url.site} did not respond in time") from error
        except ConnectionRefusedError as error:
            refused = f"{pinned.url.site} refused the connection"
            raise RefusedError("connection_refused", refused) from error
        except OSError as error:
            raise RefusedError("unreachable", f"{pinned.url.site} cannot be reached") from error

    async def _connect_through(self, proxies: Sequence[str], pinned: PinnedHost) -> RelayEnd:
        failure = RefusedError("proxy", "there is no proxy")
        for proxy in proxies:
            try:
                host = await self._proxy_address(proxy)
                tunnel = partial(open_tunnel, proxy, proxy_host=host)
                return await _first_to_succeed(_attempts(pinned, tunnel))
            except ProxyUnusableError as error:
                self.proxies.note_failure(proxy)
                failure = error
            except RefusedError as error:  # perhaps the destination is at fault
                failure = error
        raise failure

    async def _proxy_address(self, proxy: str) -> str:
        if self._check_proxy is None:
            return ""
        parts = urlsplit(proxy)
        return await self._check_proxy(parts.hostname or "", parts.port or 0)


def _attempts(
    pinned: PinnedHost, connect: Callable[[str, int], Awaitable[RelayEnd]]
) -> list[Callable[[], Awaitable[RelayEnd]]]:
    """Return one attempt for each address to try."""
    return [
        partial(connect, address, pinned.url.port)
        for address in _interleaved(pinned.addresses)[:_MAX_ATTEMPTS]
    ]


async def _connect(address: str, port: int) -> RelayEnd:
    _, end = await asyncio.get_running_loop().create_connection(RelayEnd, address, port)
    return end


def _interleaved(addresses: Sequence[str]) -> list[str]:
    """Return the addresses with IPv4 and IPv6 alternating, as one family may be unreachable."""
    six = [address for address in addresses if ":" in address]
    four = [address for address in addresses if ":" not in address]
    first, second = (six, four) if addresses and ":" in addresses[0] else (four, six)
    paired = [address for pair in zip(first, second, strict=False) for address in pair]
    return paired + first[len(second) :] + second[len(first) :]


async def _first_to_succeed(attempts: Sequence[Callable[[], Awaitable[RelayEnd]]]) -> RelayEnd:
    """Start the attempts a moment apart; return the first connection and close the others."""
    running: set[asyncio.Future[RelayEnd]] = set()
    waiting = list(attempts)
    failure: BaseException = OSError("no address")
    try:
        while waiting or running:
            if waiting:
                running.add(asyncio.ensure_future(waiting.pop(0)()))
            done, running = await asyncio.wait(
                running,
                timeout=_STAGGER if waiting else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            for attempt in done:
                error = attempt.exception()
                if error is None:
                    running |= done - {attempt}
                    return attempt.result()
                failure = error
    finally:
        for attempt in running:
            attempt.cancel()
            attempt.add_done_callback(_close_late)
    raise failure


def _close_late(attempt: asyncio.Future[RelayEnd]) -> None:
    """Close a connection that was not the first."""
    if not attempt.cancelled() and attempt.exception() is None:
        attempt.result().abort()
