"""Database connections, each with the one thread that uses it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from webquarry.crawl.store.connection import SqlConnection

T = TypeVar("T")


class ConnectionFactory(Protocol):
    """Opens connections to one database."""

    def connect(self) -> SqlConnection:
        """Return a new connection to a database that has the tables."""
        ...

    def failure(self, error: Exception) -> Exception | None:
        """Return what a driver's error means to people; None: try again with a new connection."""
        ...

    def dead(self, process: str) -> bool:
        """Whether a process is known to be gone."""
        ...

    @property
    def process(self) -> str:
        """What this process is called."""
        ...

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """The errors of the driver."""
        ...


class ConnectionThread:
    """A connection with the one thread that uses it, opened when first needed."""

    def __init__(self, name: str, opening: ConnectionFactory) -> None:
        self._opening = opening
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._db: SqlConnection | None = None

    async def run(self, work: Callable[[SqlConnection], T]) -> T:
        """Return what `work` returns; after a broken connection it is tried once more."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._guarded, work)

    async def close(self) -> None:
        """Finish what is under way and disconnect."""
        await asyncio.to_thread(self._pool.shutdown)
        if self._db is not None:
            self._db.close()

    def _guarded(self, work: Callable[[SqlConnection], T]) -> T:
        try:
            return work(self._open())
        except self._opening.errors as error:
            problem = self._opening.failure(error)
            if problem is not None:
                raise problem from error
            self._forget()
        try:
            return work(self._open())
        except self._opening.errors as error:
            self._forget()
            raise self._opening.failure(error) or error from error

    def _open(self) -> SqlConnection:
        if self._db is None:
            self._db = self._opening.connect()
        return self._db

    def _forget(self) -> None:
        if self._db is not None:
            self._db.close()
        self._db = None
