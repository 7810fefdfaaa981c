"""Resolves a host once per connection and checks its IP addresses (no DNS rebinding)."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from webquarry.net.guard.refusals import RefusedError
from webquarry.net.policy import Policy
from webquarry.net.url import Url, parse

Lookup = Callable[[str], Awaitable[tuple[str, ...]]]

_TIMEOUT = 5.0
_MAX_ADDRESSES = 64
_THREADS = 32
_LOOPBACK = ("127.0.0.1", "::1")
_NO_SUCH_NAME = frozenset({socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)})


@dataclass(frozen=True)
class PinnedHost:
    """A host with its checked IP addresses."""

    url: Url
    addresses: tuple[str, ...]


class Resolver:
    """Checks a URL and its IP addresses against the policy."""

    def __init__(
        self, policy: Policy, *, lookup: Lookup | None = None, timeout: float = _TIMEOUT
    ) -> None:
        self.policy = policy
        self._lookup = lookup or SystemLookup()
        self._timeout = timeout

    async def pin(self, url: Url) -> PinnedHost:
        """Return the host with its checked IP addresses, or raise `RefusedError`."""
        self.policy.check(url)
        return await self._resolve(url)

    async def pin_proxy(self, host: str, port: int) -> str:
        """Return a checked IP address of a proxy that a caller chose, or raise `RefusedError`."""
        url = parse(f"http://{f'[{host}]' if ':' in host else host}:{port or 80}/")
        self.policy.check_proxy(url)
        return (await self._resolve(url)).addresses[0]

    async def _resolve(self, url: Url) -> PinnedHost:
        if url.ip is not None:
            return PinnedHost(url, (url.host,))
        try:
            async with asyncio.timeout(self._timeout):
                addresses = await self._lookup(url.host)
        except TimeoutError as error:
            raise _unresolved(url) from error
        except OSError as error:
            raise _no_such_name(url) if _is_no_such_name(error) else _unresolved(url) from error
        except UnicodeError as error:  # a label that cannot be encoded for the DNS
            raise _no_such_name(url) from error
        if not addresses:
            raise _no_such_name(url)
        self.policy.check_addresses(url.site, addresses)
        return PinnedHost(url, addresses[:_MAX_ADDRESSES])


class SystemLookup:
    """The resolver of the operating system, in its own threads.

    So names that are slow on purpose delay only other names.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="webquarry-dns")

    async def __call__(self, host: str) -> tuple[str, ...]:
        # subdomains of localhost are this machine (RFC 6761); few resolvers know that
        if host.endswith(".localhost"):
            return _LOOPBACK
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _getaddrinfo, host)


def _getaddrinfo(host: str) -> tuple[str, ...]:
    entries = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in entries))


def _is_no_such_name(error: OSError) -> bool:
    return isinstance(error, socket.gaierror) and error.errno in _NO_SUCH_NAME


def _no_such_name(url: Url) -> RefusedError:
    return RefusedError("dns_no_such_name", f"there is no host named {url.site}")


def _unresolved(url: Url) -> RefusedError:
    return RefusedError("dns_failed", f"the host name {url.site} could not be resolved")
