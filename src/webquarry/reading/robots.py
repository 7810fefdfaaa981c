"""What sites ask of robots (RFC 9309), remembered for an hour."""

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING

from webquarry.errors import BlockedError, NetworkError
from webquarry.net.clock import Clock
from webquarry.net.fetch import FetchedResponse, Fetcher, FetchRequest
from webquarry.net.url import Url

if TYPE_CHECKING:
    from protego import Protego

NAME = "webquarry"
_SECONDS = 3600.0
_MOST_SITES = 1000
_MOST_BYTES = 512 * 2**10  # RFC 9309 asks for at least 500 KiB
# there was nobody to ask
_NOBODY = frozenset(
    {"dns_no_such_name", "dns_failed", "connection_refused", "unreachable", "proxy", "busy"}
)
_EVERYTHING = "User-agent: *\nDisallow: /"


class Robots:
    """Asks robots.txt once per site."""

    def __init__(self, fetcher: Fetcher, clock: Clock | None = None) -> None:
        self._fetcher = fetcher
        self._clock = clock or Clock()
        self._known: OrderedDict[str, tuple[float, Protego]] = OrderedDict()
        self._asking: dict[str, asyncio.Lock] = {}

    async def check(self, url: Url) -> None:
        """Raise `BlockedError` when the site asks robots to stay away from a page."""
        rules = await self.rules(url)
        if not rules.can_fetch(url.href, NAME):
            raise BlockedError(
                f"Blocked: robots.txt of {url.site} asks robots not to read {url.href}. "
                "Try an alternative source, or set RESPECT_ROBOTS=false for reads of single pages."
            )

    async def rules(self, url: Url) -> "Protego":
        """Return what the site of a page asks of robots."""
        known = self._known.get(url.origin)
        if known and known[0] > self._clock.now():
            return known[1]
        # those who ask meanwhile wait for the same answer
        async with self._asking.setdefault(url.origin, asyncio.Lock()):
            known = self._known.get(url.origin)
            if known and known[0] > self._clock.now():
                return known[1]
            return await self._asked(url)

    async def _asked(self, url: Url) -> "Protego":
        # imported here because most servers never ask
        from protego import Protego

        rules = Protego.parse(await self._text(url))
        self._known[url.origin] = (self._clock.now() + _SECONDS, rules)
        self._known.move_to_end(url.origin)
        self._asking.pop(url.origin, None)
        while len(self._known) > _MOST_SITES:
            self._known.popitem(last=False)
        return rules

    async def _text(self, url: Url) -> str:
        wanted = FetchRequest(
            url=f"{url.origin}/robots.txt",
            plain=True,
            timeout=10,
            page_bytes=_MOST_BYTES,
            document_bytes=_MOST_BYTES,
        )
        try:
            return _rules_in(await self._fetcher.fetch(wanted))
        except NetworkError as error:
            if error.details.get("detail") in _NOBODY:
                raise  # nor can the page be read, and this says why
            return _EVERYTHING  # who cannot be asked has not agreed


def _rules_in(answer: FetchedResponse) -> str:
    if answer.status >= 500 or answer.status == 429:
        return _EVERYTHING
    return answer.content.decode("utf-8-sig", "replace") if answer.status < 300 else ""
