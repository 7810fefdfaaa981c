"""Several processes on one store, and processes that are killed."""

import logging
import secrets
from pathlib import Path

import pytest

from tests.storage import workers
from tests.storage.store_harness import START, SharedHarness, SqliteHarness
from webquarry.storage.encryption_keys import load_or_create_key
from webquarry.storage.store import StoredValue

pytestmark = pytest.mark.anyio


async def test_acknowledged_writes_survive_kill_9(sqlite_harness: SqliteHarness) -> None:
    process, pipe = workers.start(workers.write_records, sqlite_harness.location, 1000)
    last = secrets.randbelow(900)
    while pipe.recv() != last:
        pass
    process.kill()
    process.join()
    # the child went on between its last message that was read and its end
    acknowledged = [*range(last + 1), *workers.receive_all(pipe)]
    store = sqlite_harness.open()
    found = [await store.get(f"number:{number}") for number in acknowledged]
    assert [entry and entry.value for entry in found] == [b"%d" % n * 100 for n in acknowledged]
    await store.set("number:0", b"writable")
    assert await store.get("number:0") == StoredValue(b"writable", START, None)


async def test_increments_of_two_processes_add_up(shared_harness: SharedHarness) -> None:
    counts = workers.run_in_processes(2, workers.increment, shared_harness.location, 500)
    assert sorted(counts) == list(range(1, 1001))


async def test_a_lock_excludes_other_processes(shared_harness: SharedHarness) -> None:
    turns = workers.run_in_processes(3, workers.add_under_lock, shared_harness.location, 40)
    assert sorted(total for total, _ in turns) == list(range(120))
    tokens = [token for _, token in sorted(turns)]
    assert tokens == sorted(set(tokens))


async def test_processes_that_start_together_share_a_new_file(
    sqlite_harness: SqliteHarness,
) -> None:
    written = workers.run_in_processes(6, workers.open_and_write, sqlite_harness.location)
    assert len(set(written)) == 6
    assert {key async for key in sqlite_harness.open().scan("opened:")} == set(written)


async def test_processes_that_start_together_replace_a_damaged_file_once(
    sqlite_harness: SqliteHarness, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    sqlite_harness.path.parent.mkdir()
    sqlite_harness.path.write_bytes(b"garbage " * 1000)
    written = workers.run_in_processes(6, workers.open_and_write, sqlite_harness.location)
    assert {key async for key in sqlite_harness.open().scan("opened:")} == set(written)
    aside = sorted(path.name for path in sqlite_harness.path.parent.glob("*.corrupt-*"))
    assert aside == ["store.db.corrupt-1"]


def test_processes_that_start_together_use_one_key(tmp_path: Path) -> None:
    path = tmp_path / "data" / "key"
    keys = workers.run_in_processes(8, workers.make_key, str(path))
    assert keys == [load_or_create_key(path)] * 8
    assert [entry.name for entry in path.parent.iterdir()] == ["key"]
