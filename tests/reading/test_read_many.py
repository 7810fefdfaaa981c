"""Reading several pages side by side."""

import asyncio
from contextlib import aclosing
from datetime import date

import pytest

from tests.support import ALICE
from webquarry.errors import BlockedError
from webquarry.models.caller import Caller
from webquarry.models.reading import Mode, Reading
from webquarry.models.research import SourceFailure
from webquarry.reading.page_output import page_of
from webquarry.reading.read_many import ReadOptions, ReadOutcome, read_many
from webquarry.reading.service import ReadResult

pytestmark = pytest.mark.anyio


class Shelf:
    """Pages that are ready when the test says so."""

    def __init__(self) -> None:
        self.started: list[str] = []
        self.cancelled: list[str] = []
        self.gates: dict[str, asyncio.Event] = {}

    def open(self, url: str) -> None:
        self.gates.setdefault(url, asyncio.Event()).set()

    async def scrape(self, url: str, mode: Mode, length: int, caller: Caller) -> ReadResult:
        self.started.append(url)
        try:
            await self.gates.setdefault(url, asyncio.Event()).wait()
        except asyncio.CancelledError:
            self.cancelled.append(url)
            raise
        if "wall" in url:
            raise BlockedError(f"Blocked: {url}.")
        if "bug" in url:
            raise ZeroDivisionError
        return scraped(url)


def scraped(url: str) -> ReadResult:
    reading = Reading(url=url, address=url, markdown=f"About {url}", kind="html")
    return ReadResult(page=page_of(reading, 50_000, date(2026, 1, 2)), reading=reading)


def addresses(count: int) -> list[str]:
    return [f"https://owls.test/{number}" for number in range(count)]


async def test_pages_come_in_the_order_in_which_they_finish() -> None:
    shelf, urls = Shelf(), addresses(2)
    found: list[ReadOutcome] = []
    async with aclosing(read_many(shelf, urls, ALICE)) as outcomes:
        shelf.open(urls[1])
        found.append(await anext(outcomes))
        shelf.open(urls[0])
        found.append(await anext(outcomes))

    assert found == [
        ReadOutcome(1, urls[1], scraped=scraped(urls[1])),
        ReadOutcome(0, urls[0], scraped=scraped(urls[0])),
    ]


async def test_no_more_than_five_are_read_at_once() -> None:
    shelf, urls = Shelf(), addresses(8)
    async with aclosing(read_many(shelf, urls, ALICE)) as outcomes:
        shelf.open(urls[3])
        first = await anext(outcomes)
        await asyncio.sleep(0)

        assert first.place == 3
        assert shelf.started == urls[:6]


async def test_failures_are_values_that_say_what_to_do() -> None:
    shelf, urls = Shelf(), ["https://wall.test/", "https://bug.test/"]
    for url in urls:
        shelf.open(url)

    found = [outcome async for outcome in read_many(shelf, urls, ALICE)]

    assert [outcome.failure for outcome in sorted(found, key=lambda o: o.place)] == [
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
            reason="https://bug.test/ could not be read because of a fault of the server.",
            retryable=False,
            suggestedAction="report_bug",
        ),
    ]


async def test_a_page_that_takes_too_long_is_a_failure_and_the_others_are_kept() -> None:
    shelf, urls = Shelf(), addresses(2)
    shelf.open(urls[0])

    found = [o async for o in read_many(shelf, urls, ALICE, ReadOptions(seconds=0.01))]

    assert [outcome.url for outcome in found] == urls
    assert found[0].scraped
    assert found[1].failure
    assert found[1].failure.kind == "network"
    assert found[1].failure.retryable
    assert shelf.cancelled == [urls[1]]


async def test_leaving_early_stops_the_reads_under_way() -> None:
    shelf, urls = Shelf(), addresses(7)
    async with aclosing(read_many(shelf, urls, ALICE)) as outcomes:
        shelf.open(urls[0])
        await anext(outcomes)

    assert shelf.cancelled == urls[1:6]


async def test_cancelling_the_caller_stops_the_reads_under_way() -> None:
    shelf, urls = Shelf(), addresses(3)

    async def consume() -> None:
        async with aclosing(read_many(shelf, urls, ALICE)) as outcomes:
            async for _ in outcomes:
                pass

    task = asyncio.create_task(consume())
    for _ in range(5):  # turns of the loop until all three wait
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert shelf.cancelled == urls
