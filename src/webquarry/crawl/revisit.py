"""Pages that have not changed since the previous crawl (HTTP 304)."""

import json

from webquarry.crawl.compression import decompress
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import ClaimedUrl, CrawlLease, url_key
from webquarry.crawl.visit_results import VisitedPage
from webquarry.net.url import parse

_MAX_BYTES = 2**28


async def load_previous_page(
    store: CrawlStore, lease: CrawlLease, claim: ClaimedUrl
) -> VisitedPage | None:
    """Return the page as the previous crawl stored it; None if it was deleted."""
    if lease.previous is None or claim.previous_visit is None:
        return None
    _, job_id, salt = lease.previous
    row = await store.page(job_id, url_key(salt, claim.listed_url))
    if row is None:
        return None
    meta = json.loads(row.meta)
    content = decompress(row.body, meta["encoding"], _MAX_BYTES) or b""
    return VisitedPage(
        url=parse(meta["final_url"]),
        status=meta["status"],
        content=content,
        stored_body=row.body,
        encoding=meta["encoding"],
        content_type=meta["type"],
        etag=claim.previous_visit.etag,
        last_modified=claim.previous_visit.last_modified,
        document=meta.get("document", ""),
        title=meta["title"] if meta.get("document") else "",
        size=meta["bytes"] if meta.get("document") else 0,
    )
