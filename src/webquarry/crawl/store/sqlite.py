"""The crawl store in one SQLite file, which several processes may share."""

import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

from webquarry.crawl.store import process_names
from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.store.tables import VERSION, statements_from
from webquarry.errors import DeadlineError, SettingsError
from webquarry.storage.database import transaction
from webquarry.storage.encryption_keys import ensure_private_directory, ensure_private_file

_TYPES = {
    "id": "INTEGER PRIMARY KEY AUTOINCREMENT",
    "blob": "BLOB",
    "real": "REAL",
    "big": "INTEGER",
}
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
_BROKEN = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})

logger = logging.getLogger(__name__)


def open_sqlite(
    path: Path, cipher: CrawlCipher, clock: Callable[[], float] = time.time
) -> CrawlStore:
    """Return a store whose file is opened when it is first used."""
    return CrawlStore(_SqliteFactory(path, clock), cipher)


class _SqliteFactory:
    driver_errors = (sqlite3.Error, OSError)

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self._path = path
        self._clock = clock

    @property
    def process_name(self) -> str:
        return process_names.process_name()

    def is_dead(self, process: str) -> bool:
        return process_names.is_gone(process)

    def connect(self) -> SqlConnection:
        ensure_private_directory(self._path.parent)
        ensure_private_file(self._path)
        try:
            return self._open()
        except sqlite3.DatabaseError as error:
            if _error_code(error) not in _BROKEN:
                raise
            self._move_aside(error)
            ensure_private_file(self._path)
            return self._open()

    def translate_error(self, error: Exception) -> Exception | None:
        if _error_code(error) in _BUSY:
            return DeadlineError(f"the file of crawls {self._path} is busy; try again")
        if _error_code(error) in _BROKEN:
            return None  # reconnecting moves a damaged file away
        return SettingsError(
            f"the file of crawls {self._path} cannot be used: {error};"
            " check its permissions and the free disk space, or choose another data directory"
        )

    def _open(self) -> "_SqliteConnection":
        raw = sqlite3.connect(self._path, timeout=10, isolation_level=None, check_same_thread=False)
        try:
            # a stored page has about 10 kB
            raw.execute("PRAGMA page_size = 8192")
            raw.execute("PRAGMA auto_vacuum = INCREMENTAL")
            raw.execute("PRAGMA journal_mode = WAL")
            raw.execute("PRAGMA wal_autocheckpoint = 2000")
            # the keys of some hundred thousand URLs, in random order
            raw.execute("PRAGMA cache_size = -8000")
            # survives a killed process; a power failure may lose the last writes
            raw.execute("PRAGMA synchronous = NORMAL")
            raw.execute("PRAGMA journal_size_limit = 67108864")
            self._upgrade(raw)
        except BaseException:
            raw.close()
            raise
        return _SqliteConnection(raw, self._clock)

    def _upgrade(self, raw: sqlite3.Connection) -> None:
        if self._version(raw) == VERSION:
            return
        with transaction(raw):
            # read again: another process may have been first
            for statement in statements_from(self._version(raw)):
                raw.execute(statement.format(**_TYPES))
            raw.execute(f"PRAGMA user_version = {VERSION}")

    def _version(self, raw: sqlite3.Connection) -> int:
        (version,) = raw.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise SettingsError(
                f"{self._path} was written by a newer version; update, or choose another"
                " data directory"
            )
        return version

    def _move_aside(self, reason: Exception) -> None:
        count = 1
        while (aside := self._path.with_name(f"{self._path.name}.corrupt-{count}")).exists():
            count += 1
        for suffix in ("-wal", "-shm", ""):
            with suppress(FileNotFoundError):
                old = self._path.with_name(self._path.name + suffix)
                old.rename(aside.with_name(aside.name + suffix))
        logger.warning("%s is damaged (%s) and was moved to %s", self._path, reason, aside.name)


class _SqliteConnection:
    """`SqlConnection` for SQLite."""

    def __init__(self, raw: sqlite3.Connection, clock: Callable[[], float]) -> None:
        self.raw = raw
        self._clock = clock

    def execute(self, sql: str, parameters: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        return self.raw.execute(sql, parameters)

    def execute_many(self, sql: str, rows: list[tuple[Any, ...]]) -> int:
        return self.raw.executemany(sql, rows).rowcount if rows else 0

    # a transaction is the only writer from its start
    select_for_update = execute

    def serialize(self) -> None:
        """Do nothing: there is only one writer."""

    def transaction(self) -> AbstractContextManager[None]:
        return transaction(self.raw)

    def time(self) -> float:
        return self._clock()

    def close(self) -> None:
        self.raw.close()


def _error_code(error: Exception) -> int:
    # the upper bits hold the extended error code
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
