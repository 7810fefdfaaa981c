"""The SQLite file of the local index, used by one thread; a damaged file is moved aside."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

from webquarry.errors import DeadlineError, SettingsError
from webquarry.storage.encryption_keys import ensure_private_directory, ensure_private_file

T = TypeVar("T")

_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
logger = logging.getLogger(__name__)


class IndexFile:
    """Runs work on the file in a thread of its own."""

    def __init__(self, path: Path, prepare: Callable[[sqlite3.Connection], None]) -> None:
        """Use the file, which is opened and prepared when it is first needed."""
        self._path = path
        self._prepare = prepare
        self._connection: sqlite3.Connection | None = None
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="webquarry-index")

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return what `work` returns; a damaged file is replaced and `work` is retried."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._attempt, work)

    async def close(self) -> None:
        """Release the file."""
        await asyncio.to_thread(self._pool.shutdown)
        if self._connection:
            await asyncio.to_thread(self._connection.close)

    def _attempt(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return work(self._open())
        except sqlite3.DatabaseError as exc:
            code = getattr(exc, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            if code in _BUSY:
                raise DeadlineError(f"the index {self._path} is busy; try again") from exc
            if code not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise self._unusable(exc) from exc
            self._replace_damaged(exc)
            return work(self._open())
        except OSError as exc:
            raise self._unusable(exc) from exc

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            ensure_private_directory(self._path.parent)
            ensure_private_file(self._path)
            connection = sqlite3.connect(
                self._path, timeout=5, isolation_level=None, check_same_thread=False
            )
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute("PRAGMA secure_delete = ON")  # erased data is overwritten
                # merging segments reads and writes the same pages often
                connection.execute("PRAGMA cache_size = -16000")
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _replace_damaged(self, reason: Exception) -> None:
        """Move a damaged index away: its pages can be fetched again."""
        if self._connection:
            with suppress(sqlite3.Error), closing(self._connection):
                pass
        self._connection = None
        for suffix in ("-wal", "-shm", ""):
            with suppress(FileNotFoundError):
                damaged = self._path.with_name(self._path.name + suffix)
                damaged.rename(damaged.with_name(f"{self._path.name}.corrupt{suffix}"))
        logger.warning("the index %s was damaged (%s) and starts empty", self._path, reason)

    def _unusable(self, exc: Exception) -> SettingsError:
        return SettingsError(
            f"the index {self._path} cannot be used: {exc}; check its permissions and the free"
            " disk space, or set LOCAL_INDEX=off"
        )
