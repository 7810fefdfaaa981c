"""Puts crawled pages into the local index of the person who had them crawled."""

import logging
from dataclasses import dataclass

from webquarry.crawl.page_processing import ProcessedPage
from webquarry.crawl.store.crawl_values import CrawlLease
from webquarry.errors import WebquarryError
from webquarry.storage.page_index import IndexedPage, PageIndex

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CrawlIndexer:
    """Makes pages searchable as they come."""

    index: PageIndex

    async def note(self, pages: list[ProcessedPage], run: CrawlLease) -> None:
        """Add pages; that the index is away does not stop a crawl."""
        entries = [
            IndexedPage(url=page.address, title=page.title, text=page.text)
            for page in pages
            if page.text
        ]
        try:
            await self.index.add(entries, tenant=run.tenant, owner=run.user)
        except WebquarryError as error:
            logger.warning("%d crawled pages are not in the local index: %s", len(pages), error)
