"""Pages that a site says have not changed since the crawl before."""

import json

from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import ClaimedUrl, CrawlLease, key_of
from webquarry.crawl.visit import VisitedPage, unfolded
from webquarry.net.url import parse

_MOST = 2**28


async def kept_page(crawls: CrawlStore, run: CrawlLease, claim: ClaimedUrl) -> VisitedPage | None:
    """Return the page as the crawl before stored it; None when it is no longer there."""
    if run.previous is None or claim.memory is None:
        return None
    _, job_id, salt = run.previous
    row = await crawls.page(job_id, key_of(salt, claim.url))
    if row is None:
        return None
    meta = json.loads(row.meta)
    content = unfolded(row.body, meta["encoding"], _MOST) or b""
    return VisitedPage(
        address=parse(meta["final_url"]),
        status=meta["status"],
        content=content,
        stored=row.body,
        encoding=meta["encoding"],
        content_type=meta["type"],
        etag=claim.memory.etag,
        last_modified=claim.memory.last_modified,
    )
