"""Runs crawls, wherever: in a server, or in a worker beside others."""

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
from webquarry.crawl.urls import resolve, start_of
from webquarry.crawl.visit import ShowsPages, Visitor
from webquarry.crawl.webhook import CrawlWebhook
from webquarry.errors import WebquarryError
from webquarry.models.crawl import FINISHED, CrawlRequest, State
from webquarry.net.clock import Clock
from webquarry.net.url import parse

logger = logging.getLogger(__name__)

_REST = (0.5, 2.0, 5.0)  # seconds before a database that is away is asked again


@dataclass(frozen=True, kw_only=True)
class RunnerDependencies:
    """What crawls are run with."""

    visitor: Visitor
    gate: HostLimit
    pace: CrawlPace
    name_host: Callable[[str], bytes]
    browser: ShowsPages | None = None
    notes: PageObserver | None = None
    webhook: CrawlWebhook | None = None
    clock: Clock = field(default_factory=Clock)


class CrawlRunner:
    """Runs one job at a time for each call of `run`."""

    def __init__(self, crawls: CrawlStore, equipment: RunnerDependencies) -> None:
        self._crawls = crawls
        self._with = equipment
        self.running: set[str] = set()

    async def run(self, job_id: str) -> bool:
        """Work on a crawl; return whether it has ended."""
        if job_id in self.running:
            return False
        self.running.add(job_id)
        try:
            run = await self._crawls.begin(job_id)
            if run is None:
                return True
            return await self._worked(run)
        finally:
            self.running.discard(job_id)

    async def _worked(self, run: CrawlLease) -> bool:
        request = CrawlRequest.model_validate_json(run.request)
        try:
            state = await self._go(run, request)
        except FencedError:
            logger.info("another run goes on with crawl %s", run.job)
            return False
        except WebquarryError as error:
            state = await self._failed(run, str(error))
        except asyncio.CancelledError:
            raise
        except Exception as error:
            # a bug of ours must not keep the job running for ever
            logger.exception("crawl %s failed", run.job)
            state = await self._failed(run, f"internal error ({type(error).__name__})")
        # who cancels it knows; otherwise it was this run that ended it, and no other tells
        if state in {"completed", "failed"} and self._with.webhook and request.webhook:
            await self._with.webhook.tell(request.webhook, run.job)
        return state in FINISHED

    async def _failed(self, run: CrawlLease, error: str) -> State:
        """End a crawl; where it was cancelled meanwhile, that is how it ended."""
        return "failed" if await self._crawls.end(run.job, "failed", error) else "cancelled"

    async def _go(self, run: CrawlLease, request: CrawlRequest) -> State:
        tools = self._tools(run, request)
        known = await self._crawls.sketches(run)
        tools.digester.recall(known)
        seeds = [] if known or not request.sitemap else await self._seeds(request, tools.digester)
        delay = self._with.pace.delay if request.delay is None else request.delay
        pace = replace(self._with.pace, delay=delay)
        return await CrawlRun(run, request, tools, pace).go(seeds)

    def _tools(self, run: CrawlLease, request: CrawlRequest) -> RunDependencies:
        start = start_of(request.url)
        digester = PageProcessor(
            salt=run.salt,
            scope=Scope(request, start.host),
            max_depth=request.max_depth,
            name_host=self._with.name_host,
        )
        visitor = self._with.visitor
        if request.render:
            visitor = replace(visitor, browser=self._with.browser)
        return RunDependencies(
            crawls=self._crawls,
            visitor=visitor,
            digester=digester,
            gate=self._with.gate,
            notes=self._with.notes if request.index else None,
            clock=self._with.clock,
        )

    async def _seeds(self, request: CrawlRequest, digester: PageProcessor) -> list[FoundUrl]:
        """Return what the sitemaps list; as far away as the links of the start page."""
        visitor, start = self._with.visitor, start_of(request.url)
        sitemaps = Sitemaps(fetcher=visitor.fetcher, robots=visitor.robots)
        entries = await sitemaps.entries(parse(start.href), max(1000, 2 * request.max_pages))
        addresses = (resolve(entry.url, start.href) for entry in entries)
        found = (digester.found(address, 2) for address in addresses if address)
        return [entry for entry in found if entry]
