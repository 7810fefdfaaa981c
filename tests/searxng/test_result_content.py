"""Reading result pages: each may fail without the others."""

import asyncio
from dataclasses import replace

import pytest

from tests.replay import FakeClock
from webquarry.errors import BlockedError, NetworkError
from webquarry.models.caller import Caller
from webquarry.net.url import Url
from webquarry.reading.read_port import PlainReading
from webquarry.searxng.result_content import ResultContent, ResultContentReader
from webquarry.settings.groups.web_search import WebSearchSettings

pytestmark = pytest.mark.anyio
TEXT = "Owls are birds that hunt at night. They hear very well.\n\n```\ncode()\n```"
SETTINGS = WebSearchSettings()

ALICE = Caller(tenant="acme", user="alice", proved=True)


class Shelf:
    """Pages by address; counts how many are read at the same time."""

    def __init__(self, **pages: PlainReading | Exception) -> None:
        self._pages = pages
        self.asked: list[tuple[str, float, int]] = []
        self.owners: list[Caller | None] = []
        self.busiest = 0
        self._reading = 0

    async def read(
        self, url: str, *, seconds: float, max_bytes: int, owner: Caller | None
    ) -> PlainReading:
        self.owners.append(owner)
        self.asked.append((url, seconds, max_bytes))
        self._reading += 1
        self.busiest = max(self.busiest, self._reading)
        await asyncio.sleep(0)
        self._reading -= 1
        page = self._pages.get(url, PlainReading(url=url, markdown=TEXT))
        if isinstance(page, Exception):
            raise page
        return page


async def told(done: int, total: int) -> None:
    assert done <= total


async def read(
    shelf: Shelf, *urls: str, options: WebSearchSettings = SETTINGS, budget: float = 100
) -> list[ResultContent]:
    contents = ResultContentReader(shelf, options, FakeClock().clock())
    read = await contents.read(urls, "owls", budget=budget, on_progress=told, owner=ALICE)
    assert all(owner == ALICE for owner in shelf.owners)
    return read[0]


async def test_a_page_has_words_and_a_summary() -> None:
    assert await read(Shelf(), "a") == [
        ResultContent(
            markdown=TEXT,
            word_count=12,
            summary="Owls are birds that hunt at night.",
        )
    ]


async def test_failures_are_told_page_by_page_and_order_is_kept() -> None:
    shelf = Shelf(
        b=BlockedError("robots.txt forbids it"),
        c=PlainReading(url="c", markdown="Log in to continue reading all of this."),
        d=PlainReading(url="d", markdown=TEXT, wall="paywall"),
        e=PlainReading(url="e", markdown=TEXT, wall="consent"),
        f=TimeoutError(),
        g=PlainReading(url="g", markdown=TEXT, truncated=True),
    )

    found = await read(shelf, "a", "b", "c", "d", "e", "f", "g")

    assert [content.error for content in found] == [
        "",
        "robots.txt forbids it",
        "the page requires a login",
        "the page is behind a paywall",
        "the page shows a consent wall",
        "the page was not read within 45 seconds",
        "",
    ]
    assert found[6].truncated


async def test_the_settings_bound_size_time_and_number() -> None:
    shelf = Shelf()
    options = replace(
        SETTINGS, max_concurrent_fetches=3, content_fetch_timeout=7.0, max_content_size=5000
    )

    await read(shelf, *map(str, range(10)), options=options)

    assert shelf.busiest == 3
    assert {(seconds, size) for _, seconds, size in shelf.asked} == {(7.0, 5000)}


async def test_what_there_is_no_time_for_is_not_begun() -> None:
    shelf = Shelf()

    (content,) = await read(shelf, "a", budget=0)

    assert content == ResultContent(error="no time was left to read the page")
    assert shelf.asked == []


async def test_summaries_and_code_can_be_switched_off() -> None:
    options = replace(SETTINGS, summarize_long_content=False, extract_code_blocks=False)

    (content,) = await read(Shelf(), "a", options=options)

    assert content.summary is None
    assert content.markdown == "Owls are birds that hunt at night. They hear very well."


async def test_a_summary_has_the_length_that_is_set() -> None:
    (content,) = await read(Shelf(), "a", options=replace(SETTINGS, max_summary_length=50))

    assert content.summary is not None
    assert len(content.summary) <= 50


class Rules:
    """robots.txt of a site that keeps robots out of /private."""

    def __init__(self, error: Exception | None = None) -> None:
        self._error = error

    async def check(self, url: Url) -> None:
        if self._error:
            raise self._error
        if "/private" in url.href:
            raise BlockedError("Blocked: robots.txt of example.org disallows it.")


async def test_robots_txt_decides_which_pages_are_read() -> None:
    shelf = Shelf()
    reader = ResultContentReader(shelf, SETTINGS, FakeClock().clock(), robots=Rules())
    urls = ["https://example.org/private/1", "https://example.org/2"]

    contents, _ = await reader.read(urls, "owls", budget=100, on_progress=told, owner=ALICE)

    assert [content.error for content in contents] == [
        "robots.txt disallows the page (WEB_SEARCH_RESPECT_ROBOTS)",
        "",
    ]
    assert [url for url, _, _ in shelf.asked] == urls[1:]


async def test_a_robots_txt_that_cannot_be_reached_is_the_reason_given() -> None:
    rules = Rules(NetworkError("DNS lookup failed (no such host)"))
    reader = ResultContentReader(Shelf(), SETTINGS, FakeClock().clock(), robots=rules)

    contents, _ = await reader.read(
        ["https://example.org/"], "owls", budget=100, on_progress=told, owner=ALICE
    )

    assert [content.error for content in contents] == ["DNS lookup failed (no such host)"]
