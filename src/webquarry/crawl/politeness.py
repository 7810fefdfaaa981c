"""Politeness: when the hosts of a crawl may be requested."""

from webquarry.crawl.host_limit import HostLimit
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import ClaimedUrl, CommitResult
from webquarry.crawl.visit import Visitor
from webquarry.crawl.visit_results import Postponed, VisitFailed
from webquarry.net.clock import Clock
from webquarry.net.url import parse


class Politeness:
    """The delays and pauses of the hosts of one run."""

    def __init__(
        self,
        store: CrawlStore,
        visitor: Visitor,
        host_limit: HostLimit,
        *,
        delay: float,
        max_pause: float,
        clock: Clock,
    ) -> None:
        self.delays: dict[bytes, float] = {}  # seconds between two requests, from robots.txt
        self._store = store
        self._visitor = visitor
        self._host_limit = host_limit
        self._delay = delay
        self._max_pause = max_pause
        self._clock = clock
        self._alone = True
        self._waits: dict[bytes, float] = {}

    async def check(self, claim: ClaimedUrl, *, is_spaced: bool) -> Postponed | VisitFailed | None:
        """Return why a URL is not requested now; None if it may be.

        `is_spaced`: whether the URL was claimed with the Crawl-delay of its host.
        """
        host = claim.host
        if host not in self.delays:
            await self._learn_delay(claim)
        delay = self.delays.get(host, 0.0)
        if delay > self._max_pause:
            return VisitFailed(outcome="crawl_delay")
        # the request for robots.txt was the first one, and the Crawl-delay counts from it
        if delay > self._delay and not is_spaced:
            return Postponed()
        return Postponed() if await self._is_paused(host) else None

    def pause(self, host: bytes, seconds: float) -> None:
        """Request a host no more until the time is over."""
        self._host_limit.pause(host, self._clock.monotonic() + seconds)

    def accept_visit(self, host: bytes, visit: object) -> None:
        """Request a host as usual again, once it answers without asking to wait."""
        if not (
            isinstance(visit, VisitFailed) and (visit.host_pause or visit.outcome == "http_429")
        ):
            self._host_limit.resume(host, self._clock.monotonic())

    def take_waits(self) -> dict[bytes, float]:
        """Return the seconds until the next request, for hosts whose Crawl-delay is new."""
        waits, self._waits = self._waits, {}
        return waits

    def accept(self, committed: CommitResult) -> None:
        """Learn from the database what other processes know."""
        self._alone = committed.alone
        for host, seconds in committed.pauses.items():
            self.pause(host, seconds)

    async def _learn_delay(self, claim: ClaimedUrl) -> None:
        delay = await self._visitor.delay(parse(claim.url))
        if delay is None or claim.host in self.delays:  # other readers may have waited too
            return
        self.delays[claim.host] = delay
        if self._delay < delay <= self._max_pause:
            self._waits[claim.host] = delay

    async def _is_paused(self, host: bytes) -> bool:
        if self._host_limit.is_paused(host, self._clock.monotonic()):
            return True
        if self._alone:
            return False
        seconds = await self._store.paused_seconds(host)
        if seconds:
            self.pause(host, seconds)
        return bool(seconds)
