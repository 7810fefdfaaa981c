"""Opens the crawl service of the application on the data directory of a test."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from webquarry.crawl.service import CrawlService
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlJob, CrawlRequest
from webquarry.services.extraction.derived_content import PageDerivation
from webquarry.settings.load import load
from webquarry.wiring.container import Services
from webquarry.wiring.open_storage import storage_keys

ALICE = Caller(tenant="acme", user="alice")
BOB = Caller(tenant="acme", user="bob")


@asynccontextmanager
async def open_crawl_service(
    directory: Path,
    settings: Mapping[str, str] | None = None,
    derivation: PageDerivation | None = None,
) -> AsyncGenerator[CrawlService]:
    """Open the crawl service, without a crawl delay and with private addresses allowed."""
    environ = {
        "WEBQUARRY_DATA_DIR": str(directory),
        "ALLOW_PRIVATE_IPS": "true",
        "CRAWL_DELAY": "0",
        **(settings or {}),
    }
    loaded = load(environ=environ, directory=directory, flags={}, declared=())
    async with AsyncExitStack() as stack:
        services = Services(loaded, storage_keys(loaded), stack)
        if derivation:
            services.page_derivation = derivation
        yield services.crawling


async def run_crawl(
    crawling: CrawlService, request: CrawlRequest, caller: Caller = ALICE
) -> CrawlJob:
    """Run a crawl until it ends and return its job."""
    job = await crawling.start(request, caller)
    return [update async for update in crawling.watch(job.id, caller)][-1]
