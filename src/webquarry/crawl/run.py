"""One run of a crawl: concurrent readers, and a loop that commits their results."""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Mapping

from webquarry.crawl.document_pages import document_page
from webquarry.crawl.meta_refresh import refresh_target
from webquarry.crawl.page_parsing import ParsedContent
from webquarry.crawl.page_processing import ProcessedPage
from webquarry.crawl.politeness import Politeness
from webquarry.crawl.revisit import load_previous_page
from webquarry.crawl.run_dependencies import CrawlPace, RunDependencies
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
from webquarry.crawl.visit_results import (
    NotModified,
    Postponed,
    Redirected,
    Visit,
    VisitedDocument,
    VisitedPage,
    VisitFailed,
)
from webquarry.errors import InternalError, ParseLimitError, WebquarryError
from webquarry.models.crawl import State
from webquarry.net.url import Url
from webquarry.observe.active_recorder import active_recorder
from webquarry.reading.documents.document_errors import DocumentError

BATCH = 32  # pages of one commit
_COMMIT_SECONDS = 0.2  # until a page is stored
_SLOT_POLL_SECONDS = 0.05  # while a run has no slots
_MAX_CRASHES = 25

logger = logging.getLogger(__name__)


class CrawlRun:
    """Works on a crawl until it is completed or cancelled, or the lease is lost."""

    def __init__(
        self,
        lease: CrawlLease,
        dependencies: RunDependencies,
        pace: CrawlPace,
    ) -> None:
        self._lease = lease
        self._dependencies = dependencies
        self._pace = pace
        self._batch = CrawlBatch()
        self._processed: list[ProcessedPage] = []
        # when to read each claim, and whether it was claimed with the Crawl-delay of its host
        self._queue: deque[tuple[ClaimedUrl, float, bool]] = deque()
        self._claims_available = asyncio.Event()
        self._commit_due = asyncio.Event()
        self._active = 0
        self._politeness = Politeness(
            dependencies.store,
            dependencies.visitor,
            dependencies.host_limit,
            delay=pace.delay,
            max_pause=pace.max_pause,
            clock=dependencies.clock,
        )
        self._spaced: Mapping[bytes, float] = {}  # the delays that the last claims observe
        self._runs = 1
        self._slots = 0  # concurrent requests to one host that this run may use
        self._open_requests: Counter[bytes] = Counter()  # of this run, by host
        self._failure: Exception | None = None

    async def run(self, seeds: list[FoundUrl]) -> State:
        """Return the state of the crawl when this run ends; `FencedError` if it lost its lease."""
        self._batch.found_urls.extend(seeds)
        readers = [asyncio.create_task(self._read_loop()) for _ in range(self._pace.concurrency)]
        try:
            return await self._commit_loop()
        finally:
            for reader in readers:
                reader.cancel()
            await asyncio.gather(*readers, return_exceptions=True)
            await self._release()

    async def _commit_loop(self) -> State:
        while True:
            count = self._claims_needed()
            committed = await self._commit(count)
            if committed.state != "running":
                return committed.state
            self._accept(committed)
            await self._wait_for_work(self._commit_interval(committed, count))
            if self._failure:
                raise self._failure

    async def _commit(self, count: int) -> CommitResult:
        batch, self._batch = self._batch, CrawlBatch()
        processed, self._processed = self._processed, []
        host_limit = self._dependencies.host_limit
        batch.host_waits.update(self._politeness.take_waits())
        self._dependencies.processor.add_state(batch)
        self._spaced = dict(self._politeness.delays)
        claim = ClaimRequest(
            count=count,
            delay=self._pace.delay,
            delays=self._spaced,
            max_pause=self._pace.max_pause,
            # includes the open requests of other crawls of this process
            slots=max(self._slots, *map(host_limit.open_requests, self._open_requests), 0),
            limit=host_limit.limit,
        )
        if recorder := active_recorder.get():  # no page is stored without its capture
            await recorder.flush()
        committed = await self._dependencies.store.commit(self._lease, batch, claim)
        stored = [page for page in processed if page.page.key in committed.stored]
        if stored and self._dependencies.observer:
            await self._dependencies.observer.on_pages_stored(stored, self._lease)
        return committed

    def _claims_needed(self) -> int:
        # other runs cannot read what this one has claimed
        pace = self._pace
        ahead = pace.ahead if self._runs == 1 else min(pace.ahead, pace.concurrency + 4)
        return max(0, pace.concurrency + ahead - len(self._queue) - self._active)

    def _accept(self, committed: CommitResult) -> None:
        now = self._dependencies.clock.monotonic()
        self._politeness.accept(committed)
        self._dependencies.processor.accept(committed)
        self._queue.extend(
            (claim, now + claim.wait, claim.host in self._spaced) for claim in committed.claims
        )
        self._runs, self._slots = committed.runs, committed.slots
        if self._queue and self._slots:
            self._claims_available.set()

    def _commit_interval(self, committed: CommitResult, count: int) -> float:
        """Return the seconds until the next commit."""
        if not self._slots:  # other runs must release slots first
            return _SLOT_POLL_SECONDS
        return committed.poll_after if len(committed.claims) < count else _COMMIT_SECONDS

    async def _wait_for_work(self, seconds: float) -> None:
        """Wait until a batch is full, claims run out, or the time is over."""
        self._commit_due.clear()
        if len(self._batch) >= BATCH or self._failure:
            return
        try:
            async with asyncio.timeout(seconds):
                await self._commit_due.wait()
        except TimeoutError:
            return

    async def _release(self) -> None:
        """Store the results and release the claims, so that the next run continues."""
        try:
            await self._commit(0)
            await self._dependencies.store.release(self._lease)
        except FencedError:
            return
        except WebquarryError as error:
            logger.warning("the last results of a crawl could not be stored: %s", error)

    async def _read_loop(self) -> None:
        while True:
            while not (self._queue and self._slots):
                self._claims_available.clear()
                await self._claims_available.wait()
            claim, at, is_spaced = self._queue.popleft()
            self._active += 1
            try:
                await self._read(claim, at, is_spaced=is_spaced)
            except WebquarryError as error:  # every other page would fail the same way
                self._failure = error
            except Exception:
                # a page that breaks our code must not stop the crawl
                logger.exception("a page of crawl %s could not be processed", self._lease.job_id)
                self._record_outcome(claim, "crash")
            finally:
                self._active -= 1
                queue_low = len(self._queue) <= self._pace.concurrency // 2
                pausing = self._batch.host_pauses
                if queue_low or len(self._batch) >= BATCH or self._failure or pausing:
                    self._commit_due.set()

    async def _read(self, claim: ClaimedUrl, at: float, *, is_spaced: bool) -> None:
        if claim.crashes > _MAX_CRASHES:
            self._record_outcome(claim, "crash")
            return
        if self._dependencies.processor.traps.is_exhausted(claim.url):
            self._record_outcome(claim, "trap")
            return
        wait = at - self._dependencies.clock.monotonic()
        if wait > 0:
            await self._dependencies.clock.sleep(wait)
        visit = await self._visit(claim, is_spaced=is_spaced)
        if isinstance(visit, Postponed):
            self._batch.unread.append(claim.key)
        elif isinstance(visit, VisitFailed):
            self._record_failure(claim, visit)
        elif isinstance(visit, Redirected):
            self._record_redirect(claim, visit)
        else:
            await self._process(claim, visit)

    async def _visit(self, claim: ClaimedUrl, *, is_spaced: bool) -> Visit | Postponed:
        host, visitor = claim.host, self._dependencies.visitor
        await self._dependencies.host_limit.acquire(host, lambda: self._slots)
        self._open_requests[host] += 1
        try:
            if reason := await self._politeness.check(claim, is_spaced=is_spaced):
                return reason
            is_start = self._dependencies.processor.is_start(claim)
            visit = await visitor.visit(claim, is_start=is_start)
            self._politeness.accept_visit(host, visit)
            return visit
        finally:
            self._open_requests[host] -= 1
            if not self._open_requests[host]:
                del self._open_requests[host]
            self._dependencies.host_limit.release(host)

    async def _process(
        self, claim: ClaimedUrl, visit: VisitedPage | VisitedDocument | NotModified
    ) -> None:
        try:
            visited = await self._page(claim, visit)
        except DocumentError:
            self._record_outcome(claim, "document")
            return
        if visited is None:  # the previous page was deleted: read it again without conditions
            self._batch.results.append(VisitResult(key=claim.key, retry_in=0.01))
            return
        if reason := self._dependencies.processor.final_url_reason(claim, visited.url):
            self._record_outcome(claim, reason)
            return
        try:
            page = await self._dependencies.processor.parse(self._dependencies.parsers, visited)
        except (ParseLimitError, InternalError) as error:  # of this page only
            logger.warning("crawl %s: %s", self._lease.job_id, error)
            self._record_outcome(claim, "crash")
            return
        if target := self._refresh_target(visited, page):
            self._record_redirect(claim, Redirected(target=target))
            return
        at = self._dependencies.clock.time()
        processed = self._dependencies.processor.process(claim, visited, page, at)
        self._batch.found_urls.extend(processed.found_urls)
        self._batch.pages.append(processed.page)
        self._processed.append(processed)

    async def _page(
        self, claim: ClaimedUrl, visit: VisitedPage | VisitedDocument | NotModified
    ) -> VisitedPage | None:
        """Return the page of a visit; None if the previous one was deleted."""
        if isinstance(visit, NotModified):
            return await load_previous_page(self._dependencies.store, self._lease, claim)
        if isinstance(visit, VisitedPage):
            return visit
        return await document_page(self._dependencies.documents, visit)

    def _refresh_target(self, visited: VisitedPage, page: ParsedContent) -> Url | None:
        """Return the URL of a meta refresh; a browser has followed it already."""
        if not page.parsed.refresh or self._dependencies.visitor.renderer:
            return None
        return refresh_target(visited, page.parsed)

    def _record_redirect(self, claim: ClaimedUrl, visit: Redirected) -> None:
        processor = self._dependencies.processor
        result, found = processor.redirect_result(claim, visit.target, permanent=visit.permanent)
        self._batch.found_urls.extend(found)
        self._batch.moved_to = processor.moved_to
        self._batch.results.append(result)

    def _record_failure(self, claim: ClaimedUrl, visit: VisitFailed) -> None:
        backoff, pause = self._pace.backoff, visit.host_pause
        if visit.outcome == "http_429" and not pause:  # the host does not say how long
            pause = backoff[min(claim.attempts, len(backoff) - 1)]
        if pause:
            self._politeness.pause(claim.host, pause)
            self._batch.host_pauses[claim.host] = pause
        # a timeout is retried once only
        max_attempts = 2 if visit.outcome == "timeout" else 1 + len(backoff)
        can_wait = visit.temporary and pause <= self._pace.max_pause
        if can_wait and claim.attempts + 1 < max_attempts:
            wait = max(backoff[claim.attempts], pause)
            self._batch.results.append(VisitResult(key=claim.key, retry_in=wait))
        else:
            self._record_outcome(claim, visit.outcome)

    def _record_outcome(self, claim: ClaimedUrl, outcome: str) -> None:
        self._batch.results.append(VisitResult(key=claim.key, outcome=outcome))
