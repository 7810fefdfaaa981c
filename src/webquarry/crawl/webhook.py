"""Notifies the webhook of a crawl when it has ended."""

import json
import logging
from dataclasses import dataclass, field

from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.errors import BadInputError, BlockedError, WebquarryError
from webquarry.net.clock import Clock
from webquarry.net.fetch import Fetcher, FetchRequest

logger = logging.getLogger(__name__)

_MAX_ATTEMPTS = 3
_RETRIED_STATUSES = frozenset({408, 425, 429})


@dataclass(frozen=True)
class CrawlWebhook:
    """Sends the notification through the guard, so that private networks cannot be reached."""

    store: CrawlStore
    fetcher: Fetcher
    clock: Clock = field(default_factory=Clock)

    async def notify(self, url: str, job_id: str) -> None:
        """POST the outcome; gives up after a few attempts."""
        job = await self.store.job(job_id)
        if job is None:
            return
        body = json.dumps(
            {
                "crawlId": job.id,
                "status": job.state,
                "pagesFound": job.counts.found,
                "pagesCrawled": job.counts.crawled,
                "error": job.error,
            }
        ).encode()
        for attempt in range(_MAX_ATTEMPTS):
            if attempt:
                await self.clock.sleep(2.0**attempt)
            try:
                response = await self.fetcher.fetch(
                    FetchRequest(
                        url=url,
                        method="POST",
                        body=body,
                        headers={"Content-Type": "application/json"},
                        timeout=10,
                        own_user_agent=True,
                        max_page_bytes=2**16,
                        max_document_bytes=2**16,
                    )
                )
            except (BlockedError, BadInputError) as error:  # permanent
                logger.warning("the webhook of crawl %s cannot be called: %s", job_id, error)
                return
            except WebquarryError as error:
                logger.info("the webhook of crawl %s did not respond: %s", job_id, error)
                continue
            if response.status < 500 and response.status not in _RETRIED_STATUSES:
                return
            logger.info("the webhook of crawl %s returned HTTP %d", job_id, response.status)
        logger.warning("the webhook of crawl %s failed %d times", job_id, _MAX_ATTEMPTS)
