"""One crawl of the benchmark site in a separate process: `crawl_ours HOST PAGES DATA [options]`.

Options: `index` (add pages to the local index), `markdown` (also export every page as Markdown),
`batch=FILE` (read the URLs in a file instead of following links), `capture` (keep the exchanges).
"""

import asyncio
import gc
import json
import os
import sys
import time
from contextlib import AsyncExitStack, suppress
from pathlib import Path

from webquarry.crawl.service import CrawlService
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlJob, CrawlRequest
from webquarry.settings.load import load
from webquarry.wiring.container import Services
from webquarry.wiring.open_storage import storage_keys

CALLER = Caller(user="bench")


async def main(host: str, pages: int, data: str, options: list[str]) -> None:
    started = time.monotonic()
    environ = {
        "WEBQUARRY_DATA_DIR": data,
        "ALLOW_PRIVATE_IPS": "true",
        "CRAWL_DELAY": "0",
        "CRAWL_HOST_CONCURRENCY": "16",
        "LOCAL_INDEX": "on" if "index" in options else "off",
    }
    settings = load(environ=environ, directory=Path(data), flags={}, declared=())
    start = f"http://{host}/a/"
    request = CrawlRequest(
        url=start,
        max_depth=50,
        max_pages=pages,
        include=(f"^{start}",),
        exclude=(r"/a/(?:cal|trap|private)\b",),
        capture="capture" in options,
    )
    async with AsyncExitStack() as stack:
        crawling = Services(settings, storage_keys(settings), stack).crawling
        job = await start_job(crawling, request, options)
        first = 0.0
        async for update in crawling.watch(job.id, CALLER):
            job = update
            if not first and job.progress.pagesCrawled:
                first = time.monotonic() - started
        exported = 0
        if "markdown" in options:
            async for line in crawling.export(job.id, CALLER, ("markdown",)):
                exported += len(line)
        report = {"job": job.id, "first": first, "written": exported, "state": job.state}
        print(json.dumps(report | job.progress.model_dump(mode="json")))


async def start_job(crawling: CrawlService, request: CrawlRequest, options: list[str]) -> CrawlJob:
    """Start the crawl, or the batch of the URLs in a file."""
    for option in options:
        if option.startswith("batch="):
            file = Path(option.removeprefix("batch="))
            urls = (await asyncio.to_thread(file.read_text)).split()
            job, _ = await crawling.start_batch(urls, request, CALLER)
            return job
    return await crawling.start(request, CALLER)


async def list_pages(data: str, job_id: str) -> None:
    """Print the URLs and titles of a finished crawl."""
    environ = {"WEBQUARRY_DATA_DIR": data}
    settings = load(environ=environ, directory=Path(data), flags={}, declared=())
    async with AsyncExitStack() as stack:
        crawling = Services(settings, storage_keys(settings), stack).crawling
        async for line in crawling.export(job_id, CALLER, ()):
            page = json.loads(line)
            print(json.dumps({"url": page["url"], "title": page["title"]}))


def server_runner() -> asyncio.Runner:
    """Return a runner with the event loop and garbage-collection threshold of the server."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command `webquarry` does
    gc.set_threshold(10_000, 10, 10)
    with suppress(ImportError):
        import uvloop

        return asyncio.Runner(loop_factory=uvloop.new_event_loop)
    return asyncio.Runner()


if __name__ == "__main__":
    with server_runner() as runner:
        if sys.argv[1] == "list":
            runner.run(list_pages(*sys.argv[2:4]))
        else:
            runner.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]))
