"""Speed and politeness of one and two `webquarry worker` processes on a slow site (50 ms a page).

usage: python -m bench.crawl_workers [--pages N]
Prints pages per second from the site's log, without the first quarter, and the maximum number of
concurrent requests. Needs redis-server and PostgreSQL.
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
from tests.crawl.crawl_service import open_crawl_service, run_crawl
from tests.crawl.site import Site, running_site, tree
from tests.postgres_server import running_postgres
from tests.redis_server import running_redis
from webquarry.models.crawl import CrawlRequest

CONCURRENCY, LIMIT, LATENCY = 2, 4, 0.05
TARGET = 1.6


def main() -> None:
    """Exit 1 when two workers are too slow or exceed the concurrency limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=400)
    pages = parser.parse_args().pages
    rates: list[float] = []
    polite = True
    for count in (1, 2):
        site = crawled_site(count, pages)
        rates.append(rate(site))
        polite = polite and site.max_open <= LIMIT
        print(f"{count} workers: {rates[-1]:6.1f} pages/s, at most {site.max_open} concurrent")
    print(f"two workers / one: {rates[1] / rates[0]:.2f}x (target: {TARGET}x, {LIMIT} concurrent)")
    sys.exit(0 if polite and rates[1] / rates[0] >= TARGET else 1)


def crawled_site(count: int, pages: int) -> Site:
    """Return the site, with its log, after a crawl by `count` workers."""
    os.sync()  # flush other programs' writes, because PostgreSQL waits for the disk
    with tempfile.TemporaryDirectory() as home, ExitStack() as stack:
        settings = {
            "REDIS_URL": stack.enter_context(running_redis()),
            "DATABASE_URL": stack.enter_context(running_postgres()),
            "CACHE_ENCRYPTION_KEY": "ab" * 32,
            "WEBQUARRY_DATA_DIR": home,
            "ALLOW_PRIVATE_IPS": "true",
            "CRAWL_DELAY": "0",
            "CRAWL_CONCURRENCY": str(CONCURRENCY),
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
    async with open_crawl_service(home, settings) as crawling:
        job = await run_crawl(crawling, request)
    if job.progress.pagesCrawled != request.max_pages:
        sys.exit(f"some pages were not crawled: {job}")


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
    """Return pages per second after the first quarter, when all workers have started."""
    times = site.times()
    first = len(times) // 4
    return (len(times) - first) / (times[-1] - times[first])


if __name__ == "__main__":
    main()
