"""Crawling as the application has it, over a data directory of the test."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from webquarry.crawl.service import CrawlService
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlJob, CrawlRequest
from webquarry.settings.load import load
from webquarry.wiring.container import Container
from webquarry.wiring.open_storage import storage_keys

ME = Caller(tenant="acme", user="alice")
OTHER = Caller(tenant="acme", user="bob")


@asynccontextmanager
async def crawling_in(
    directory: Path, settings: Mapping[str, str] | None = None
) -> AsyncGenerator[CrawlService]:
    """Open crawling; its pace is not that of the outside world."""
    environ = {
        "WEBQUARRY_DATA_DIR": str(directory),
        "ALLOW_PRIVATE_IPS": "true",
        "CRAWL_DELAY": "0",
        **(settings or {}),
    }
    loaded = load(environ=environ, directory=directory, flags={}, declared=())
    async with AsyncExitStack() as stack:
        yield Container(loaded, storage_keys(loaded), stack).crawling


async def crawled(crawling: CrawlService, request: CrawlRequest, caller: Caller = ME) -> CrawlJob:
    """Run a crawl to its end."""
    job = await crawling.start(request, caller)
    return [seen async for seen in crawling.watch(job.id, caller)][-1]
