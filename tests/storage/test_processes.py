"""Several processes on one store, and processes that die."""

import logging
import secrets
from pathlib import Path

import pytest

from tests.storage import workers
from tests.storage.labs import START, SharedLab, SqliteLab
from webquarry.storage.encryption_keys import load_or_create_key
from webquarry.storage.store import StoredValue

pytestmark = pytest.mark.anyio


async def test_what_was_acknowledged_survives_kill_minus_nine(sqlite_lab: SqliteLab) -> None:
    process, pipe = workers.start(workers.write_records, sqlite_lab.place, 1000)
    last = secrets.randbelow(900)
    while pipe.recv() != last:
        pass
    process.kill()
    process.join()
    # the child went on between its last message that was read and its end
    acknowledged = [*range(last + 1), *workers.receive_all(pipe)]
    store = sqlite_lab.open()
    found = [await store.get(f"number:{number}") for number in acknowledged]
    assert [entry and entry.value for entry in found] == [b"%d" % n * 100 for n in acknowledged]
    await store.set("number:0", b"writable")
    assert await store.get("number:0") == StoredValue(b"writable", START, None)


async def test_increments_of_two_processes_add_up(shared_lab: SharedLab) -> None:
    counts = workers.run_in_processes(2, workers.increment, shared_lab.place, 500)
    assert sorted(counts) == list(range(1, 1001))


async def test_a_lock_excludes_other_processes(shared_lab: SharedLab) -> None:
    turns = workers.run_in_processes(3, workers.add_under_lock, shared_lab.place, 40)
    assert sorted(total for total, _ in turns) == list(range(120))
    tokens = [token for _, token in sorted(turns)]
    assert tokens == sorted(set(tokens))


async def test_processes_that_start_at_once_share_a_new_file(sqlite_lab: SqliteLab) -> None:
    written = workers.run_in_processes(6, workers.open_and_write, sqlite_lab.place)
    assert len(set(written)) == 6
    assert {key async for key in sqlite_lab.open().scan("opened:")} == set(written)


async def test_processes_that_start_at_once_replace_a_damaged_file_once(
    sqlite_lab: SqliteLab, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    sqlite_lab.path.parent.mkdir()
    sqlite_lab.path.write_bytes(b"garbage " * 1000)
    written = workers.run_in_processes(6, workers.open_and_write, sqlite_lab.place)
    assert {key async for key in sqlite_lab.open().scan("opened:")} == set(written)
    aside = sorted(path.name for path in sqlite_lab.path.parent.glob("*.corrupt-*"))
    assert aside == ["store.db.corrupt-1"]


def test_processes_that_start_at_once_agree_on_one_key(tmp_path: Path) -> None:
    path = tmp_path / "data" / "key"
    keys = workers.run_in_processes(8, workers.make_key, str(path))
    assert keys == [load_or_create_key(path)] * 8
    assert [entry.name for entry in path.parent.iterdir()] == ["key"]
