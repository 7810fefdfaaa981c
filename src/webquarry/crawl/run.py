"""One run of a crawl: a few readers, and one who hands in what they brought."""

import asyncio
import logging
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Protocol

from webquarry.crawl.host_limit import HostLimit
from webquarry.crawl.page_processing import PageProcessor, ProcessedPage
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import (
    ClaimedUrl,
    ClaimRequest,
    CommitResult,
    CrawlBatch,
    CrawlLease,
    FencedError,
    FoundUrl,
    VisitResult,
)
from webquarry.crawl.visit import NotModified, Redirected, Visit, VisitedPage, VisitFailed, Visitor
from webquarry.errors import WebquarryError
from webquarry.models.crawl import CrawlRequest, State
from webquarry.net.clock import Clock
from webquarry.net.url import parse

BATCH = 32  # pages that are stored together
_AHEAD = 48  # claims that wait, so that readers need not
_LATEST = 0.2  # seconds until a page is stored
_ROOM = 0.05  # seconds until a run that may not begin asks again
_BACKOFF = (1.0, 4.0, 15.0)
_MOST_CRASHES = 25
_LARGE = 256 * 2**10  # bytes: parsing this much would keep everybody else waiting

logger = logging.getLogger(__name__)


class PageObserver(Protocol):
    """Is told which pages were stored."""

    async def note(self, pages: list[ProcessedPage], run: CrawlLease) -> None:
        """Make pages searchable."""
        ...


@dataclass(frozen=True, kw_only=True)
class CrawlPace:
    """How fast a run may be."""

    readers: int = 16
    delay: float = 0.0
    backoff: tuple[float, ...] = _BACKOFF


@dataclass(frozen=True, kw_only=True)
class RunDependencies:
    """What a run works with."""

    crawls: CrawlStore
    visitor: Visitor
    digester: PageProcessor
    gate: HostLimit
    notes: PageObserver | None = None
    clock: Clock = field(default_factory=Clock)


