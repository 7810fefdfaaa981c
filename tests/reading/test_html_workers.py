"""Pages are parsed in this process or by a worker process, with the same result."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.reading.chromium import descendants
from webquarry.content.html.read_html import read_html
from webquarry.models.reading import Reading
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.worker_pool import WorkerPool
from webquarry.reading.html_workers import HtmlExtractor

pytestmark = pytest.mark.anyio

PAGE = (
    b"<html lang=en><head><title>Owls</title><meta name=author content='Ada Owl'>"
    b'<script type=\'application/ld+json\'>{"@type": "Article", "headline": "Owls"}</script>'
    b"</head><body><article><h1>Owls</h1>"
    + b"<p>Owls hunt at night and hear <a href='/x'>very</a> well.</p>" * 800
    + b"</article></body></html>"
)
LARGE = PAGE.replace(b"</article>", b"<p>Owls hunt at night.</p>" * 4_000 + b"</article>")
SMALL = PAGE[:10_000] + b"</p></article></body></html>"
TINY = b"<title>Owls</title><main><p>Owls hunt at night.</p></main>"
OPTIONS: dict[str, Any] = {"url": "https://a.example/owls", "content_type": "text/html"}


@pytest.fixture
async def parsers() -> AsyncIterator[Parsers]:
    parsers = Parsers(WorkerPool(1))
    yield parsers
    await parsers.aclose()


@contextmanager
def in_flight(extractor: HtmlExtractor, pages: int) -> Generator[None]:
    """Simulate other pages in flight."""
    extractor.pages_in_flight += pages
    yield
    extractor.pages_in_flight -= pages


async def read_with_others(extractor: HtmlExtractor, page: bytes = PAGE) -> Reading:
    with in_flight(extractor, 3):
        return await extractor.read(page, **OPTIONS)


async def worker_of(extractor: HtmlExtractor, page: bytes = PAGE) -> int:
    """Start a worker and return its process id once it is idle."""
    await read_with_others(extractor, page)
    await extractor.wait_for_start()
    (pid,) = extractor.parsers.workers.pids
    return pid


async def test_a_single_page_is_parsed_in_this_process(parsers: Parsers) -> None:
    extractor = HtmlExtractor(parsers, spare_cores=1)

    with in_flight(extractor, 1):
        page = await extractor.read(PAGE, **OPTIONS)

    assert page == read_html(PAGE, **OPTIONS)
    assert parsers.workers.pids == ()


async def test_a_single_large_page_is_parsed_by_a_worker(parsers: Parsers) -> None:
    extractor = HtmlExtractor(parsers, spare_cores=0)

    page = await extractor.read(LARGE, **OPTIONS)

    assert page == read_html(LARGE, **OPTIONS)
    assert len(parsers.workers.pids) == 1


async def test_a_worker_returns_the_same_reading_and_ends_on_close(parsers: Parsers) -> None:
    extractor = HtmlExtractor(parsers, spare_cores=1)
    pid = await worker_of(extractor)

    page = await read_with_others(extractor)

    assert page == read_html(PAGE, **OPTIONS)
    assert extractor.pages_by_workers == 1
    await extractor.aclose()
    await parsers.aclose()
    assert pid not in descendants()


async def test_two_pages_use_a_running_worker_but_start_none(parsers: Parsers) -> None:
    extractor = HtmlExtractor(parsers, spare_cores=1)

    with in_flight(extractor, 2):
        await extractor.read(PAGE, **OPTIONS)
        assert parsers.workers.pids == ()
        await worker_of(extractor)
        page = await extractor.read(PAGE, **OPTIONS)

    assert page == read_html(PAGE, **OPTIONS)
    assert extractor.pages_by_workers == 1


async def test_no_worker_is_started_for_a_few_small_pages(parsers: Parsers) -> None:
    extractor = HtmlExtractor(parsers, spare_cores=1, start_bytes=30_000)

    pages = [await read_with_others(extractor, SMALL) for _ in range(2)]

    assert pages == [read_html(SMALL, **OPTIONS)] * 2
    assert parsers.workers.pids == ()


async def test_no_worker_is_started_for_small_pages_on_a_single_core(parsers: Parsers) -> None:
    extractor = HtmlExtractor(parsers, spare_cores=0, start_bytes=0)

    page = await read_with_others(extractor)

    assert page == read_html(PAGE, **OPTIONS)
    assert parsers.workers.pids == ()


async def test_a_worker_is_started_once_enough_bytes_were_parsed(parsers: Parsers) -> None:
    extractor = HtmlExtractor(parsers, spare_cores=1, start_bytes=0)
    await worker_of(extractor, SMALL)

    page = await read_with_others(extractor, SMALL)
    await read_with_others(extractor, TINY)  # sending it to the worker would take longer

    assert page == read_html(SMALL, **OPTIONS)
    assert extractor.pages_by_workers == 1


async def test_small_pages_use_no_more_workers_than_spare_cores() -> None:
    parsers = Parsers(WorkerPool(2))
    extractor = HtmlExtractor(parsers, spare_cores=1)
    try:
        # two large pages at a time need two workers
        await asyncio.gather(*(extractor.read(LARGE, **OPTIONS) for _ in range(2)))
        large = asyncio.create_task(extractor.read(LARGE, **OPTIONS))
        # a worker has it once it is busy: no event says so
        while not parsers.workers.busy:  # noqa: ASYNC110
            await asyncio.sleep(0)

        page = await read_with_others(extractor)
        by_workers = extractor.pages_by_workers
        await large
        await read_with_others(extractor)

        assert page == read_html(PAGE, **OPTIONS)
        assert (by_workers, extractor.pages_by_workers) == (0, 1)
    finally:
        await parsers.aclose()


async def test_a_page_is_parsed_when_the_idle_worker_was_killed(parsers: Parsers) -> None:
    extractor = HtmlExtractor(parsers, spare_cores=1)
    pid = await worker_of(extractor)
    os.kill(pid, signal.SIGKILL)

    page = await read_with_others(extractor)

    assert page == read_html(PAGE, **OPTIONS)
