"""One resolution per connection: what was checked is what is connected to."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from webquarry.net.guard.refusals import RefusedError
from webquarry.net.policy import Policy
from webquarry.net.url import Url

Lookup = Callable[[str], Awaitable[tuple[str, ...]]]

_TIMEOUT = 5.0
_MOST_ADDRESSES = 64
_THREADS = 32
_LOOPBACK = ("127.0.0.1", "::1")
_NO_SUCH_NAME = frozenset({socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)})


@dataclass(frozen=True)
class PinnedHost:
    """A place, and the addresses of it that may be connected to."""

    url: Url
    addresses: tuple[str, ...]


class Resolver:
    """Checks a URL and its addresses against the policy."""

    def __init__(
        self, policy: Policy, *, lookup: Lookup | None = None, timeout: float = _TIMEOUT
    ) -> None:
        self.policy = policy
        self._lookup = lookup or SystemLookup()
        self._timeout = timeout

    async def pin(self, url: Url) -> PinnedHost:
        """Return the checked addresses of a URL, or raise `RefusedError`."""
        self.policy.check(url)
        if url.address is not None:
            return PinnedHost(url, (url.host,))
        try:
            async with asyncio.timeout(self._timeout):
                found = await self._lookup(url.host)
        except TimeoutError as error:
            raise _unresolved(url) from error
        except OSError as error:
            raise _no_such_name(url) if _is_absent(error) else _unresolved(url) from error
        except UnicodeError as error:  # a label that the DNS cannot express
            raise _no_such_name(url) from error
        if not found:
            raise _no_such_name(url)
        self.policy.check_addresses(url.site, found)
        return PinnedHost(url, found[:_MOST_ADDRESSES])


class SystemLookup:
    """The resolver of the operating system, in threads of its own.

    Names that are slow on purpose can then hold up other names only, and nothing else.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="webquarry-dns")

    async def __call__(self, host: str) -> tuple[str, ...]:
        # names below localhost are this machine (RFC 6761), which few resolvers know; browsers do
        if host.endswith(".localhost"):
            return _LOOPBACK
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _addresses, host)


def _addresses(host: str) -> tuple[str, ...]:
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def _is_absent(error: OSError) -> bool:
    return isinstance(error, socket.gaierror) and error.errno in _NO_SUCH_NAME


def _no_such_name(url: Url) -> RefusedError:
    return RefusedError("dns_no_such_name", f"there is no host named {url.site}")


def _unresolved(url: Url) -> RefusedError:
    return RefusedError("dns_failed", f"the name {url.site} could not be resolved")
