"""The store that needs nothing installed: one SQLite file in the data directory.

Looking up a small value takes some 20 microseconds and waits for no writer, a tenth of what handing
it to a thread costs, so that is done in place. Everything else runs in two threads, one that reads
and one that writes.
"""

import asyncio
import math
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from webquarry.storage import bulk_sql
from webquarry.storage.batch import Batcher
from webquarry.storage.cipher import Keyring, Sealed
from webquarry.storage.database import FAILURES, Database, transaction
from webquarry.storage.locks import hold
from webquarry.storage.sqlite_logs import ALL_LOG_NAMES, LOG_NAMES, SqliteLogs
from webquarry.storage.store import Clock, Lease, StoredValue, Value, expiry, next_token

T = TypeVar("T")
_Row = tuple[bytes, bytes | None, float | None, bytes, bytes]  # the body comes last

_SMALL_BODY = """SELECT CASE WHEN length(body) <= 65536 THEN body END FROM records
    WHERE name = ?"""
_BODY = "SELECT body FROM records WHERE name = ?"
_LABEL = "SELECT label FROM records WHERE name = ?"
_PUT = """INSERT INTO records (name, namespace, expires_at, label, body) VALUES {rows}
    ON CONFLICT (name) DO UPDATE SET namespace = excluded.namespace,
    expires_at = excluded.expires_at, label = excluded.label, body = excluded.body"""
_FORGET = "DELETE FROM records WHERE name = ?"
_DELETE = """DELETE FROM records WHERE name = ?
    RETURNING expires_at IS NULL OR expires_at > ?"""
_NAMES = """SELECT rowid, name, label FROM records
    WHERE namespace = ? AND rowid > ? ORDER BY rowid LIMIT 256"""
_ALL_NAMES = """SELECT rowid, name, label FROM records
    WHERE namespace IS NOT NULL AND rowid > ? ORDER BY rowid LIMIT 256"""
_SWEEP = """DELETE FROM records WHERE rowid IN
    (SELECT rowid FROM records WHERE expires_at <= ? LIMIT 500)"""
_HELD = "SELECT 1 FROM locks WHERE name = ? AND owner <> ? AND expires_at > ?"
_TAKE = "INSERT OR REPLACE INTO locks (name, owner, expires_at) VALUES (?, ?, ?)"
_DROP = "DELETE FROM locks WHERE name = ? AND owner = ? RETURNING expires_at > ?"
_FENCE = """INSERT INTO fence (id, token) VALUES (0, ?)
    ON CONFLICT (id) DO UPDATE SET token = max(token + 1, excluded.token) RETURNING token"""

_Blobs = list[tuple[bytes, object]]


