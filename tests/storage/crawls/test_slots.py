"""Runs of one crawl never have more requests open to a host than one alone may have."""

import pytest

from tests.storage.crawls.test_contract import SOME, begun
from webquarry.storage.crawls.base import Batch, Run, Wish
from webquarry.storage.crawls.sql import SqlCrawls

pytestmark = pytest.mark.anyio


async def part_of(crawls: SqlCrawls, run: Run, slots: int) -> int:
    """Return what a run gets that may have so many open now."""
    turn = await crawls.commit(run, Batch(), Wish(count=0, slots=slots, limit=8))
    return turn.slots


async def joined(crawls: SqlCrawls, first: Run) -> Run:
    run = await crawls.begin(first.job)
    assert run is not None
    return run


async def test_who_is_alone_has_them_all(crawls: SqlCrawls) -> None:
    _, turn = await begun(crawls)

    assert (turn.runs, turn.slots) == (1, SOME.limit)


async def test_who_joins_waits_until_there_is_room(crawls: SqlCrawls) -> None:
    one, _ = await begun(crawls)
    two = await joined(crawls, one)

    assert await part_of(crawls, two, 0) == 0
    assert await part_of(crawls, one, 8) == 4  # it still has eight open
    assert await part_of(crawls, two, 0) == 0
    assert await part_of(crawls, one, 5) == 4
    assert await part_of(crawls, two, 0) == 3
    assert await part_of(crawls, one, 4) == 4
    assert await part_of(crawls, two, 3) == 4


async def test_who_leaves_makes_room(crawls: SqlCrawls) -> None:
    one, _ = await begun(crawls)
    two = await joined(crawls, one)
    await part_of(crawls, one, 4)
    await part_of(crawls, two, 0)

    await crawls.leave(one)

    assert await part_of(crawls, two, 4) == 8


async def test_more_runs_than_places_take_turns(crawls: SqlCrawls) -> None:
    one, _ = await begun(crawls)
    others = [await joined(crawls, one) for _ in range(9)]
    await part_of(crawls, one, 8)
    await part_of(crawls, one, 1)

    assert [await part_of(crawls, run, 0) for run in others] == [1] * 7 + [0] * 2
