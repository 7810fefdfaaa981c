"""The default store: one SQLite file in the data directory.

Reading a small value takes some 20 microseconds and waits for no writer, a tenth of the cost of
another thread, so that is done in the event loop. Everything else runs in two threads, one that
reads and one that writes.
"""

import asyncio
import math
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TypeVar

from webquarry.storage import bulk_sql
from webquarry.storage.batch import Batcher
from webquarry.storage.cipher import Keyring, Sealed
from webquarry.storage.database import FAILURES, Database, transaction
from webquarry.storage.sqlite_logs import ALL_LOG_NAMES, LOG_NAMES, SqliteLogs
from webquarry.storage.store import Clock, Store, StoredValue, StoreWrite, expiry, next_token

T = TypeVar("T")
_Row = tuple[bytes, bytes | None, float | None, bytes, bytes]  # the body comes last

_SMALL_BODY = """SELECT CASE WHEN length(body) <= 65536 THEN body END FROM records
    WHERE name = ?"""
_BODY = "SELECT body FROM records WHERE name = ?"
_LABEL = "SELECT label FROM records WHERE name = ?"
_PUT = """INSERT INTO records (name, namespace, expires_at, label, body) VALUES {rows}
    ON CONFLICT (name) DO UPDATE SET namespace = excluded.namespace,
    expires_at = excluded.expires_at, label = excluded.label, body = excluded.body"""
_DELETE_NAME = "DELETE FROM records WHERE name = ?"
_DELETE = """DELETE FROM records WHERE name = ?
    RETURNING expires_at IS NULL OR expires_at > ?"""
_NAMES = """SELECT rowid, name, label FROM records
    WHERE namespace = ? AND rowid > ? ORDER BY rowid LIMIT 256"""
_ALL_NAMES = """SELECT rowid, name, label FROM records
    WHERE namespace IS NOT NULL AND rowid > ? ORDER BY rowid LIMIT 256"""
_SWEEP = """DELETE FROM records WHERE rowid IN
    (SELECT rowid FROM records WHERE expires_at <= ? LIMIT 500)"""
_IS_LOCKED = "SELECT 1 FROM locks WHERE name = ? AND owner <> ? AND expires_at > ?"
_TAKE_LOCK = "INSERT OR REPLACE INTO locks (name, owner, expires_at) VALUES (?, ?, ?)"
_RELEASE_LOCK = "DELETE FROM locks WHERE name = ? AND owner = ? RETURNING expires_at > ?"
_ADVANCE_FENCE = """INSERT INTO fence (id, token) VALUES (0, ?)
    ON CONFLICT (id) DO UPDATE SET token = max(token + 1, excluded.token) RETURNING token"""

_Blobs = list[tuple[bytes, object]]


