"""What a run of a crawl needs: its pace, and the services it uses."""

from dataclasses import dataclass, field
from typing import Protocol

from webquarry.crawl.document_pages import ReadsDocuments
from webquarry.crawl.host_limit import HostLimit
from webquarry.crawl.page_processing import PageProcessor, ProcessedPage
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import CrawlLease
from webquarry.crawl.visit import Visitor
from webquarry.net.clock import Clock
from webquarry.parsing.parsers import Parsers

_BACKOFF = (1.0, 4.0, 15.0)


class PageObserver(Protocol):
    """Is notified of stored pages."""

    async def on_pages_stored(self, pages: list[ProcessedPage], lease: CrawlLease) -> None:
        """Handle pages that were stored."""
        ...


@dataclass(frozen=True, kw_only=True)
class CrawlPace:
    """How fast a run reads."""

    concurrency: int = 16
    ahead: int = 48  # queued claims, so that readers need not wait
    delay: float = 0.0
    max_pause: float = 1800.0  # seconds; a host that asks to wait longer is given up
    backoff: tuple[float, ...] = _BACKOFF


@dataclass(frozen=True, kw_only=True)
class RunDependencies:
    """The dependencies of a run."""

    store: CrawlStore
    visitor: Visitor
    processor: PageProcessor
    host_limit: HostLimit
    documents: ReadsDocuments
    observer: PageObserver | None = None
    parsers: Parsers = field(default_factory=Parsers)
    clock: Clock = field(default_factory=Clock)
