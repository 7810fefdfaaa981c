"""Watches a site: pages that are new, gone or changed, by a crawl for each check."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from webquarry.crawl.service import CrawlService
from webquarry.errors import PageError
from webquarry.models.caller import Caller
from webquarry.models.changes import EntriesVersion, WatchedEntry
from webquarry.models.crawl import CrawledPage, CrawlJob, CrawlRequest
from webquarry.models.monitor import Monitor
from webquarry.services.watching.observing import EarlierVersion, Observation, owner_of

_BATCH = 50
_MAX_TEXT = 20_000  # characters of one page that are compared
_MAX_DEPTH = 10


@dataclass(frozen=True, kw_only=True)
class SiteObserver:
    """Crawls as `cinder_crawl` does: unchanged pages are not transferred again."""

    crawling: Callable[[], CrawlService]
    clock: Callable[[], float] = time.time

    async def observe(self, monitor: Monitor, earlier: EarlierVersion) -> Observation:
        """Return the pages of the site. A check that was interrupted goes on with its crawl."""
        crawling, caller = self.crawling(), owner_of(monitor)
        key = f"monitor {monitor.id} run {monitor.runs}"
        job = await crawling.start(_request(monitor), caller, idempotency_key=key)
        async for current in crawling.watch(job.id, caller):
            job = current
        if job.state != "completed" or not job.progress.pagesCrawled:
            raise PageError(f"The crawl ended without pages: {job.error or job.state}.")
        entries = await self._entries(crawling, job, caller, await earlier.entries())
        version = EntriesVersion(
            url=job.request.url,
            entries=entries,
            # pages that could not be read, or not this time, are not gone
            complete=not job.progress.errors and job.stop_reason == "frontier_exhausted",
            at=self.clock(),
        )
        captured = f"crawl.{job.id}" if monitor.definition.capture else ""
        return Observation(version=version, captured=captured)

    async def _entries(
        self,
        crawling: CrawlService,
        job: CrawlJob,
        caller: Caller,
        known: Mapping[str, WatchedEntry],
    ) -> tuple[WatchedEntry, ...]:
        entries: list[WatchedEntry] = []
        while True:
            pages, total = await crawling.pages(job.id, caller, len(entries), _BATCH, ("markdown",))
            entries += [_entry(page, known) for page in pages]
            if not pages or len(entries) >= total:
                return tuple(entries)


def _request(monitor: Monitor) -> CrawlRequest:
    target = monitor.definition.target
    return CrawlRequest(
        url=target.target,
        max_pages=target.max_pages,
        max_depth=_MAX_DEPTH,
        render=target.render,
        sitemap=True,
        capture=monitor.definition.capture,
    )


def _entry(page: CrawledPage, known: Mapping[str, WatchedEntry]) -> WatchedEntry:
    earlier = known.get(page.url)
    if page.changed is False and earlier and earlier.text:
        return earlier
    content = page.content.get("markdown")
    text = content if isinstance(content, str) else ""
    return WatchedEntry(key=page.url, title=page.title, url=page.url, text=text[:_MAX_TEXT])
