"""One connection to the SQLite file that survives damage to it.

Journal mode WAL with `synchronous=NORMAL`: a commit is in the operating system's hands when the
call returns, so it survives `kill -9` of this process. A power cut may take the last moments of
writes with it but leaves a sound file; `FULL` would cost an fsync per write, too much for a cache.
"""

import logging
import os
import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from webquarry.errors import DeadlineError, SettingsError, WebquarryError
from webquarry.storage.encryption_keys import private_directory, private_file

T = TypeVar("T")

_SCHEMA_VERSION = 2
_SCHEMA = (
    # the big column comes last: reading the others does not touch its overflow pages
    """CREATE TABLE IF NOT EXISTS records (
        name BLOB PRIMARY KEY, namespace BLOB, expires_at REAL, label BLOB, body BLOB
    )""",
    "CREATE INDEX IF NOT EXISTS records_by_namespace ON records (namespace)",
    "CREATE INDEX IF NOT EXISTS records_by_expiry ON records (expires_at)",
    """CREATE TABLE IF NOT EXISTS logs (
        name BLOB PRIMARY KEY, namespace BLOB, expires_at REAL, length INTEGER, label BLOB
    )""",
    "CREATE INDEX IF NOT EXISTS logs_by_namespace ON logs (namespace)",
    "CREATE INDEX IF NOT EXISTS logs_by_expiry ON logs (expires_at)",
    """CREATE TABLE IF NOT EXISTS entries (
        log BLOB, position INTEGER, body BLOB, PRIMARY KEY (log, position)
    ) WITHOUT ROWID""",
    "CREATE TABLE IF NOT EXISTS locks (name BLOB PRIMARY KEY, owner BLOB, expires_at REAL)",
    "CREATE TABLE IF NOT EXISTS fence (id INTEGER PRIMARY KEY, token INTEGER)",
)
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
# our statements never change, so anything else SQLite complains about is a damaged file
_ENVIRONMENT = _BUSY | {
    sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}
# the last is what becomes of a complaint that quotes damaged text
FAILURES = (sqlite3.Error, OSError, UnicodeDecodeError)
_SETUP_PATIENCE = 10.0

logger = logging.getLogger(__name__)


class Database:
    """A connection for one thread at a time; several may be open on one file."""

    def __init__(self, path: Path, *, patience: float) -> None:
        """Open the file, waiting up to `patience` seconds per statement for other writers."""
        self._path = path
        self._patience = patience
        private_directory(path.parent)
        try:
            self._connection, self._identity = self._open()
        except FAILURES as exc:
            raise self._explain(exc) from exc

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what `work` returns; a damaged file is replaced and `work` is tried again."""
        try:
            self.refresh()
            return work(self._connection)
        except FAILURES as exc:
            if not _means_damage(exc):
                raise self._explain(exc) from exc
            logger.warning("the storage file %s is damaged: %s", self._path, exc)
        try:
            self._reopen(thorough=True)
            return work(self._connection)
        except FAILURES as exc:
            raise self._explain(exc) from exc

    def attempt(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what `work` returns, or raise the error of SQLite; never wait for a repair."""
        if _identity(self._path) != self._identity:
            raise sqlite3.OperationalError("the file was replaced")
        return work(self._connection)

    def refresh(self) -> None:
        """Follow to the new file when another connection has moved a damaged one away."""
        if _identity(self._path) != self._identity:
            self._reopen(thorough=False)

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    def _reopen(self, *, thorough: bool) -> None:
        self._connection.close()
        self._connection, self._identity = self._open(thorough=thorough)

    def _open(self, *, thorough: bool = False) -> tuple[sqlite3.Connection, tuple[int, int]]:
        # setting up and moving aside happen in one process at a time, or a process that is late
        # to notice the damage would move away the file that replaced it
        with _alone(self._path):
            try:
                connection = self._connect(thorough=thorough)
            except FAILURES as exc:
                if not _means_damage(exc):
                    raise
                _move_aside(self._path, exc)
                connection = self._connect(thorough=False)
            return connection, _identity(self._path)

    def _connect(self, *, thorough: bool) -> sqlite3.Connection:
        private_file(self._path)
        connection = sqlite3.connect(
            self._path, timeout=_SETUP_PATIENCE, isolation_level=None, check_same_thread=False
        )
        try:
            self._prepare(connection, thorough=thorough)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection, *, thorough: bool) -> None:
        # a damaged row may claim to be text, and must not fail to decode
        connection.text_factory = bytes
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA secure_delete = ON")  # what is erased is overwritten
        connection.execute("PRAGMA journal_size_limit = 67108864")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > _SCHEMA_VERSION:
            raise SettingsError(
                f"the storage file {self._path} was written by a newer version;"
                " update, or choose another data directory"
            )
        if version < _SCHEMA_VERSION:
            with transaction(connection):
                for statement in _SCHEMA:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
        # names every column, so a damaged schema is noticed now
        connection.execute("SELECT name, namespace, expires_at, label, body FROM records LIMIT 0")
        connection.execute("SELECT namespace, expires_at, length, label FROM logs LIMIT 0")
        connection.execute("SELECT log, position, body FROM entries LIMIT 0")
        connection.execute("SELECT name, owner, expires_at, token FROM locks, fence LIMIT 0")
        if thorough:
            (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if verdict != b"ok":
                raise sqlite3.DatabaseError(verdict.decode(errors="replace"))
        connection.execute(f"PRAGMA busy_timeout = {round(self._patience * 1000)}")

    def _explain(self, exc: Exception) -> WebquarryError:
        if _code(exc) in _BUSY:
            return DeadlineError(f"the storage file {self._path} stayed busy; try again")
        return SettingsError(
            f"the storage file {self._path} cannot be used: {exc};"
            " check its permissions and the free disk space, or choose another data directory"
        )


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """Make the writes of the block happen together, with no other writer in between."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # some failures have already rolled back
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


@contextmanager
def _alone(path: Path) -> Generator[None]:
    """Keep other processes out; the lock of a process that dies is freed by the system."""
    guard = path.with_name(f"{path.name}.guard")
    private_file(guard)
    connection = sqlite3.connect(guard, timeout=_SETUP_PATIENCE, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
        yield
    finally:
        connection.close()


def _move_aside(path: Path, reason: Exception) -> None:
    count = 1
    while (aside := path.with_name(f"{path.name}.corrupt-{count}")).exists():
        count += 1
    # the log goes first: left alone it could be applied to the new file
    for suffix in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
    logger.warning(
        "the storage file %s could not be read (%s); it was moved to %s and a new one was started",
        path,
        reason,
        aside.name,
    )


def _identity(path: Path) -> tuple[int, int]:
    try:
        # before every lookup, and half the price of asking the path
        status = os.stat(path)  # noqa: PTH116
    except FileNotFoundError:
        return (0, 0)
    return (status.st_dev, status.st_ino)


def _means_damage(exc: Exception) -> bool:
    return not isinstance(exc, OSError) and _code(exc) not in _ENVIRONMENT


def _code(exc: Exception) -> int:
    # the upper bits say more about the same error
    return getattr(exc, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
