"""Runs of all crawls and processes share the request slots of a host group."""

from pathlib import Path

import pytest

from tests.crawl.store.conftest import CIPHER
from tests.crawl.store.test_contract import CLAIM, start_run
from webquarry.crawl.store import process_names
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import LEASE_SECONDS, ClaimRequest, CrawlBatch, CrawlLease
from webquarry.crawl.store.sqlite import open_sqlite

pytestmark = pytest.mark.anyio


async def granted_slots(crawls: CrawlStore, run: CrawlLease, slots: int) -> int:
    """Return the slots granted to a run that holds this many now."""
    turn = await crawls.commit(run, CrawlBatch(), ClaimRequest(count=0, slots=slots, limit=8))
    return turn.slots


async def join(crawls: CrawlStore, first: CrawlLease) -> CrawlLease:
    run = await crawls.begin(first.job_id)
    assert run is not None
    return run


async def test_a_single_run_gets_all_slots(crawls: CrawlStore) -> None:
    _, turn = await start_run(crawls)

    assert (turn.runs, turn.slots) == (1, CLAIM.limit)


async def test_a_second_run_waits_until_slots_are_free(crawls: CrawlStore) -> None:
    one, _ = await start_run(crawls)
    two = await join(crawls, one)

    assert await granted_slots(crawls, two, 0) == 0
    assert await granted_slots(crawls, one, 8) == 4  # it still holds eight
    assert await granted_slots(crawls, two, 0) == 0
    assert await granted_slots(crawls, one, 5) == 4
    assert await granted_slots(crawls, two, 0) == 3
    assert await granted_slots(crawls, one, 4) == 4
    assert await granted_slots(crawls, two, 3) == 4


async def test_a_released_run_frees_its_slots(crawls: CrawlStore) -> None:
    one, _ = await start_run(crawls)
    two = await join(crawls, one)
    await granted_slots(crawls, one, 4)
    await granted_slots(crawls, two, 0)

    await crawls.release(one)

    assert await granted_slots(crawls, two, 4) == 8


async def test_with_more_runs_than_slots_some_runs_get_none(crawls: CrawlStore) -> None:
    one, _ = await start_run(crawls)
    others = [await join(crawls, one) for _ in range(9)]
    await granted_slots(crawls, one, 8)
    await granted_slots(crawls, one, 1)

    assert [await granted_slots(crawls, run, 0) for run in others] == [1] * 7 + [0] * 2


async def start_run_in(
    process: str,
    crawls: CrawlStore,
    monkeypatch: pytest.MonkeyPatch,
    host_group: bytes = b"group",
) -> CrawlLease:
    """Start a run of a new crawl in another process."""
    monkeypatch.setattr(process_names, "process_name", lambda: process)
    run, _ = await start_run(crawls, host_group=host_group)
    monkeypatch.undo()
    return run


async def test_crawls_of_one_host_group_share_its_slots_across_processes(
    crawls: CrawlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await start_run_in("host/1", crawls, monkeypatch)
    two = await start_run_in("host/2", crawls, monkeypatch)

    assert await granted_slots(crawls, two, 0) == 0
    assert await granted_slots(crawls, one, 8) == 4  # it still holds eight
    assert await granted_slots(crawls, one, 5) == 4
    assert await granted_slots(crawls, two, 0) == 3
    await crawls.release(one)
    assert await granted_slots(crawls, two, 3) == 8


async def test_crawls_of_one_process_share_the_slots_of_the_process(
    crawls: CrawlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await start_run_in("host/1", crawls, monkeypatch)
    two = await start_run_in("host/1", crawls, monkeypatch)
    three = await start_run_in("host/2", crawls, monkeypatch)

    assert await granted_slots(crawls, one, 8) == 4
    assert await granted_slots(crawls, two, 8) == 4
    assert await granted_slots(crawls, one, 4) == 4
    assert await granted_slots(crawls, three, 0) == 0  # the other crawl may still hold eight
    assert await granted_slots(crawls, two, 4) == 4
    assert await granted_slots(crawls, three, 0) == 4


async def test_crawls_of_another_host_group_do_not_share_slots(
    crawls: CrawlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await start_run_in("host/1", crawls, monkeypatch)
    two = await start_run_in("host/2", crawls, monkeypatch, host_group=b"other")

    assert [await granted_slots(crawls, run, 8) for run in (one, two)] == [8, 8]


async def test_the_slots_of_a_process_with_an_expired_lease_are_freed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    crawls = open_sqlite(tmp_path / "crawls.sqlite3", CIPHER, lambda: now[0])
    await start_run_in("host/1", crawls, monkeypatch)
    two = await start_run_in("host/2", crawls, monkeypatch)
    assert await granted_slots(crawls, two, 0) == 0

    now[0] += LEASE_SECONDS + 1

    assert await granted_slots(crawls, two, 0) == 8
    await crawls.close()


async def test_a_deleted_crawl_frees_its_slots(
    crawls: CrawlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await start_run_in("host/1", crawls, monkeypatch)

    assert await crawls.erase(tenant="acme") == 1

    two = await start_run_in("host/2", crawls, monkeypatch)
    assert await granted_slots(crawls, two, 0) == 8
