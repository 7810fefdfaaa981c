"""Append-only logs in the SQLite file: a row with the length of each, and a row for every entry.

The entries are bound to the name of their log and cannot be changed or moved to another; somebody
with write access to the file can still delete some of them.
"""

import math
import sqlite3
from dataclasses import dataclass

from webquarry.storage.cipher import Keyring
from webquarry.storage.database import transaction
from webquarry.storage.store import StoredValue

LOG_NAMES = """SELECT rowid, name, label FROM logs
    WHERE namespace = ? AND rowid > ? ORDER BY rowid LIMIT 256"""
ALL_LOG_NAMES = "SELECT rowid, name, label FROM logs WHERE rowid > ? ORDER BY rowid LIMIT 256"
_FIND = "SELECT length, label FROM logs WHERE name = ?"
_PUT = """INSERT INTO logs (name, namespace, expires_at, length, label) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET namespace = excluded.namespace,
    expires_at = excluded.expires_at, length = excluded.length, label = excluded.label"""
_ADD = "INSERT INTO entries (log, position, body) VALUES (?, ?, ?)"
_READ = "SELECT body FROM entries WHERE log = ? AND position > ? ORDER BY position"
_MOVE = "UPDATE entries SET log = ? WHERE log = ?"
_DELETE = "DELETE FROM logs WHERE name = ?"
_DELETE_ENTRIES = "DELETE FROM entries WHERE log = ?"
_EXPIRED = "SELECT name FROM logs WHERE expires_at <= ? LIMIT 50"


@dataclass(frozen=True, slots=True)
class _LogHead:
    """An existing log: its blinded name, its length, and the label with its times."""

    name: bytes
    length: int
    label: StoredValue


class SqliteLogs:
    """The log operations of a store, given a connection."""

    def __init__(self, keyring: Keyring) -> None:
        self._keys = keyring

    def append(
        self, db: sqlite3.Connection, key: str, value: bytes, label: StoredValue, *, create: bool
    ) -> int | None:
        """Add an entry; `label` has the log's new times."""
        head = self._find(db, key, label.stored_at)
        if head is None:
            if not create:
                return None
            self._remove(db, key)  # an expired log of that name
        length = (head.length if head else 0) + 1
        name = self._put(db, key, head, label, length)
        body = self._keys.seal_part("body", name, StoredValue(value, label.stored_at))
        db.execute(_ADD, (name, length, body))
        return length

    def entries(
        self, db: sqlite3.Connection, key: str, start: int, now: float
    ) -> list[bytes] | None:
        """Return the entries after the first `start`."""
        head = self._find(db, key, now)
        if head is None:
            return None
        names = self._keys.names("log", key)
        return [self._unseal(names, row[0]) for row in db.execute(_READ, (head.name, start))]

    def renew(self, db: sqlite3.Connection, key: str, label: StoredValue) -> bool:
        """Give an existing log the times of `label`."""
        head = self._find(db, key, label.stored_at)
        if head is not None:
            self._put(db, key, head, label, head.length)
        return head is not None

    def ttl(self, db: sqlite3.Connection, key: str, now: float) -> float | None:
        """Return the seconds left."""
        head = self._find(db, key, now)
        if head is None:
            return None
        return math.inf if head.label.expires_at is None else head.label.expires_at - now

    def delete(self, db: sqlite3.Connection, key: str, now: float) -> bool:
        """Remove a log; return whether it existed."""
        existed = self._find(db, key, now) is not None
        self._remove(db, key)
        return existed

    def sweep(self, db: sqlite3.Connection, now: float) -> int:
        """Remove some of the logs that have expired; return how many."""
        with transaction(db):
            names = db.execute(_EXPIRED, (now,)).fetchall()
            db.executemany(_DELETE_ENTRIES, names)
            db.executemany(_DELETE, names)
        return len(names)

    def _find(self, db: sqlite3.Connection, key: str, now: float) -> _LogHead | None:
        for name in self._keys.names("log", key):
            row = db.execute(_FIND, (name,)).fetchone()
            label = self._keys.unseal("label", name, row[1]) if row else None
            if label is not None and not label.expired(now) and isinstance(row[0], int):
                return _LogHead(name, row[0], label)
        return None

    def _put(
        self,
        db: sqlite3.Connection,
        key: str,
        head: _LogHead | None,
        label: StoredValue,
        length: int,
    ) -> bytes:
        """Write length and times of the log under the current encryption key; return its name."""
        new = self._keys.seal("log", key, label)
        if head is not None and head.name != new.name:
            db.execute(_MOVE, (new.name, head.name))
            db.execute(_DELETE, (head.name,))
        db.execute(_PUT, (new.name, new.namespace, label.expires_at, length, new.label))
        return new.name

    def _remove(self, db: sqlite3.Connection, key: str) -> None:
        names = [(name,) for name in self._keys.names("log", key)]
        db.executemany(_DELETE_ENTRIES, names)
        db.executemany(_DELETE, names)

    def _unseal(self, names: tuple[bytes, ...], body: object) -> bytes:
        # an entry is bound to the name the log had when it was written
        entries = (self._keys.unseal("body", name, body) for name in names)
        return next((entry.value for entry in entries if entry is not None), b"")