class SqliteStore(Store):
    """`Store` in an encrypted SQLite file that several processes may use at once."""

    def __init__(
        self, path: Path, keyring: Keyring, *, busy_timeout: float = 5.0, clock: Clock = time.time
    ) -> None:
        """Open or create the file; writes wait `busy_timeout` seconds for other processes."""
        self._keys = keyring
        self._clock = clock
        self._logs = SqliteLogs(keyring)
        self._batcher = Batcher(self._write_batch)
        self._inline_reads = Database(path, busy_timeout=0.0)  # in the event loop: must not wait
        self._reads = _DatabaseThread("webquarry-read", path, busy_timeout)
        self._writes = _DatabaseThread("webquarry-write", path, busy_timeout)

    async def _read(self, key: str) -> StoredValue | None:
        names = self._keys.names("value", key)
        try:
            blobs = self._inline_reads.attempt(lambda db: _select_blobs(db, _SMALL_BODY, names))
        except FAILURES:
            entry = await self._reads.run(lambda db: self._read_body(db, names))
            await self._reads.call(self._inline_reads.refresh)
            return entry
        if any(body is None for _, body in blobs):
            return await self._reads.run(lambda db: self._read_body(db, names))
        return self._first_valid(blobs)

    async def _write(self, writes: Sequence[StoreWrite]) -> None:
        now = self._clock()
        await self._batcher.add(
            [(w.key, StoredValue(w.value, now, expiry(now, w.ttl))) for w in writes]
        )

    async def _write_batch(self, batch: list[list[tuple[str, StoredValue]]]) -> None:
        def work(db: sqlite3.Connection) -> None:
            # the last value of a key that was written twice
            latest = list(dict(chain.from_iterable(batch)).items())
            sealed = zip(self._keys.seal_all("value", latest), latest, strict=True)
            rows = [_row(new, entry.expires_at) for new, (_, entry) in sealed]
            old = [name for key, _ in latest for name in self._keys.previous_names("value", key)]
            with transaction(db):
                _write_rows(db, rows, old)

        await self._writes.run(work)

    async def delete(self, key: str) -> bool:
        names = (*self._keys.names("value", key), *self._keys.names("counter", key))
        now = self._clock()

        def work(db: sqlite3.Connection) -> bool:
            with transaction(db):
                deleted = [db.execute(_DELETE, (name, now)).fetchall() for name in names]
                log_deleted = self._logs.delete(db, key, now)
            return log_deleted or any(row[0] for rows in deleted for row in rows)

        return await self._writes.run(work)

    async def ttl(self, key: str) -> float | None:
        names = (*self._keys.names("value", key), *self._keys.names("counter", key))
        blobs = await self._reads.run(lambda db: _select_blobs(db, _LABEL, names))
        now = self._clock()
        for name, blob in blobs:
            label = self._keys.unseal("label", name, blob)
            if label is not None and not label.expired(now):
                return math.inf if label.expires_at is None else label.expires_at - now
        return await self._reads.run(lambda db: self._logs.ttl(db, key, now))

    async def scan(self, prefix: str) -> AsyncIterator[str]:
        async for name in self._scan_names(prefix, _NAMES, _ALL_NAMES):
            yield name

    async def _scan_names(
        self, prefix: str, by_namespace: str, all_names: str
    ) -> AsyncIterator[str]:
        queries: list[tuple[str, tuple[bytes, ...]]] = [
            (by_namespace, (namespace,)) for namespace in self._keys.namespaces_to_scan(prefix)
        ]
        for sql, namespace in queries or [(all_names, ())]:
            last = -math.inf
            while rows := await self._reads.run(_next_rows(sql, namespace, last)):
                last = max(row[0] for row in rows)
                for _, name, blob in rows:
                    key, label = self._keys.unseal_key(name, blob) or ("", None)
                    if label and key.startswith(prefix) and not label.expired(self._clock()):
                        yield key

    async def increment(self, key: str, by: int = 1, *, ttl: float | None = None) -> int:
        now = self._clock()
        created = StoredValue(b"0", now, expiry(now, ttl))
        names = self._keys.names("counter", key)

        def work(db: sqlite3.Connection) -> int:
            with transaction(db):
                old = self._read_body(db, names) or created
                count = int(old.value) + by
                new = self._keys.seal(
                    "counter", key, StoredValue(b"%d" % count, now, old.expires_at)
                )
                # without a namespace, because counters are never listed
                _write_rows(db, [_row(replace(new, namespace=None), old.expires_at)], names[1:])
            return count

        return await self._writes.run(work)

    async def append(
        self, key: str, value: bytes, *, ttl: float | None = None, create: bool = True
    ) -> int | None:
        now = self._clock()
        label = StoredValue(b"", now, expiry(now, ttl))

        def work(db: sqlite3.Connection) -> int | None:
            with transaction(db):
                return self._logs.append(db, key, value, label, create=create)

        return await self._writes.run(work)

    async def entries(self, key: str, start: int = 0) -> list[bytes] | None:
        now = self._clock()
        return await self._reads.run(lambda db: self._logs.entries(db, key, start, now))

    async def renew(self, key: str, *, ttl: float) -> bool:
        now = self._clock()
        label = StoredValue(b"", now, expiry(now, ttl))

        def work(db: sqlite3.Connection) -> bool:
            with transaction(db):
                return self._logs.renew(db, key, label)

        return await self._writes.run(work)

    def logs(self, prefix: str) -> AsyncIterator[str]:
        return self._scan_names(prefix, LOG_NAMES, ALL_LOG_NAMES)

    async def _take_lock(self, key: str, holder: str, ttl: float) -> int | None:
        # during a key rotation under both keys, for processes that only have the old one
        names = self._keys.names("lock", key)
        now = self._clock()

        def work(db: sqlite3.Connection) -> int | None:
            with transaction(db):
                if any(db.execute(_IS_LOCKED, (name, holder, now)).fetchone() for name in names):
                    return None
                db.executemany(_TAKE_LOCK, [(name, holder, now + ttl) for name in names])
                (token,) = db.execute(_ADVANCE_FENCE, (next_token(0, now),)).fetchone()
                return token

        return await self._writes.run(work)

    async def _release_lock(self, key: str, holder: str) -> bool:
        names = self._keys.names("lock", key)
        now = self._clock()

        def work(db: sqlite3.Connection) -> bool:
            with transaction(db):
                rows = [db.execute(_RELEASE_LOCK, (name, holder, now)).fetchone() for name in names]
            return all(row is not None and row[0] for row in rows)

        return await self._writes.run(work)

    async def sweep(self) -> int:
        now = self._clock()
        swept = 0
        # in chunks, so that other writers get their turn
        while count := await self._writes.run(lambda db: db.execute(_SWEEP, (now,)).rowcount):
            swept += count
        while count := await self._writes.run(lambda db: self._logs.sweep(db, now)):
            swept += count
        await self._writes.run(lambda db: _compact(db, now))
        return swept

    async def close(self) -> None:
        self._inline_reads.close()
        await self._reads.close()
        await self._writes.close()

    def _read_body(self, db: sqlite3.Connection, names: tuple[bytes, ...]) -> StoredValue | None:
        return self._first_valid(_select_blobs(db, _BODY, names))

    def _first_valid(self, blobs: _Blobs) -> StoredValue | None:
        for name, blob in blobs:
            entry = self._keys.unseal("body", name, blob)
            if entry is not None and not entry.expired(self._clock()):
                return entry
        return None


