"""Pages are parsed in this process or by a worker process, with the same result."""

import os
import signal
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.reading.chromium import descendants
from webquarry.content.html.read_html import read_html
from webquarry.models.reading import Reading
from webquarry.reading.html_workers import HtmlExtractor

pytestmark = pytest.mark.anyio

PAGE = (
    b"<html lang=en><head><title>Owls</title><meta name=author content='Ada Owl'>"
    b'<script type=\'application/ld+json\'>{"@type": "Article", "headline": "Owls"}</script>'
    b"</head><body><article><h1>Owls</h1>"
    + b"<p>Owls hunt at night and hear <a href='/x'>very</a> well.</p>" * 800
    + b"</article></body></html>"
)
SMALL = PAGE[:10_000] + b"</p></article></body></html>"
TINY = b"<title>Owls</title><main><p>Owls hunt at night.</p></main>"
OPTIONS: dict[str, Any] = {"url": "https://a.example/owls", "content_type": "text/html"}


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
    before = descendants().keys()
    await read_with_others(extractor, page)
    await extractor.wait_for_start()
    (pid,) = descendants().keys() - before
    return pid


async def test_a_single_page_is_parsed_in_this_process() -> None:
    extractor = HtmlExtractor(workers=1)
    before = descendants().keys()

    with in_flight(extractor, 1):
        page = await extractor.read(PAGE, **OPTIONS)

    assert page == read_html(PAGE, **OPTIONS)
    assert descendants().keys() == before
    await extractor.aclose()


async def test_a_worker_returns_the_same_reading_and_ends_on_close() -> None:
    extractor = HtmlExtractor(workers=1)
    pid = await worker_of(extractor)

    page = await read_with_others(extractor)

    assert page == read_html(PAGE, **OPTIONS)
    assert extractor.pages_by_workers == 1
    await extractor.aclose()
    assert pid not in descendants()


async def test_two_pages_use_a_running_worker_but_start_none() -> None:
    extractor = HtmlExtractor(workers=1)
    before = descendants().keys()

    with in_flight(extractor, 2):
        await extractor.read(PAGE, **OPTIONS)
        assert descendants().keys() == before
        await worker_of(extractor)
        page = await extractor.read(PAGE, **OPTIONS)

    assert page == read_html(PAGE, **OPTIONS)
    assert extractor.pages_by_workers == 1
    await extractor.aclose()


async def test_no_worker_is_started_for_a_few_small_pages() -> None:
    extractor = HtmlExtractor(workers=1, start_bytes=30_000)
    before = descendants().keys()

    pages = [await read_with_others(extractor, SMALL) for _ in range(2)]

    assert pages == [read_html(SMALL, **OPTIONS)] * 2
    assert descendants().keys() == before
    await extractor.aclose()


async def test_a_worker_is_started_once_enough_bytes_were_parsed() -> None:
    extractor = HtmlExtractor(workers=1, start_bytes=0)
    await worker_of(extractor, SMALL)

    page = await read_with_others(extractor, SMALL)
    await read_with_others(extractor, TINY)  # sending it to the worker would take longer

    assert page == read_html(SMALL, **OPTIONS)
    assert extractor.pages_by_workers == 1
    await extractor.aclose()


async def test_a_page_is_parsed_in_this_process_when_the_worker_was_killed() -> None:
    extractor = HtmlExtractor(workers=1)
    pid = await worker_of(extractor)
    os.kill(pid, signal.SIGKILL)

    page = await read_with_others(extractor)

    assert page == read_html(PAGE, **OPTIONS)
    assert extractor.pages_by_workers == 0
    await extractor.aclose()
