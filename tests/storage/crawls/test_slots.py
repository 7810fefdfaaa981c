"""Runs never have more requests open to a host than one alone may have, whatever their crawls."""

from pathlib import Path

import pytest

from tests.storage.crawls.conftest import SEALS
from tests.storage.crawls.test_contract import SOME, begun
from webquarry.storage.crawls import processes
from webquarry.storage.crawls.base import LEASE, Batch, Run, Wish
from webquarry.storage.crawls.sql import SqlCrawls
from webquarry.storage.crawls.sqlite import open_sqlite

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


async def begun_in(
    process: str, crawls: SqlCrawls, monkeypatch: pytest.MonkeyPatch, place: bytes = b"place"
) -> Run:
    """A run of a crawl of its own, by another process."""
    monkeypatch.setattr(processes, "name", lambda: process)
    run, _ = await begun(crawls, place=place)
    monkeypatch.undo()
    return run


async def test_crawls_of_one_place_share_it_wherever_they_run(
    crawls: SqlCrawls, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await begun_in("there/1", crawls, monkeypatch)
    two = await begun_in("there/2", crawls, monkeypatch)

    assert await part_of(crawls, two, 0) == 0
    assert await part_of(crawls, one, 8) == 4  # it still has eight open
    assert await part_of(crawls, one, 5) == 4
    assert await part_of(crawls, two, 0) == 3
    await crawls.leave(one)
    assert await part_of(crawls, two, 3) == 8


async def test_crawls_of_one_process_have_one_part(
    crawls: SqlCrawls, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await begun_in("there/1", crawls, monkeypatch)
    two = await begun_in("there/1", crawls, monkeypatch)
    three = await begun_in("there/2", crawls, monkeypatch)

    assert await part_of(crawls, one, 8) == 4
    assert await part_of(crawls, two, 8) == 4
    assert await part_of(crawls, one, 4) == 4
    assert await part_of(crawls, three, 0) == 0  # the other one may still have eight open
    assert await part_of(crawls, two, 4) == 4
    assert await part_of(crawls, three, 0) == 4


async def test_crawls_of_other_places_do_not_matter(
    crawls: SqlCrawls, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await begun_in("there/1", crawls, monkeypatch)
    two = await begun_in("there/2", crawls, monkeypatch, place=b"other")

    assert [await part_of(crawls, run, 8) for run in (one, two)] == [8, 8]


async def test_a_place_is_not_kept_for_a_process_that_fell_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    crawls = open_sqlite(tmp_path / "crawls.sqlite3", SEALS, lambda: now[0])
    await begun_in("there/1", crawls, monkeypatch)
    two = await begun_in("there/2", crawls, monkeypatch)
    assert await part_of(crawls, two, 0) == 0

    now[0] += LEASE + 1

    assert await part_of(crawls, two, 0) == 8
    await crawls.close()


async def test_a_deleted_crawl_keeps_no_place(
    crawls: SqlCrawls, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begun_in("there/1", crawls, monkeypatch)

    assert await crawls.erase(tenant="acme") == 1

    two = await begun_in("there/2", crawls, monkeypatch)
    assert await part_of(crawls, two, 0) == 8
