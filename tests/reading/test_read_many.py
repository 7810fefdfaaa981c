"""Reading several pages concurrently."""

import asyncio
from contextlib import aclosing

import pytest

from tests.support import ALICE
from webquarry.errors import BlockedError
from webquarry.models.caller import Caller
from webquarry.models.reading import Mode, Reading
from webquarry.models.research import SourceFailure
from webquarry.reading.page_output import scraped_page
from webquarry.reading.read_many import ReadOptions, ReadOutcome, read_many
from webquarry.reading.service import ReadResult

pytestmark = pytest.mark.anyio


class HeldPages:
    """A reader whose pages are released by the test."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.cancelled: list[str] = []
        self.released: dict[str, asyncio.Event] = {}

    def release(self, url: str) -> None:
        self.released.setdefault(url, asyncio.Event()).set()

    async def scrape(self, url: str, mode: Mode, length: int, caller: Caller) -> ReadResult:
        self.started.append(url)
        try:
            await self.released.setdefault(url, asyncio.Event()).wait()
        except asyncio.CancelledError:
            self.cancelled.append(url)
            raise
        if "wall" in url:
            raise BlockedError(f"Blocked: {url}.")
        if "bug" in url:
            raise ZeroDivisionError
        return scraped(url)


def scraped(url: str) -> ReadResult:
    reading = Reading(url=url, final_url=url, markdown=f"About {url}", kind="html")
    return ReadResult(page=scraped_page(reading, 50_000, 0.0), reading=reading)


def make_urls(count: int) -> list[str]:
    return [f"https://owls.test/{number}" for number in range(count)]


async def test_outcomes_are_yielded_in_order_of_completion() -> None:
    held_pages, urls = HeldPages(), make_urls(2)
    found: list[ReadOutcome] = []
    async with aclosing(read_many(held_pages, urls, ALICE)) as outcomes:
        held_pages.release(urls[1])
        found.append(await anext(outcomes))
        held_pages.release(urls[0])
        found.append(await anext(outcomes))

    assert found == [
        ReadOutcome(1, urls[1], result=scraped(urls[1])),
        ReadOutcome(0, urls[0], result=scraped(urls[0])),
    ]


async def test_at_most_five_pages_are_read_concurrently() -> None:
    held_pages, urls = HeldPages(), make_urls(8)
    async with aclosing(read_many(held_pages, urls, ALICE)) as outcomes:
        held_pages.release(urls[3])
        first = await anext(outcomes)
        await asyncio.sleep(0)

        assert first.index == 3
        assert held_pages.started == urls[:6]


async def test_failures_are_returned_with_a_suggested_action() -> None:
    held_pages, urls = HeldPages(), ["https://wall.test/", "https://bug.test/"]
    for url in urls:
        held_pages.release(url)

    found = [outcome async for outcome in read_many(held_pages, urls, ALICE)]

    assert [outcome.failure for outcome in sorted(found, key=lambda o: o.index)] == [
        SourceFailure(
            url=urls[0],
            kind="blocked",
            reason="Blocked: https://wall.test/.",
            retryable=False,
            suggestedAction="inform_user",
        ),
        SourceFailure(
            url=urls[1],
            kind="internal",
            reason="https://bug.test/ could not be read because of an internal error.",
            retryable=False,
            suggestedAction="report_bug",
        ),
    ]


async def test_a_slow_page_is_a_failure_and_the_others_are_returned() -> None:
    held_pages, urls = HeldPages(), make_urls(2)
    held_pages.release(urls[0])

    found = [o async for o in read_many(held_pages, urls, ALICE, ReadOptions(seconds=0.01))]

    assert [outcome.url for outcome in found] == urls
    assert found[0].result
    assert found[1].failure
    assert found[1].failure.kind == "network"
    assert found[1].failure.retryable
    assert held_pages.cancelled == [urls[1]]


async def test_closing_the_iterator_cancels_running_reads() -> None:
    held_pages, urls = HeldPages(), make_urls(7)
    async with aclosing(read_many(held_pages, urls, ALICE)) as outcomes:
        held_pages.release(urls[0])
        await anext(outcomes)

    assert held_pages.cancelled == urls[1:6]


async def test_cancelling_the_caller_cancels_running_reads() -> None:
    held_pages, urls = HeldPages(), make_urls(3)

    async def consume() -> None:
        async with aclosing(read_many(held_pages, urls, ALICE)) as outcomes:
            async for _ in outcomes:
                pass

    task = asyncio.create_task(consume())
    for _ in range(5):  # let all three reads start waiting
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert held_pages.cancelled == urls
