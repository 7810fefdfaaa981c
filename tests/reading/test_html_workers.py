"""Pages are read here or by a process beside us, with the same result and never later for it."""

import os
import signal
from typing import Any

import pytest

from tests.reading.chromes import descendants
from webquarry.content.html.read_html import read_html
from webquarry.models.page import PageContent
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
ABOUT: dict[str, Any] = {"url": "https://a.example/owls", "content_type": "text/html"}


async def read_in_a_crowd(extraction: HtmlExtractor, page: bytes = PAGE) -> PageContent:
    with extraction.expecting(), extraction.expecting(), extraction.expecting():
        return await extraction.page(page, **ABOUT)


async def helper_of(extraction: HtmlExtractor, page: bytes = PAGE) -> int:
    """Have a process started and return its id once it is free."""
    before = descendants().keys()
    await read_in_a_crowd(extraction, page)
    await extraction.settled()
    (pid,) = descendants().keys() - before
    return pid


async def test_a_page_alone_is_read_here() -> None:
    extraction = HtmlExtractor(workers=1)
    before = descendants().keys()

    with extraction.expecting():
        page = await extraction.page(PAGE, **ABOUT)

    assert page == read_html(PAGE, **ABOUT)
    assert descendants().keys() == before
    await extraction.aclose()


async def test_a_process_reads_the_same_from_a_page_and_ends_with_us() -> None:
    extraction = HtmlExtractor(workers=1)
    pid = await helper_of(extraction)

    page = await read_in_a_crowd(extraction)

    assert page == read_html(PAGE, **ABOUT)
    assert extraction.asked == 1
    await extraction.aclose()
    assert pid not in descendants()


async def test_two_pages_share_a_process_that_is_there_but_start_none() -> None:
    extraction = HtmlExtractor(workers=1)
    before = descendants().keys()

    with extraction.expecting(), extraction.expecting():
        await extraction.page(PAGE, **ABOUT)
        assert descendants().keys() == before
        await helper_of(extraction)
        page = await extraction.page(PAGE, **ABOUT)

    assert page == read_html(PAGE, **ABOUT)
    assert extraction.asked == 1
    await extraction.aclose()


async def test_no_process_is_started_for_a_few_small_pages() -> None:
    extraction = HtmlExtractor(workers=1, worth=30_000)
    before = descendants().keys()

    pages = [await read_in_a_crowd(extraction, SMALL) for _ in range(2)]

    assert pages == [read_html(SMALL, **ABOUT)] * 2
    assert descendants().keys() == before
    await extraction.aclose()


async def test_one_is_started_when_reading_small_pages_has_cost_as_much() -> None:
    extraction = HtmlExtractor(workers=1, worth=0)
    await helper_of(extraction, SMALL)

    page = await read_in_a_crowd(extraction, SMALL)
    await read_in_a_crowd(extraction, TINY)  # talking about it would take longer

    assert page == read_html(SMALL, **ABOUT)
    assert extraction.asked == 1
    await extraction.aclose()


async def test_when_the_process_is_killed_the_page_is_read_here() -> None:
    extraction = HtmlExtractor(workers=1)
    pid = await helper_of(extraction)
    os.kill(pid, signal.SIGKILL)

    page = await read_in_a_crowd(extraction)

    assert page == read_html(PAGE, **ABOUT)
    assert extraction.asked == 0
    await extraction.aclose()
