"""Runs never have more requests open to a host than one alone may have, whatever their crawls."""

from pathlib import Path

import pytest

from tests.crawl.store.conftest import SEALS
from tests.crawl.store.test_contract import SOME, begun
from webquarry.crawl.store import process_names
from webquarry.crawl.store.crawl_values import LEASE, ClaimRequest, CrawlBatch, CrawlLease
from webquarry.crawl.store.sql import SqlCrawlStore
from webquarry.crawl.store.sqlite import open_sqlite

pytestmark = pytest.mark.anyio


async def part_of(crawls: SqlCrawlStore, run: CrawlLease, slots: int) -> int:
    """Return what a run gets that may have so many open now."""
    turn = await crawls.commit(run, CrawlBatch(), ClaimRequest(count=0, slots=slots, limit=8))
    return turn.slots


async def joined(crawls: SqlCrawlStore, first: CrawlLease) -> CrawlLease:
    run = await crawls.begin(first.job)
    assert run is not None
    return run


async def test_who_is_alone_has_them_all(crawls: SqlCrawlStore) -> None:
    _, turn = await begun(crawls)

    assert (turn.runs, turn.slots) == (1, SOME.limit)


async def test_who_joins_waits_until_there_is_room(crawls: SqlCrawlStore) -> None:
    one, _ = await begun(crawls)
    two = await joined(crawls, one)

    assert await part_of(crawls, two, 0) == 0
    assert await part_of(crawls, one, 8) == 4  # it still has eight open
    assert await part_of(crawls, two, 0) == 0
    assert await part_of(crawls, one, 5) == 4
    assert await part_of(crawls, two, 0) == 3
    assert await part_of(crawls, one, 4) == 4
    assert await part_of(crawls, two, 3) == 4


async def test_who_leaves_makes_room(crawls: SqlCrawlStore) -> None:
    one, _ = await begun(crawls)
    two = await joined(crawls, one)
    await part_of(crawls, one, 4)
    await part_of(crawls, two, 0)

    await crawls.leave(one)

    assert await part_of(crawls, two, 4) == 8


async def test_more_runs_than_places_take_turns(crawls: SqlCrawlStore) -> None:
    one, _ = await begun(crawls)
    others = [await joined(crawls, one) for _ in range(9)]
    await part_of(crawls, one, 8)
    await part_of(crawls, one, 1)

    assert [await part_of(crawls, run, 0) for run in others] == [1] * 7 + [0] * 2


async def begun_in(
    process: str, crawls: SqlCrawlStore, monkeypatch: pytest.MonkeyPatch, place: bytes = b"place"
) -> CrawlLease:
    """A run of a crawl of its own, by another process."""
    monkeypatch.setattr(process_names, "name", lambda: process)
    run, _ = await begun(crawls, place=place)
    monkeypatch.undo()
    return run


async def test_crawls_of_one_place_share_it_wherever_they_run(
    crawls: SqlCrawlStore, monkeypatch: pytest.MonkeyPatch
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
    crawls: SqlCrawlStore, monkeypatch: pytest.MonkeyPatch
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
    crawls: SqlCrawlStore, monkeypatch: pytest.MonkeyPatch
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
    crawls: SqlCrawlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begun_in("there/1", crawls, monkeypatch)

    assert await crawls.erase(tenant="acme") == 1

    two = await begun_in("there/2", crawls, monkeypatch)
    assert await part_of(crawls, two, 0) == 8