class CrawlRun:
    """Works on a crawl until nothing is left, it is cancelled, or another run takes over."""

    def __init__(
        self, run: CrawlLease, request: CrawlRequest, tools: RunDependencies, pace: CrawlPace
    ) -> None:
        self._run = run
        self._request = request
        self._tools = tools
        self._pace = pace
        self._batch = CrawlBatch()
        self._digests: list[ProcessedPage] = []
        self._queue: deque[tuple[ClaimedUrl, float]] = deque()
        self._more = asyncio.Event()
        self._wake = asyncio.Event()
        self._active = 0
        self._delays: dict[bytes, float] = {}
        self._runs = 1
        self._slots = 0  # requests to one host that this run may have open
        self._inside: Counter[bytes] = Counter()  # requests this run has open, by host
        self._failure: Exception | None = None

    async def go(self, seeds: list[FoundUrl]) -> State:
        """Return the state of the crawl at the end of this run; `FencedError` if it was late."""
        self._batch.found.extend(seeds)
        readers = [asyncio.create_task(self._read_on()) for _ in range(self._pace.readers)]
        try:
            return await self._hand_in()
        finally:
            for reader in readers:
                reader.cancel()
            await asyncio.gather(*readers, return_exceptions=True)
            await self._put_down()

    async def _hand_in(self) -> State:
        while True:
            wanted = self._wanted()
            turn = await self._turn(wanted)
            if turn.state != "running":
                return turn.state
            self._take_up(turn)
            await self._pause(self._patience(turn, wanted))
            if self._failure:
                raise self._failure

    async def _turn(self, count: int) -> CommitResult:
        batch, self._batch = self._batch, CrawlBatch()
        digests, self._digests = self._digests, []
        wish = ClaimRequest(
            count=count,
            delay=self._pace.delay,
            delays=self._delays,
            # other crawls of this process may have some open there too
            slots=max(self._slots, *map(self._tools.gate.inside, self._inside), 0),
            limit=self._tools.gate.limit,
        )
        turn = await self._tools.crawls.commit(self._run, batch, wish)
        for digest in digests:
            if digest.page.key not in turn.stored:
                self._tools.digester.traps.note_twin(digest.address)
        new = [digest for digest in digests if digest.page.key in turn.stored]
        if new and self._tools.notes:
            await self._tools.notes.note(new, self._run)
        return turn

    def _wanted(self) -> int:
        # what one has claimed the others cannot read
        ahead = _AHEAD if self._runs == 1 else self._pace.readers + 4
        return max(0, self._pace.readers + ahead - len(self._queue) - self._active)

    def _take_up(self, turn: CommitResult) -> None:
        now = self._tools.clock.now()
        self._queue.extend((claim, now + claim.wait) for claim in turn.claims)
        self._runs, self._slots = turn.runs, turn.slots
        if self._queue and self._slots:
            self._more.set()

    def _patience(self, turn: CommitResult, wanted: int) -> float:
        """Return after how many seconds it is worth asking again."""
        if not self._slots:  # the others have to make room first
            return _ROOM
        return turn.idle if len(turn.claims) < wanted else _LATEST

    async def _pause(self, longest: float) -> None:
        """Wait until there is enough to hand in, or it is time to."""
        self._wake.clear()
        if len(self._batch) >= BATCH or self._failure:
            return
        try:
            async with asyncio.timeout(longest):
                await self._wake.wait()
        except TimeoutError:
            return

    async def _put_down(self) -> None:
        """Store what was finished and give the rest back; whoever comes next goes on there."""
        try:
            await self._turn(0)
            await self._tools.crawls.leave(self._run)
        except FencedError:
            return
        except WebquarryError as error:
            logger.warning("a crawl was left unsaved: %s", error)

    async def _read_on(self) -> None:
        while True:
            while not (self._queue and self._slots):
                self._more.clear()
                await self._more.wait()
            claim, at = self._queue.popleft()
            self._active += 1
            try:
                await self._read(claim, at)
            except WebquarryError as error:  # every other page would fail the same way
                self._failure = error
            except Exception:
                # a page that we cannot cope with must not keep the others from being read
                logger.exception("a page of crawl %s could not be taken in", self._run.job)
                self._done(claim, "crash")
            finally:
                self._active -= 1
                few = len(self._queue) <= self._pace.readers // 2
                if few or len(self._batch) >= BATCH or self._failure:
                    self._wake.set()

    async def _read(self, claim: ClaimedUrl, at: float) -> None:
        if claim.crashes > _MOST_CRASHES:
            self._done(claim, "crash")
            return
        wait = at - self._tools.clock.now()
        if wait > 0:
            await self._tools.clock.sleep(wait)
        visit = await self._visited(claim)
        if isinstance(visit, VisitFailed):
            self._missed(claim, visit)
        elif isinstance(visit, Redirected):
            outcome, found = self._tools.digester.moved(claim, visit.onward)
            self._batch.found.extend(found)
            self._done(claim, outcome)
        else:
            await self._take(claim, visit)

    async def _visited(self, claim: ClaimedUrl) -> Visit:
        host, visitor = claim.host, self._tools.visitor
        await self._tools.gate.enter(host, lambda: self._slots)
        self._inside[host] += 1
        try:
            if host not in self._delays:
                delay = await visitor.delay(parse(claim.url))
                if delay is not None:
                    self._delays[host] = delay
            return await visitor.visit(claim)
        finally:
            self._inside[host] -= 1
            if not self._inside[host]:
                del self._inside[host]
            self._tools.gate.leave(host)

    async def _take(self, claim: ClaimedUrl, visit: VisitedPage | NotModified) -> None:
        brought = await self._unchanged(claim) if isinstance(visit, NotModified) else visit
        if brought is None:  # what was kept is gone: read it as if for the first time
            self._batch.done.append(VisitResult(key=claim.key, again=0.01))
            return
        at = self._tools.clock.today()
        if len(brought.content) > _LARGE:
            digest = await asyncio.to_thread(self._tools.digester.digest, claim, brought, at)
        else:
            digest = self._tools.digester.digest(claim, brought, at)
        self._batch.found.extend(digest.found)
        self._batch.pages.append(digest.page)
        self._digests.append(digest)

    async def _unchanged(self, claim: ClaimedUrl) -> VisitedPage | None:
        from webquarry.crawl.revisit import kept_page

        return await kept_page(self._tools.crawls, self._run, claim)

    def _missed(self, claim: ClaimedUrl, visit: VisitFailed) -> None:
        if visit.pause:
            self._batch.pauses[claim.host] = visit.pause
        # who has kept us waiting for that long gets one more chance
        tries = 2 if visit.outcome == "timeout" else 1 + len(self._pace.backoff)
        if visit.passing and claim.attempts + 1 < tries:
            wait = max(self._pace.backoff[claim.attempts], visit.pause)
            self._batch.done.append(VisitResult(key=claim.key, again=wait))
        else:
            self._done(claim, visit.outcome)

    def _done(self, claim: ClaimedUrl, outcome: str) -> None:
        self._batch.done.append(VisitResult(key=claim.key, outcome=outcome))
