"""Crawls in one SQLite file: nothing to install, several processes may share it."""

import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

from webquarry.crawl.store import process_names
from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.store.sql import SqlCrawlStore
from webquarry.crawl.store.tables import TABLES, VERSION
from webquarry.errors import DeadlineError, SettingsError
from webquarry.storage.database import transaction
from webquarry.storage.encryption_keys import private_directory, private_file

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
    path: Path, seals: CrawlCipher, clock: Callable[[], float] = time.time
) -> SqlCrawlStore:
    """Return the crawls in a file that is opened when it is first needed."""
    return SqlCrawlStore(_File(path, clock), seals)


class _File:
    errors = (sqlite3.Error, OSError)

    def __init__(self, path: Path, clock: Callable[[], float]) -> None:
        self._path = path
        self._clock = clock

    @property
    def process(self) -> str:
        return process_names.name()

    def dead(self, process: str) -> bool:
        return process_names.gone(process)

    def connect(self) -> SqlConnection:
        private_directory(self._path.parent)
        private_file(self._path)
        try:
            return self._prepared()
        except sqlite3.DatabaseError as error:
            if _code(error) not in _BROKEN:
                raise
            self._move_aside(error)
            private_file(self._path)
            return self._prepared()

    def failure(self, error: Exception) -> Exception | None:
        if _code(error) in _BUSY:
            return DeadlineError(f"the crawls in {self._path} stayed busy; try again")
        if _code(error) in _BROKEN:
            return None  # opening it anew puts a damaged file aside
        return SettingsError(
            f"the crawls in {self._path} cannot be used: {error};"
            " check its permissions and the free disk space, or choose another data directory"
        )

    def _prepared(self) -> "_Sqlite":
        raw = sqlite3.connect(self._path, timeout=10, isolation_level=None, check_same_thread=False)
        try:
            # a stored page has about ten thousand bytes
            raw.execute("PRAGMA page_size = 8192")
            raw.execute("PRAGMA auto_vacuum = INCREMENTAL")
            raw.execute("PRAGMA journal_mode = WAL")
            raw.execute("PRAGMA wal_autocheckpoint = 2000")
            # the keys of some hundred thousand addresses, which come in no order
            raw.execute("PRAGMA cache_size = -8000")
            # survives the end of the process; a power cut may take the last moments
            raw.execute("PRAGMA synchronous = NORMAL")
            raw.execute("PRAGMA journal_size_limit = 67108864")
            self._upgrade(raw)
        except BaseException:
            raw.close()
            raise
        return _Sqlite(raw, self._clock)

    def _upgrade(self, raw: sqlite3.Connection) -> None:
        (version,) = raw.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise SettingsError(
                f"{self._path} was written by a newer version; update, or choose another"
                " data directory"
            )
        if version < VERSION:
            with transaction(raw):
                for statement in TABLES:
                    raw.execute(statement.format(**_TYPES))
                raw.execute(f"PRAGMA user_version = {VERSION}")

    def _move_aside(self, reason: Exception) -> None:
        count = 1
        while (aside := self._path.with_name(f"{self._path.name}.corrupt-{count}")).exists():
            count += 1
        for suffix in ("-wal", "-shm", ""):
            with suppress(FileNotFoundError):
                old = self._path.with_name(self._path.name + suffix)
                old.rename(aside.with_name(aside.name + suffix))
        logger.warning("%s was damaged (%s) and is now %s", self._path, reason, aside.name)


class _Sqlite:
    """A connection, as the statements want it."""

    def __init__(self, raw: sqlite3.Connection, clock: Callable[[], float]) -> None:
        self.raw = raw
        self._clock = clock

    def execute(self, sql: str, parameters: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        return self.raw.execute(sql, parameters)

    def many(self, sql: str, rows: list[tuple[Any, ...]]) -> int:
        return self.raw.executemany(sql, rows).rowcount if rows else 0

    # the transaction has the only right to write from its start
    lock = execute

    def alone(self) -> None:
        """Do nothing: there is only one writer."""

    def transaction(self) -> AbstractContextManager[None]:
        return transaction(self.raw)

    def now(self) -> float:
        return self._clock()

    def close(self) -> None:
        self.raw.close()


def _code(error: Exception) -> int:
    # the upper bits say more about the same error
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
