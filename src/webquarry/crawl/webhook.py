"""Tells an address of the caller's choice that a crawl has ended."""

import json
import logging
from dataclasses import dataclass, field

from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.errors import BadInputError, BlockedError, WebquarryError
from webquarry.net.clock import Clock
from webquarry.net.fetch import Fetcher, FetchRequest

logger = logging.getLogger(__name__)

_TRIES = 3
_LATER = frozenset({408, 425, 429})


@dataclass(frozen=True)
class CrawlWebhook:
    """Posts through the guard, so that nobody's inner network can be reached."""

    crawls: CrawlStore
    fetcher: Fetcher
    clock: Clock = field(default_factory=Clock)

    async def tell(self, url: str, job_id: str) -> None:
        """Post the outcome; after a few failures it is let be."""
        job = await self.crawls.job(job_id)
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
        for number in range(_TRIES):
            if number:
                await self.clock.sleep(2.0**number)
            try:
                answer = await self.fetcher.fetch(
                    FetchRequest(
                        url=url,
                        method="POST",
                        body=body,
                        headers={"Content-Type": "application/json"},
                        timeout=10,
                        plain=True,
                        page_bytes=2**16,
                        document_bytes=2**16,
                    )
                )
            except (BlockedError, BadInputError) as error:  # another time it will be no other
                logger.warning("the webhook of crawl %s is not called: %s", job_id, error)
                return
            except WebquarryError as error:
                logger.info("the webhook of crawl %s did not answer: %s", job_id, error)
                continue
            if answer.status < 500 and answer.status not in _LATER:
                return
            logger.info("the webhook of crawl %s answered %d", job_id, answer.status)
        logger.warning("the webhook of crawl %s was called %d times in vain", job_id, _TRIES)
