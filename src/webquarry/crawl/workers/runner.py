"""Runs crawl jobs, in a server or in a worker."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from functools import partial

from webquarry.crawl.batch_processing import BatchProcessor
from webquarry.crawl.document_pages import ReadsDocuments
from webquarry.crawl.host_limit import HostLimit
from webquarry.crawl.page_processing import PageProcessor
from webquarry.crawl.run import CrawlRun
from webquarry.crawl.run_dependencies import CrawlPace, PageObserver, RunDependencies
from webquarry.crawl.scope import Scope
from webquarry.crawl.screenshot_budget import ScreenshotBudget
from webquarry.crawl.sitemap_discovery import Sitemaps
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import (
    LEASE_SECONDS,
    SCREENSHOT,
    ClaimRequest,
    CrawlBatch,
    CrawlLease,
    FencedError,
    FoundUrl,
)
from webquarry.crawl.store.deliveries import Delivery
from webquarry.crawl.traps import TrapLimits
from webquarry.crawl.urls import resolve, start_url
from webquarry.crawl.visit import PageRenderer, RobotsSource, Visitor
from webquarry.crawl.visit_options import OwnSite, VisitOptions
from webquarry.crawl.webhook_delivery import WebhookDeliveries
from webquarry.errors import WebquarryError
from webquarry.models.crawl import FINISHED, CrawlRequest, State
from webquarry.net.clock import Clock
from webquarry.net.fetch import Fetcher
from webquarry.net.url import parse
from webquarry.observe.active_recorder import CapturesJob, not_captured
from webquarry.parsing.parsers import Parsers
from webquarry.reading.browser.screenshots import ScreenshotOptions

_GUIDED_CONCURRENCY = 4  # pages that a guided crawl fetches at a time

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ProxiedNetwork:
    """The network through proxies."""

    fetcher: Fetcher
    robots: RobotsSource
    guard_url: str  # for the browser


# None if neither the caller nor the operator has chosen proxies
OpenProxied = Callable[[tuple[str, ...]], AbstractAsyncContextManager[ProxiedNetwork] | None]


@dataclass(frozen=True, kw_only=True)
class RunnerDependencies:
    """The dependencies of `CrawlRunner`."""

    visitor: Visitor
    host_limit: HostLimit
    pace: CrawlPace
    blind_host: Callable[[str], bytes]
    documents: ReadsDocuments
    trap_limits: TrapLimits = field(default_factory=TrapLimits)
    renderer: PageRenderer | None = None
    open_proxied: OpenProxied | None = None
    observer: PageObserver | None = None
    deliveries: WebhookDeliveries[Delivery] | None = None
    parsers: Parsers = field(default_factory=Parsers)
    clock: Clock = field(default_factory=Clock)
    capture: CapturesJob = not_captured


class CrawlRunner:
    """Runs one job for each call of `run`."""

    def __init__(self, store: CrawlStore, dependencies: RunnerDependencies) -> None:
        self._store = store
        self._dependencies = dependencies
        self.running: set[str] = set()

    async def run(self, job_id: str) -> bool:
        """Run a crawl; return whether it has ended."""
        if job_id in self.running:
            return False
        self.running.add(job_id)
        try:
            run = await self._store.begin(job_id)
            if run is None:
                return True
            return await self._run_lease(run)
        finally:
            self.running.discard(job_id)

    async def _run_lease(self, lease: CrawlLease) -> bool:
        request = CrawlRequest.model_validate_json(lease.request)
        try:
            group, wanted = f"crawl.{lease.job_id}", request.capture
            capture = not_captured if request.is_private else self._dependencies.capture
            with capture(lease.tenant, lease.user, group, wanted=wanted):
                state = await self._crawl(lease, request)
        except FencedError:
            logger.info("another run continues crawl %s", lease.job_id)
            return False
        except WebquarryError as error:
            state = await self._end_failed(lease, str(error))
        except asyncio.CancelledError:
            raise
        except Exception as error:
            # a bug must not leave the job running forever
            logger.exception("crawl %s failed", lease.job_id)
            state = await self._end_failed(lease, f"internal error ({type(error).__name__})")
        if request.webhook and self._dependencies.deliveries:
            self._dependencies.deliveries.wake()
        return state in FINISHED

    async def _end_failed(self, lease: CrawlLease, error: str) -> State:
        """End a crawl as failed, unless it was cancelled meanwhile; return its state."""
        return "failed" if await self._store.end(lease.job_id, "failed", error) else "cancelled"

    async def _crawl(self, lease: CrawlLease, request: CrawlRequest) -> State:
        open_proxied = self._dependencies.open_proxied
        proxied = open_proxied(request.page_options.proxies) if open_proxied else None
        if proxied is None:
            return await self._crawl_with(lease, request, self._visitor(lease, request))
        async with proxied as network:
            visitor = self._visitor(lease, request)
            options = replace(visitor.options, guard_url=network.guard_url)
            visitor = replace(
                visitor, fetcher=network.fetcher, robots=network.robots, options=options
            )
            return await self._crawl_with(lease, request, visitor)

    async def _crawl_with(
        self, lease: CrawlLease, request: CrawlRequest, visitor: Visitor
    ) -> State:
        if visitor.options.screenshot:
            stored = await self._store.files.size(lease.job_id, SCREENSHOT)
            budget = ScreenshotBudget(visitor.limits.max_screenshot_bytes, stored)
            visitor = replace(visitor, screenshots=budget)
        dependencies = self._run_dependencies(lease, request, visitor)
        known = await self._store.simhashes(lease)
        dependencies.processor.load_simhashes(known)
        seeds: list[FoundUrl] = []
        wanted = (request.sitemap or request.sitemap_only) and not known
        if wanted and await self._wait_for_host(lease, request):
            seeds = await self._seeds(request, dependencies)
        return await CrawlRun(lease, dependencies, self._pace(request)).run(seeds)

    def _pace(self, request: CrawlRequest) -> CrawlPace:
        """Return the pace of a crawl: a caller may go slower than the operator, not faster."""
        pace = self._dependencies.pace
        most = pace.concurrency
        if request.query:  # the next best URL is known when the pages before it were read
            most, pace = min(most, _GUIDED_CONCURRENCY), replace(pace, ahead=0)
        return replace(
            pace,
            delay=max(pace.delay, request.delay or 0.0),
            concurrency=min(most, request.concurrency or most),
        )

    def _visitor(self, lease: CrawlLease, request: CrawlRequest) -> Visitor:
        site = OwnSite(parse(start_url(request.url).href), request.subdomains)
        visitor = self._dependencies.visitor
        limit = visitor.limits.max_document_bytes if request.documents else 0
        return replace(
            visitor,
            renderer=self._dependencies.renderer if request.renders else None,
            limits=replace(
                visitor.limits, max_document_bytes=min(limit, request.max_document_bytes or limit)
            ),
            options=VisitOptions(
                page=request.page_options,
                site=None if lease.kind == "batch" else site,
                screenshot=_screenshot_options(request),
                steps=request.steps,
            ),
        )

    def _run_dependencies(
        self, lease: CrawlLease, request: CrawlRequest, visitor: Visitor
    ) -> RunDependencies:
        start = start_url(request.url)
        processor = _processor_class(lease, request)(
            salt=lease.salt,
            scope=Scope(request, start.host),
            max_depth=request.max_depth,
            blind_host=self._dependencies.blind_host,
            start=start.href,
            trap_limits=self._dependencies.trap_limits,
        )
        processor.traps.load(lease.traps)
        return RunDependencies(
            store=self._store,
            visitor=visitor,
            processor=processor,
            host_limit=self._dependencies.host_limit,
            observer=self._dependencies.observer if request.may_be_indexed else None,
            documents=self._dependencies.documents,
            parsers=self._dependencies.parsers,
            clock=self._dependencies.clock,
        )

    async def _wait_for_host(self, lease: CrawlLease, request: CrawlRequest) -> bool:
        """Wait while the host of the start page wants no requests; return whether it does now."""
        host = self._dependencies.blind_host(start_url(request.url).authority)
        while (seconds := await self._store.paused_seconds(host)) > 0:
            if seconds > self._dependencies.pace.max_pause:
                return False
            await self._store.commit(lease, CrawlBatch(), ClaimRequest(count=0))  # keeps the lease
            await self._dependencies.clock.sleep(min(seconds, LEASE_SECONDS / 5))
        return True

    async def _seeds(self, request: CrawlRequest, dependencies: RunDependencies) -> list[FoundUrl]:
        """Return the URLs of the sitemaps, at the depth of the links of the start page."""
        visitor, start = dependencies.visitor, start_url(request.url)
        processor = dependencies.processor
        sitemaps = Sitemaps(
            fetcher=visitor.fetcher,
            robots=visitor.robots,
            parsers=self._dependencies.parsers,
            options=visitor.options,
        )
        entries = await sitemaps.entries(parse(start.href), max(1000, 2 * request.max_pages))
        urls = (resolve(entry.url, start.href) for entry in entries)
        found = (processor.new_url(url, 2) for url in urls if url)
        return [url for url in found if url]


def _processor_class(lease: CrawlLease, request: CrawlRequest) -> Callable[..., PageProcessor]:
    if lease.kind == "batch":
        return BatchProcessor
    if not request.query:
        return PageProcessor
    # imported here: most crawls have no query
    from webquarry.crawl.guided_processing import GuidedProcessor

    return partial(GuidedProcessor, query=request.query, state=lease.guide)


def _screenshot_options(request: CrawlRequest) -> ScreenshotOptions | None:
    if "screenshot" not in request.formats:
        return None
    return ScreenshotOptions(full_page=request.full_page, image_type=request.image_type)
