"""A damaged database file causes misses, never an unexpected exception or a wrong value."""

import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.storage.store_harness import KEY, START, Clock, SqliteHarness
from webquarry.errors import DeadlineError, SettingsError, WebquarryError
from webquarry.storage.cipher import Keyring
from webquarry.storage.sqlite_store import SqliteStore
from webquarry.storage.store import StoredValue

pytestmark = pytest.mark.anyio

# small values, one that fills a database page and one that needs many pages
VALUES = {f"item:{n}": bytes([n]) * size for n, size in enumerate([0, 5, 300, 4000, 70_000])}
FLIPS = st.lists(
    st.tuples(st.integers(min_value=0), st.integers(min_value=1, max_value=255)),
    min_size=1,
    max_size=8,
)


async def _filled(path: Path) -> SqliteStore:
    store = SqliteStore(path, Keyring(KEY), clock=Clock())
    for key, value in VALUES.items():
        await store.set(key, value)
    await store.increment("visits")
    return store


async def _sound_file() -> bytes:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "store.db"
        store = await _filled(path)
        await store.close()
        return path.read_bytes()


async def _unfinished_files() -> tuple[bytes, bytes]:
    """Return the database file and its write-ahead log as a killed process leaves them."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "store.db"
        store = await _filled(path)
        files = path.read_bytes(), path.with_name("store.db-wal").read_bytes()
        await store.close()
        return files


SOUND = anyio.run(_sound_file)
UNFINISHED = anyio.run(_unfinished_files)


_READ = {"label": "SELECT label FROM records", "body": "SELECT body FROM records"}
_CHANGE = {"label": "UPDATE records SET label = ?", "body": "UPDATE records SET body = ?"}


def _flipped(content: bytes, flips: list[tuple[int, int]]) -> bytes:
    changed = bytearray(content)
    for position, mask in flips:
        changed[position % len(changed)] ^= mask
    return bytes(changed)


async def _use(path: Path) -> None:
    """Use every operation of the store; only `WebquarryError` may be raised."""
    try:
        store = SqliteStore(path, Keyring(KEY), clock=Clock())
    except WebquarryError:
        return
    try:
        for key, value in VALUES.items():
            assert await store.get(key) in (None, StoredValue(value, START, None))
        for work in (_scan, _write, _count, _lock):
            with suppress(WebquarryError):
                await work(store)
    finally:
        await store.close()


async def _scan(store: SqliteStore) -> None:
    assert {key async for key in store.scan("item:")} <= set(VALUES)


async def _write(store: SqliteStore) -> None:
    for key in VALUES:
        await store.set(key, b"new")
        # a miss, if this read was the first to detect the damage
        assert await store.get(key) in (None, StoredValue(b"new", START, None))
        await store.ttl(key)
        await store.delete(key)


async def _count(store: SqliteStore) -> None:
    assert await store.increment("visits") in (1, 2)


async def _lock(store: SqliteStore) -> None:
    async with store.lock("job", ttl=60) as lease:
        assert lease.token > 0
    await store.sweep()


def _check(main: bytes, log: bytes | None = None) -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "store.db"
        path.write_bytes(main)
        if log is not None:
            path.with_name("store.db-wal").write_bytes(log)
        anyio.run(_use, path)


@settings(deadline=None, max_examples=150)
@given(flips=FLIPS)
def test_flipped_bytes_in_the_file_cause_at_worst_a_miss(
    flips: list[tuple[int, int]],
) -> None:
    _check(_flipped(SOUND, flips))


@settings(deadline=None, max_examples=50)
@given(flips=FLIPS)
def test_flipped_bytes_in_the_wal_of_a_killed_process_cause_at_worst_a_miss(
    flips: list[tuple[int, int]],
) -> None:
    main, log = UNFINISHED
    _check(main, _flipped(log, flips))


@settings(deadline=None, max_examples=30)
@given(length=st.integers(min_value=0, max_value=len(SOUND)))
def test_a_truncated_file_causes_at_worst_a_miss(length: int) -> None:
    _check(SOUND[:length])


@pytest.mark.parametrize("position", range(100))
def test_a_flipped_byte_in_the_header_causes_at_worst_a_miss(position: int) -> None:
    _check(_flipped(SOUND, [(position, 0xFF)]))


@pytest.mark.parametrize("word", [b"TABLE", b"records", b"namespace", b"locks", b"BLOB"])
def test_a_damaged_table_definition_causes_at_worst_a_miss(word: bytes) -> None:
    assert word in SOUND
    _check(SOUND.replace(word, b"\xa1" + word[1:]))


@pytest.mark.parametrize("column", ["label", "body"])
async def test_a_flipped_byte_in_a_row_is_a_miss(
    sqlite_harness: SqliteHarness, column: str
) -> None:
    store = sqlite_harness.open()
    await store.set("item:1", b"value", ttl=60)
    with closing(sqlite3.connect(sqlite_harness.path, isolation_level=None)) as raw:
        (blob,) = raw.execute(_READ[column]).fetchone()
        for position in range(len(blob)):
            raw.execute(_CHANGE[column], (_flipped(blob, [(position, 1)]),))
            if column == "body":
                assert await store.get("item:1") is None
            else:
                assert await store.ttl("item:1") is None
                assert [key async for key in store.scan("item:")] == []
        for other in (None, 5, "text", b"", blob[:-1], blob + b"x"):
            raw.execute(_CHANGE[column], (other,))
            assert await store.get("item:1") in (None, StoredValue(b"value", START, START + 60))
            assert (await store.get("item:1") is None) is (column == "body")
            assert await store.ttl("item:1") in (None, 60)
    await store.set("item:1", b"again")
    assert await store.get("item:1") == StoredValue(b"again", START, None)


async def test_a_value_moved_to_another_key_is_a_miss(sqlite_harness: SqliteHarness) -> None:
    store = sqlite_harness.open()
    await store.set("item:1", b"one")
    await store.set("item:2", b"two")
    with closing(sqlite3.connect(sqlite_harness.path, isolation_level=None)) as raw:
        first, second = (row[0] for row in raw.execute("SELECT body FROM records ORDER BY rowid"))
        raw.execute("UPDATE records SET body = ? WHERE rowid = 1", (second,))
        raw.execute("UPDATE records SET body = ? WHERE rowid = 2", (first,))
    assert await store.get("item:1") is None
    assert await store.get("item:2") is None


async def test_a_tampered_expiry_is_ignored(sqlite_harness: SqliteHarness) -> None:
    store = sqlite_harness.open()
    await store.set("item:1", b"value", ttl=60)
    with closing(sqlite3.connect(sqlite_harness.path, isolation_level=None)) as raw:
        raw.execute("UPDATE records SET expires_at = NULL")
    await sqlite_harness.advance(60)
    assert await store.get("item:1") is None
    assert await store.ttl("item:1") is None


async def test_a_file_that_is_not_a_database_is_moved_aside_with_a_warning(
    sqlite_harness: SqliteHarness, caplog: pytest.LogCaptureFixture
) -> None:
    garbage = b"this is no database " * 500
    for _ in range(2):
        sqlite_harness.path.parent.mkdir(exist_ok=True)
        sqlite_harness.path.write_bytes(garbage)
        store = sqlite_harness.open()
        await store.set("item:1", b"value")
        assert await store.get("item:1") == StoredValue(b"value", START, None)
        await store.close()
    folder = sqlite_harness.path.parent
    assert (folder / "store.db.corrupt-1").read_bytes() == garbage
    assert (folder / "store.db.corrupt-2").read_bytes() == garbage
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]
    assert "it was moved to store.db.corrupt-1 and a new one was created" in caplog.messages[0]


async def test_a_file_damaged_while_it_is_open_is_replaced_for_every_process(
    sqlite_harness: SqliteHarness,
) -> None:
    first, second = sqlite_harness.open(), sqlite_harness.open()
    await first.set("item:1", b"value")
    assert await second.get("item:1") == StoredValue(b"value", START, None)
    for suffix in ("", "-wal"):
        path = sqlite_harness.path.with_name(sqlite_harness.path.name + suffix)
        path.write_bytes(b"garbage!" * 4096)
    for store in (first, second):
        await store.set("item:2", b"new")
    for store in (first, second):
        assert await store.get("item:1") is None
        assert await store.get("item:2") == StoredValue(b"new", START, None)


async def test_a_file_deleted_under_a_running_store_is_created_again(
    sqlite_harness: SqliteHarness,
) -> None:
    store = sqlite_harness.open()
    await store.set("item:1", b"value")
    for path in list(sqlite_harness.path.parent.iterdir()):
        path.unlink()
    assert await store.get("item:1") is None
    await store.set("item:1", b"new")
    assert await store.get("item:1") == StoredValue(b"new", START, None)


async def test_a_file_of_a_newer_version_is_not_changed(sqlite_harness: SqliteHarness) -> None:
    await sqlite_harness.open().set("item:1", b"value")
    with closing(sqlite3.connect(sqlite_harness.path)) as raw:
        raw.execute("PRAGMA user_version = 99")
    with pytest.raises(SettingsError, match="was written by a newer version; update"):
        sqlite_harness.open()


async def test_a_file_that_cannot_be_opened_is_a_settings_error(
    sqlite_harness: SqliteHarness,
) -> None:
    sqlite_harness.path.mkdir(parents=True)
    with pytest.raises(SettingsError, match=r"store\.db cannot be used: .*check its permissions"):
        sqlite_harness.open()


async def test_a_locked_database_is_a_deadline_error(sqlite_harness: SqliteHarness) -> None:
    store = SqliteStore(
        sqlite_harness.path, Keyring(KEY), busy_timeout=0.0, clock=sqlite_harness.clock
    )
    await store.set("item:1", b"value")
    with closing(sqlite3.connect(sqlite_harness.path, isolation_level=None)) as raw:
        raw.execute("BEGIN IMMEDIATE")
        assert await store.get("item:1") == StoredValue(b"value", START, None)
        with pytest.raises(DeadlineError, match="is busy; try again"):
            await store.set("item:2", b"value")
    await store.set("item:2", b"value")
    await store.close()
