"""Forks processes for crash tests; the imports are done before, so that a fork starts quickly.

Each line on stdin starts one process, and its process id is written to stdout.
"""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

import ada_url
import protego
import wreq
from selectolax import lexbor

from tests.crawl.crawl_service import ALICE, open_crawl_service
from webquarry.content.html import quick_parse, read_html
from webquarry.content.ranking import simhash
from webquarry.crawl.store import sqlite
from webquarry.services.searching import service as searching_service
from webquarry.serving import serve_worker
from webquarry.wiring import open_crawling, open_reading

LOADED = (ada_url, protego, lexbor, wreq)
LOADED_OURS = (
    read_html,
    quick_parse,
    simhash,
    open_crawling,
    open_reading,
    searching_service,
    sqlite,
)


async def continue_crawl(directory: Path, settings: dict[str, str]) -> None:
    """Continue the crawl in a data directory until it ends."""
    async with open_crawl_service(directory, settings) as crawling:
        (job,) = await crawling.jobs(ALICE)
        crawling.resume()
        async for _ in crawling.watch(job.id, ALICE):
            pass
        # until the next attempt is due
        while await crawling.finish_deliveries(job.id, 30):  # noqa: ASYNC110
            await asyncio.sleep(0.05)


def print_line(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def run_child(kind: str, directory: Path, settings: dict[str, str]) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if kind == "worker":
        os.environ.update(settings)
        serve_worker({})
    else:
        asyncio.run(continue_crawl(directory, settings))


def main(kind: str, directory: str, settings: str) -> None:
    if kind == "worker":
        import psycopg

        from webquarry.crawl.store import postgres
        from webquarry.crawl.workers import announcements, shared
        from webquarry.wiring.declared_settings import declared_variables

        assert all((psycopg, announcements, shared, postgres, declared_variables()))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps the children
    for _ in sys.stdin:
        pid = os.fork()
        if pid == 0:
            run_child(kind, Path(directory), json.loads(settings))
            print_line("done")
            os._exit(0)
        print_line(str(pid))


if __name__ == "__main__":
    main(*sys.argv[1:])
