"""One crawl of the benchmark site in a process of its own: `crawl_ours HOST PAGES DATA [options]`.

Options: `index` (pages enter the local index), `markdown` (every page is written as Markdown too).
"""

import asyncio
import gc
import json
import sys
import time
from contextlib import AsyncExitStack, suppress
from pathlib import Path

from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlRequest
from webquarry.settings.load import load
from webquarry.wiring.container import Container
from webquarry.wiring.open_storage import storage_keys

ME = Caller(user="bench")


async def main(host: str, pages: int, data: str, options: list[str]) -> None:
    began = time.monotonic()
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
    )
    async with AsyncExitStack() as stack:
        crawling = Container(settings, storage_keys(settings), stack).crawling
        job = await crawling.start(request, ME)
        first = 0.0
        async for seen in crawling.watch(job.id, ME):
            job = seen
            if not first and job.progress.pagesCrawled:
                first = time.monotonic() - began
        written = 0
        if "markdown" in options:
            async for line in crawling.export(job.id, ME, ("markdown",)):
                written += len(line)
        report = {"job": job.id, "first": first, "written": written, "state": job.state}
        print(json.dumps(report | job.progress.model_dump(mode="json")))


async def listed(data: str, job_id: str) -> None:
    """Print the addresses and titles of a crawl that is done."""
    environ = {"WEBQUARRY_DATA_DIR": data}
    settings = load(environ=environ, directory=Path(data), flags={}, declared=())
    async with AsyncExitStack() as stack:
        crawling = Container(settings, storage_keys(settings), stack).crawling
        async for line in crawling.export(job_id, ME, ()):
            page = json.loads(line)
            print(json.dumps({"url": page["url"], "title": page["title"]}))


def as_served() -> asyncio.Runner:
    """Return what runs a crawl in the event loop that the server has, collecting as seldom."""
    gc.set_threshold(10_000, 10, 10)
    with suppress(ImportError):
        import uvloop

        return asyncio.Runner(loop_factory=uvloop.new_event_loop)
    return asyncio.Runner()


if __name__ == "__main__":
    with as_served() as runner:
        if sys.argv[1] == "list":
            runner.run(listed(*sys.argv[2:4]))
        else:
            runner.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4:]))
