"""Starts processes that are going to be killed: each is a fork that has loaded everything already.

One line on stdin starts one; its number is written to stdout.
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

from tests.crawl.lab import ME, crawling_in
from webquarry.content.html import quick_parse, read_html
from webquarry.content.ranking import simhash
from webquarry.crawl.store import sqlite
from webquarry.serving import serve_worker
from webquarry.wiring import build_searching, open_crawling, open_reading

LOADED = (ada_url, protego, lexbor, wreq)
LOADED_OURS = (
    read_html,
    quick_parse,
    simhash,
    open_crawling,
    open_reading,
    build_searching,
    sqlite,
)


async def go_on(directory: Path, settings: dict[str, str]) -> None:
    """Be a server: go on with the crawl in a data directory until it ends."""
    async with crawling_in(directory, settings) as opened:
        (job,) = await opened.jobs(ME)
        opened.resume()
        async for _ in opened.watch(job.id, ME):
            pass


def say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def be_victim(kind: str, directory: Path, settings: dict[str, str]) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if kind == "worker":
        os.environ.update(settings)
        serve_worker({})
    else:
        asyncio.run(go_on(directory, settings))


def main(kind: str, directory: str, settings: str) -> None:
    if kind == "worker":
        import docket
        import psycopg

        from webquarry.crawl.store import postgres
        from webquarry.crawl.workers import shared
        from webquarry.wiring.declared_settings import declared_variables

        assert all((docket, psycopg, shared, postgres, declared_variables()))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    for _ in sys.stdin:
        number = os.fork()
        if number == 0:
            be_victim(kind, Path(directory), json.loads(settings))
            say("done")
            os._exit(0)
        say(str(number))


if __name__ == "__main__":
    main(*sys.argv[1:])
