"""Runs crawl jobs, in a server or in a worker."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from webquarry.crawl.host_limit import HostLimit
from webquarry.crawl.page_processing import PageProcessor
from webquarry.crawl.run import CrawlPace, CrawlRun, PageObserver, RunDependencies
from webquarry.crawl.scope import Scope
from webquarry.crawl.sitemap_discovery import Sitemaps
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import CrawlLease, FencedError, FoundUrl
from webquarry.crawl.urls import resolve, start_url
from webquarry.crawl.visit import PageRenderer, Visitor
from webquarry.crawl.webhook import CrawlWebhook
from webquarry.errors import WebquarryError
from webquarry.models.crawl import FINISHED, CrawlRequest, State
from webquarry.net.clock import Clock
from webquarry.net.url import parse
from webquarry.parsing.parsers import Parsers

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class RunnerDependencies:
    """The dependencies of `CrawlRunner`."""

    visitor: Visitor
    host_limit: HostLimit
    pace: CrawlPace
    blind_host: Callable[[str], bytes]
    renderer: PageRenderer | None = None
    observer: PageObserver | None = None
    webhook: CrawlWebhook | None = None
    parsers: Parsers = field(default_factory=Parsers)
    clock: Clock = field(default_factory=Clock)


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
        # a caller who cancelled knows; otherwise this run ended the crawl, and only it notifies
        if state in {"completed", "failed"} and self._dependencies.webhook and request.webhook:
            await self._dependencies.webhook.notify(request.webhook, lease.job_id)
        return state in FINISHED

    async def _end_failed(self, lease: CrawlLease, error: str) -> State:
        """End a crawl as failed, unless it was cancelled meanwhile; return its state."""
        return "failed" if await self._store.end(lease.job_id, "failed", error) else "cancelled"

    async def _crawl(self, lease: CrawlLease, request: CrawlRequest) -> State:
        dependencies = self._run_dependencies(lease, request)
        known = await self._store.simhashes(lease)
        dependencies.processor.load_simhashes(known)
        seeds: list[FoundUrl] = []
        if request.sitemap and not known:
            seeds = await self._seeds(request, dependencies.processor)
        delay = self._dependencies.pace.delay if request.delay is None else request.delay
        pace = replace(self._dependencies.pace, delay=delay)
        return await CrawlRun(lease, dependencies, pace).run(seeds)

    def _run_dependencies(self, lease: CrawlLease, request: CrawlRequest) -> RunDependencies:
        start = start_url(request.url)
        processor = PageProcessor(
            salt=lease.salt,
            scope=Scope(request, start.host),
            max_depth=request.max_depth,
            blind_host=self._dependencies.blind_host,
        )
        visitor = self._dependencies.visitor
        if request.render:
            visitor = replace(visitor, renderer=self._dependencies.renderer)
        return RunDependencies(
            store=self._store,
            visitor=visitor,
            processor=processor,
            host_limit=self._dependencies.host_limit,
            observer=self._dependencies.observer if request.index else None,
            parsers=self._dependencies.parsers,
            clock=self._dependencies.clock,
        )

    async def _seeds(self, request: CrawlRequest, processor: PageProcessor) -> list[FoundUrl]:
        """Return the URLs of the sitemaps, at the depth of the links of the start page."""
        visitor, start = self._dependencies.visitor, start_url(request.url)
        sitemaps = Sitemaps(
            fetcher=visitor.fetcher, robots=visitor.robots, parsers=self._dependencies.parsers
        )
        entries = await sitemaps.entries(parse(start.href), max(1000, 2 * request.max_pages))
        urls = (resolve(entry.url, start.href) for entry in entries)
        found = (processor.new_url(url, 2) for url in urls if url)
        return [url for url in found if url]
