"""robots.txt of sites (RFC 9309), cached for an hour."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from webquarry.errors import BlockedError, NetworkError
from webquarry.net.client.response import FetchedResponse
from webquarry.net.clock import Clock
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.net.url import Url
from webquarry.parsing.cpu_alarm import CpuLimitError, run_limited

if TYPE_CHECKING:
    from protego import Protego

ROBOT_NAME = "webquarry"
_CACHE_SECONDS = 3600.0
_CPU_SECONDS = 0.1
_MAX_SITES = 1000
_MAX_BYTES = 512 * 2**10  # RFC 9309 requires at least 500 KiB
# the server could not be reached at all
_UNREACHABLE = frozenset(
    {"dns_no_such_name", "dns_failed", "connection_refused", "unreachable", "proxy", "busy"}
)
_DISALLOW_ALL = "User-agent: *\nDisallow: /"


class LimitedRobotsRules:
    """The rules of one origin; if matching their wildcards takes long, all is disallowed."""

    def __init__(self, rules: "Protego") -> None:
        self._rules = rules
        self._is_costly = False

    @property
    def sitemaps(self) -> Iterator[str]:
        """The URLs of sitemaps."""
        return self._rules.sitemaps

    def can_fetch(self, url: str, agent: str, /) -> bool:
        """Return whether the agent may fetch the URL."""
        if self._is_costly:
            return False
        try:
            return run_limited(lambda: self._rules.can_fetch(url, agent), _CPU_SECONDS)
        except CpuLimitError:
            self._is_costly = True
            return False

    def crawl_delay(self, agent: str, /) -> float | None:
        """Return the seconds between two requests."""
        return self._rules.crawl_delay(agent)


class Robots:
    """Fetches and caches robots.txt of each origin."""

    def __init__(self, fetcher: Fetcher, clock: Clock | None = None) -> None:
        self._fetcher = fetcher
        self._clock = clock or Clock()
        self._cache: OrderedDict[str, tuple[float, LimitedRobotsRules]] = OrderedDict()
        self._locks: dict[str, asyncio.Lock] = {}

    async def check(self, url: Url) -> None:
        """Raise `BlockedError` when robots.txt disallows the URL."""
        rules = await self.rules(url)
        if not rules.can_fetch(url.href, ROBOT_NAME):
            raise BlockedError(
                f"Blocked: robots.txt of {url.site} disallows {url.href}. "
                "Try an alternative source, or set RESPECT_ROBOTS=false for reads of single pages."
            )

    async def rules(self, url: Url) -> LimitedRobotsRules:
        """Return the rules of the origin of a URL."""
        cached = self._cache.get(url.origin)
        if cached and cached[0] > self._clock.monotonic():
            return cached[1]
        # concurrent callers wait for the same request
        async with self._locks.setdefault(url.origin, asyncio.Lock()):
            cached = self._cache.get(url.origin)
            if cached and cached[0] > self._clock.monotonic():
                return cached[1]
            return await self._fetch_rules(url)

    async def _fetch_rules(self, url: Url) -> LimitedRobotsRules:
        # imported here because most servers do not use it
        from protego import Protego

        text = await self._fetch_text(url)
        try:
            rules = LimitedRobotsRules(run_limited(lambda: Protego.parse(text), _CPU_SECONDS))
        except CpuLimitError:
            rules = LimitedRobotsRules(Protego.parse(_DISALLOW_ALL))
        self._cache[url.origin] = (self._clock.monotonic() + _CACHE_SECONDS, rules)
        self._cache.move_to_end(url.origin)
        self._locks.pop(url.origin, None)
        while len(self._cache) > _MAX_SITES:
            self._cache.popitem(last=False)
        return rules

    async def _fetch_text(self, url: Url) -> str:
        request = FetchRequest(
            url=f"{url.origin}/robots.txt",
            own_user_agent=True,
            timeout=10,
            max_page_bytes=_MAX_BYTES,
            max_document_bytes=_MAX_BYTES,
        )
        try:
            return _rules_text(await self._fetcher.fetch(request))
        except NetworkError as error:
            if error.details.get("detail") in _UNREACHABLE:
                raise  # the page cannot be read either, for the same reason
            return _DISALLOW_ALL  # RFC 9309: unreachable means disallowed


def _rules_text(response: FetchedResponse) -> str:
    if response.status >= 500 or response.status == 429:
        return _DISALLOW_ALL
    return response.content.decode("utf-8-sig", "replace") if response.status < 300 else ""
