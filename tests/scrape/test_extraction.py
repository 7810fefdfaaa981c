"""Pages are read here or by a process beside us, with the same result and never later for it."""

import os
import signal
from typing import Any

import pytest

from tests.scrape.chromes import descendants
from webquarry.content.extract import read_html
from webquarry.models.page import PageContent
from webquarry.scrape.extraction import Extraction

pytestmark = pytest.mark.anyio

PAGE = (
    b"<html lang=en><head><title>Owls</title><meta name=author content='Ada Owl'>"
    b'<script type=\'application/ld+json\'>{"@type": "Article", "headline": "Owls"}</script>'
    b"</head><body><article><h1>Owls</h1>"
    + b"<p>Owls hunt at night and hear <a href='/x'>very</a> well.</p>" * 800
    + b"</article></body></html>"
)
ABOUT: dict[str, Any] = {"url": "https://a.example/owls", "content_type": "text/html"}


async def read_in_a_crowd(extraction: Extraction) -> PageContent:
    with extraction.expecting(), extraction.expecting(), extraction.expecting():
        return await extraction.page(PAGE, **ABOUT)


async def helper_of(extraction: Extraction) -> int:
    """Have a process started and return its id once it is free."""
    before = descendants().keys()
    await read_in_a_crowd(extraction)
    await extraction.settled()
    (pid,) = descendants().keys() - before
    return pid


async def test_a_page_alone_is_read_here() -> None:
    extraction = Extraction(workers=1)
    before = descendants().keys()

    with extraction.expecting():
        page = await extraction.page(PAGE, **ABOUT)

    assert page == read_html(PAGE, **ABOUT)
    assert descendants().keys() == before
    await extraction.aclose()


async def test_a_process_reads_the_same_from_a_page_and_ends_with_us() -> None:
    extraction = Extraction(workers=1)
    pid = await helper_of(extraction)

    page = await read_in_a_crowd(extraction)

    assert page == read_html(PAGE, **ABOUT)
    assert extraction.asked == 1
    await extraction.aclose()
    assert pid not in descendants()


async def test_when_the_process_is_killed_the_page_is_read_here() -> None:
    extraction = Extraction(workers=1)
    pid = await helper_of(extraction)
    os.kill(pid, signal.SIGKILL)

    page = await read_in_a_crowd(extraction)

    assert page == read_html(PAGE, **ABOUT)
    assert extraction.asked == 0
    await extraction.aclose()
