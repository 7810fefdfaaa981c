"""Adds crawled pages to the local index of the person who started the crawl."""

import logging
from dataclasses import dataclass

from webquarry.crawl.page_processing import ProcessedPage
from webquarry.crawl.store.crawl_values import CrawlLease
from webquarry.errors import WebquarryError
from webquarry.storage.indexed_page import IndexedPage
from webquarry.storage.page_index import PageIndex

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class CrawlIndexer:
    """Makes pages searchable while a crawl runs."""

    index: PageIndex

    async def on_pages_stored(self, pages: list[ProcessedPage], lease: CrawlLease) -> None:
        """Index pages; an index that fails does not stop a crawl."""
        entries = [
            IndexedPage(url=page.url, title=page.title, text=page.text)
            for page in pages
            if page.text
        ]
        try:
            await self.index.add(entries, tenant=lease.tenant, owner=lease.user)
        except WebquarryError as error:
            logger.warning("%d crawled pages could not be indexed: %s", len(pages), error)