class _DatabaseThread:
    """A database connection with the one thread that uses it."""

    def __init__(self, name: str, path: Path, busy_timeout: float) -> None:
        self._database = Database(path, busy_timeout=busy_timeout)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self.call(lambda: self._database.run(work))

    async def call(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    async def close(self) -> None:
        await asyncio.to_thread(self._pool.shutdown)
        await asyncio.to_thread(self._database.close)  # may write the WAL back into the file


def _select_blobs(db: sqlite3.Connection, sql: str, names: tuple[bytes, ...]) -> _Blobs:
    rows = ((name, db.execute(sql, (name,)).fetchone()) for name in names)
    return [(name, row[0]) for name, row in rows if row is not None]


def _next_rows(
    sql: str, namespace: tuple[bytes, ...], last: float
) -> Callable[[sqlite3.Connection], list[tuple[int, object, object]]]:
    # a damaged index may be out of order, and must not cause an endless scan
    return lambda db: [row for row in db.execute(sql, (*namespace, last)) if row[0] > last]


def _row(sealed: Sealed, expires_at: float | None) -> _Row:
    return (sealed.name, sealed.namespace, expires_at, sealed.label, sealed.body)


def _write_rows(db: sqlite3.Connection, rows: list[_Row], previous_names: Iterable[bytes]) -> None:
    bulk_sql.insert(db, _PUT, rows)
    db.executemany(_DELETE_NAME, [(name,) for name in previous_names])


def _compact(db: sqlite3.Connection, now: float) -> None:
    db.execute("DELETE FROM locks WHERE expires_at <= ?", (now,))
    # `execute` would stop after the first page
    db.executescript("PRAGMA incremental_vacuum(4096)")
    # the WAL still holds what was erased from the file; readers may delay this
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
