"""A SQLite connection that replaces the file when it is damaged.

Journal mode WAL with `synchronous=NORMAL`: the operating system has a commit when the call
returns, so it survives `kill -9` of this process. A power failure may lose the last writes but
leaves a sound file; `FULL` would cost an fsync per write, too much for a cache.
"""

import logging
import os
import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from webquarry.errors import DeadlineError, SettingsError, WebquarryError
from webquarry.storage.encryption_keys import ensure_private_directory, ensure_private_file

T = TypeVar("T")

_SCHEMA_VERSION = 2
_SCHEMA = (
    # the large column is last: reading the others does not touch its overflow pages
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
# our statements are constant, so any other error means a damaged file
_NOT_CORRUPTION = _BUSY | {
    sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}
# UnicodeDecodeError: an error message that quotes damaged text
FAILURES = (sqlite3.Error, OSError, UnicodeDecodeError)
_SETUP_TIMEOUT = 10.0

logger = logging.getLogger(__name__)


class Database:
    """A connection for one thread at a time; several may be open on one file."""

    def __init__(self, path: Path, *, busy_timeout: float) -> None:
        """Open the file; each statement waits up to `busy_timeout` seconds for other writers."""
        self._path = path
        self._busy_timeout = busy_timeout
        ensure_private_directory(path.parent)
        try:
            self._connection, self._identity = self._open()
        except FAILURES as exc:
            raise self._explain(exc) from exc

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what `work` returns; a damaged file is replaced and `work` is retried."""
        try:
            self.refresh()
            return work(self._connection)
        except FAILURES as exc:
            if not _is_corruption(exc):
                raise self._explain(exc) from exc
            logger.warning("the storage file %s is damaged: %s", self._path, exc)
        try:
            self._reopen(check_integrity=True)
            return work(self._connection)
        except FAILURES as exc:
            raise self._explain(exc) from exc

    def attempt(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what `work` returns, or raise the error of SQLite; never wait for a repair."""
        if _file_identity(self._path) != self._identity:
            raise sqlite3.OperationalError("the file was replaced")
        return work(self._connection)

    def refresh(self) -> None:
        """Reopen the file if another connection has replaced a damaged one."""
        if _file_identity(self._path) != self._identity:
            self._reopen(check_integrity=False)

    def close(self) -> None:
        """Release the file."""
        self._connection.close()

    def _reopen(self, *, check_integrity: bool) -> None:
        self._connection.close()
        self._connection, self._identity = self._open(check_integrity=check_integrity)

    def _open(self, *, check_integrity: bool = False) -> tuple[sqlite3.Connection, tuple[int, int]]:
        # one process at a time: a process that detects the damage late must not move away the
        # file that replaced the damaged one
        with _exclusive(self._path):
            try:
                connection = self._connect(check_integrity=check_integrity)
            except FAILURES as exc:
                if not _is_corruption(exc):
                    raise
                _move_aside(self._path, exc)
                connection = self._connect(check_integrity=False)
            return connection, _file_identity(self._path)

    def _connect(self, *, check_integrity: bool) -> sqlite3.Connection:
        ensure_private_file(self._path)
        connection = sqlite3.connect(
            self._path, timeout=_SETUP_TIMEOUT, isolation_level=None, check_same_thread=False
        )
        try:
            self._prepare(connection, check_integrity=check_integrity)
        except BaseException:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection, *, check_integrity: bool) -> None:
        # a damaged row may be marked as text, and must not fail to decode
        connection.text_factory = bytes
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA secure_delete = ON")  # erased data is overwritten
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
        # reads every column, so that a damaged schema is detected now
        connection.execute("SELECT name, namespace, expires_at, label, body FROM records LIMIT 0")
        connection.execute("SELECT namespace, expires_at, length, label FROM logs LIMIT 0")
        connection.execute("SELECT log, position, body FROM entries LIMIT 0")
        connection.execute("SELECT name, owner, expires_at, token FROM locks, fence LIMIT 0")
        if check_integrity:
            (result,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            if result != b"ok":
                raise sqlite3.DatabaseError(result.decode(errors="replace"))
        connection.execute(f"PRAGMA busy_timeout = {round(self._busy_timeout * 1000)}")

    def _explain(self, exc: Exception) -> WebquarryError:
        if _sqlite_error_code(exc) in _BUSY:
            return DeadlineError(f"the storage file {self._path} is busy; try again")
        return SettingsError(
            f"the storage file {self._path} cannot be used: {exc};"
            " check its permissions and the free disk space, or choose another data directory"
        )


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """Run the block in one transaction that excludes other writers."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # some errors have already rolled back
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


@contextmanager
def _exclusive(path: Path) -> Generator[None]:
    """Exclude other processes; the system releases the lock of a process that dies."""
    guard = path.with_name(f"{path.name}.guard")
    ensure_private_file(guard)
    connection = sqlite3.connect(guard, timeout=_SETUP_TIMEOUT, isolation_level=None)
    try:
        connection.execute("BEGIN EXCLUSIVE")
        yield
    finally:
        connection.close()


def _move_aside(path: Path, reason: Exception) -> None:
    count = 1
    while (aside := path.with_name(f"{path.name}.corrupt-{count}")).exists():
        count += 1
    # the write-ahead log first: it must not be applied to the new file
    for suffix in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
    logger.warning(
        "the storage file %s is damaged (%s); it was moved to %s and a new one was created",
        path,
        reason,
        aside.name,
    )


def _file_identity(path: Path) -> tuple[int, int]:
    try:
        # called before every read; Path.stat() costs twice as much
        status = os.stat(path)  # noqa: PTH116
    except FileNotFoundError:
        return (0, 0)
    return (status.st_dev, status.st_ino)


def _is_corruption(exc: Exception) -> bool:
    return not isinstance(exc, OSError) and _sqlite_error_code(exc) not in _NOT_CORRUPTION


def _sqlite_error_code(exc: Exception) -> int:
    # the upper bits hold the extended error code
    return getattr(exc, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