class SqliteStore:
    """`Store` in an encrypted SQLite file that several processes may use at once."""

    def __init__(
        self, path: Path, keyring: Keyring, *, busy: float = 5.0, clock: Clock = time.time
    ) -> None:
        """Open the file, or start it; a write waits up to `busy` seconds for other processes."""
        self._keys = keyring
        self._clock = clock
        self._logs = SqliteLogs(keyring)
        self._puts = Batcher(self._put)
        self._near = Database(path, patience=0.0)  # used in the event loop: must never wait
        self._reads = _Thread("webquarry-read", Database(path, patience=busy))
        self._writes = _Thread("webquarry-write", Database(path, patience=busy))

    async def get(self, key: str) -> StoredValue | None:
        names = self._keys.names("value", key)
        try:
            found = self._near.attempt(lambda db: _find(db, _SMALL_BODY, names))
        except FAILURES:
            entry = await self._reads.run(lambda db: self._body(db, names))
            await self._reads.call(self._near.refresh)
            return entry
        if any(body is None for _, body in found):
            return await self._reads.run(lambda db: self._body(db, names))
        return self._genuine(found)

    async def set(self, key: str, value: bytes, *, ttl: float | None = None) -> None:
        now = self._clock()
        await self._puts.add((key, StoredValue(value, now, expiry(now, ttl))))

    async def set_all(self, values: Iterable[Value]) -> None:
        now = self._clock()
        await self._put(
            [(key, StoredValue(value, now, expiry(now, ttl))) for key, value, ttl in values]
        )

    async def _put(self, entries: list[tuple[str, StoredValue]]) -> None:
        def work(db: sqlite3.Connection) -> None:
            latest = list(dict(entries).items())  # of a key that was written twice
            sealed = zip(self._keys.seal_all("value", latest), latest, strict=True)
            rows = [_row(new, entry.expires_at) for new, (_, entry) in sealed]
            old = [name for key, _ in latest for name in self._keys.older_names("value", key)]
            with transaction(db):
                _write(db, rows, old)

        await self._writes.run(work)

    async def delete(self, key: str) -> bool:
        names = (*self._keys.names("value", key), *self._keys.names("counter", key))
        now = self._clock()

        def work(db: sqlite3.Connection) -> bool:
            with transaction(db):
                gone = [db.execute(_DELETE, (name, now)).fetchall() for name in names]
                log_gone = self._logs.delete(db, key, now)
            return log_gone or any(row[0] for rows in gone for row in rows)

        return await self._writes.run(work)

    async def ttl(self, key: str) -> float | None:
        names = (*self._keys.names("value", key), *self._keys.names("counter", key))
        found = await self._reads.run(lambda db: _find(db, _LABEL, names))
        now = self._clock()
        for name, blob in found:
            label = self._keys.open("label", name, blob)
            if label is not None and not label.expired(now):
                return math.inf if label.expires_at is None else label.expires_at - now
        return await self._reads.run(lambda db: self._logs.ttl(db, key, now))

    async def scan(self, prefix: str) -> AsyncIterator[str]:
        async for name in self._names(prefix, _NAMES, _ALL_NAMES):
            yield name

    async def _names(self, prefix: str, some: str, every: str) -> AsyncIterator[str]:
        queries: list[tuple[str, tuple[bytes, ...]]] = [
            (some, (namespace,)) for namespace in self._keys.groups_to_scan(prefix)
        ]
        for sql, group in queries or [(every, ())]:
            last = -math.inf
            while rows := await self._reads.run(_page(sql, group, last)):
                last = max(row[0] for row in rows)
                for _, name, label in rows:
                    named = self._keys.open_key(name, label)
                    if named and named[0].startswith(prefix) and not self._expired(named[1]):
                        yield named[0]

    async def increment(self, key: str, by: int = 1, *, ttl: float | None = None) -> int:
        now = self._clock()
        created = StoredValue(b"0", now, expiry(now, ttl))
        names = self._keys.names("counter", key)

        def work(db: sqlite3.Connection) -> int:
            with transaction(db):
                old = self._body(db, names) or created
                count = int(old.value) + by
                new = self._keys.seal(
                    "counter", key, StoredValue(b"%d" % count, now, old.expires_at)
                )
                # without a namespace, because counters are not scanned
                _write(db, [_row(replace(new, namespace=None), old.expires_at)], names[1:])
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
        return self._names(prefix, LOG_NAMES, ALL_LOG_NAMES)

    def lock(
        self, key: str, *, ttl: float, wait: float = 0.0
    ) -> AbstractAsyncContextManager[Lease]:
        return hold(self, key, ttl=ttl, wait=wait)

    async def take(self, key: str, owner: str, ttl: float) -> int | None:
        """Make `owner` the holder and return the fencing token, or None when it is taken."""
        # under both keys while they change, for processes that still know only the old one
        names = self._keys.names("lock", key)
        now = self._clock()

        def work(db: sqlite3.Connection) -> int | None:
            with transaction(db):
                if any(db.execute(_HELD, (name, owner, now)).fetchone() for name in names):
                    return None
                db.executemany(_TAKE, [(name, owner, now + ttl) for name in names])
                (token,) = db.execute(_FENCE, (next_token(0, now),)).fetchone()
                return token

        return await self._writes.run(work)

    async def drop(self, key: str, owner: str) -> bool:
        """Free the lock if `owner` still holds it; return whether it did."""
        names = self._keys.names("lock", key)
        now = self._clock()

        def work(db: sqlite3.Connection) -> bool:
            with transaction(db):
                freed = [db.execute(_DROP, (name, owner, now)).fetchone() for name in names]
            return all(row is not None and row[0] for row in freed)

        return await self._writes.run(work)

    async def sweep(self) -> int:
        now = self._clock()
        swept = 0
        # in portions, so that other writers get their turn
        while count := await self._writes.run(lambda db: db.execute(_SWEEP, (now,)).rowcount):
            swept += count
        while count := await self._writes.run(lambda db: self._logs.sweep(db, now)):
            swept += count
        await self._writes.run(lambda db: _tidy(db, now))
        return swept

    async def close(self) -> None:
        self._near.close()
        await self._reads.close()
        await self._writes.close()

    def _body(self, db: sqlite3.Connection, names: tuple[bytes, ...]) -> StoredValue | None:
        return self._genuine(_find(db, _BODY, names))

    def _genuine(self, found: _Blobs) -> StoredValue | None:
        for name, blob in found:
            entry = self._keys.open("body", name, blob)
            if entry is not None and not self._expired(entry):
                return entry
        return None

    def _expired(self, entry: StoredValue) -> bool:
        return entry.expired(self._clock())


class _Thread:
    """A database connection with the one thread that uses it."""

    def __init__(self, name: str, database: Database) -> None:
        self._database = database
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self.call(lambda: self._database.run(work))

    async def call(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    async def close(self) -> None:
        await asyncio.to_thread(self._pool.shutdown)
        await asyncio.to_thread(self._database.close)  # may write the log back into the file


def _find(db: sqlite3.Connection, sql: str, names: tuple[bytes, ...]) -> _Blobs:
    found = ((name, db.execute(sql, (name,)).fetchone()) for name in names)
    return [(name, row[0]) for name, row in found if row is not None]


def _page(
    sql: str, group: tuple[bytes, ...], last: float
) -> Callable[[sqlite3.Connection], list[tuple[int, object, object]]]:
    # a damaged index may be out of order, and must not send a scan round in circles
    return lambda db: [row for row in db.execute(sql, (*group, last)) if row[0] > last]


def _row(new: Sealed, expires_at: float | None) -> _Row:
    return (new.name, new.namespace, expires_at, new.label, new.body)


def _write(db: sqlite3.Connection, rows: list[_Row], old_names: Iterable[bytes]) -> None:
    bulk_sql.insert(db, _PUT, rows)
    db.executemany(_FORGET, [(name,) for name in old_names])


def _tidy(db: sqlite3.Connection, now: float) -> None:
    db.execute("DELETE FROM locks WHERE expires_at <= ?", (now,))
    # as a script, because `execute` would stop after the first page
    db.executescript("PRAGMA incremental_vacuum(4096)")
    # the log still holds what was overwritten in the file; busy readers put it off, no more
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
