"""A crawl of a slow site (50 ms a page) by one `webquarry worker`, then by two: speed and manners.

usage: python -m bench.crawl_workers [--pages N]
Prints pages per second from the site's own log, without the first pages, and the most requests that
were open at once. Needs redis-server and PostgreSQL.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from bench.process import WEBQUARRY
from tests.crawl.lab import crawled, crawling_in
from tests.crawl.site import Site, running_site, tree
from tests.postgres_server import running_postgres
from tests.redis_server import running_redis
from webquarry.models.crawl import CrawlRequest

READERS, LIMIT, LATENCY = 2, 4, 0.05
WANTED = 1.6


def main() -> None:
    """Exit 1 when two workers are too slow, or too many at once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=400)
    pages = parser.parse_args().pages
    rates: list[float] = []
    polite = True
    for count in (1, 2):
        site = measured(count, pages)
        rates.append(rate(site))
        polite = polite and site.open_most <= LIMIT
        print(f"{count} workers: {rates[-1]:6.1f} pages/s, at most {site.open_most} at once")
    print(f"two workers / one: {rates[1] / rates[0]:.2f}x (wanted: {WANTED}x, {LIMIT} at once)")
    sys.exit(0 if polite and rates[1] / rates[0] >= WANTED else 1)


def measured(count: int, pages: int) -> Site:
    """Return a site after a crawl by so many workers."""
    os.sync()  # PostgreSQL waits for the disk, and should not for what others left to write
    with tempfile.TemporaryDirectory() as home, ExitStack() as stack:
        settings = {
            "REDIS_URL": stack.enter_context(running_redis()),
            "DATABASE_URL": stack.enter_context(running_postgres()),
            "CACHE_ENCRYPTION_KEY": "ab" * 32,
            "WEBQUARRY_DATA_DIR": home,
            "ALLOW_PRIVATE_IPS": "true",
            "CRAWL_DELAY": "0",
            "CRAWL_CONCURRENCY": str(READERS),
            "CRAWL_HOST_CONCURRENCY": str(LIMIT),
            "LOCAL_INDEX": "off",
        }
        site = stack.enter_context(running_site(tree(pages), latency=LATENCY))
        for _ in range(count):
            stack.enter_context(worker(home, settings))
        request = CrawlRequest(url=f"{site.url}/0", max_depth=20, max_pages=pages, index=False)
        asyncio.run(crawl(Path(home), settings, request))
        return site


async def crawl(home: Path, settings: dict[str, str], request: CrawlRequest) -> None:
    async with crawling_in(home, settings) as crawling:
        job = await crawled(crawling, request)
    if job.progress.pagesCrawled != request.max_pages:
        sys.exit(f"not every page was read: {job}")


@contextmanager
def worker(home: str, settings: dict[str, str]) -> Generator[None]:
    with subprocess.Popen(
        [str(WEBQUARRY), "worker"], env=os.environ | settings, cwd=home, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield
        finally:
            process.terminate()


def rate(site: Site) -> float:
    """Return the pages a second after the first quarter: by then everybody is there."""
    times = site.times()
    first = len(times) // 4
    return (len(times) - first) / (times[-1] - times[first])


if __name__ == "__main__":
    main()
