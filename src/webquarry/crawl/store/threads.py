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

    def translate_error(self, error: Exception) -> Exception | None:
        """Return the error to raise for a driver's error; None: retry with a new connection."""
        ...

    def is_dead(self, process: str) -> bool:
        """Whether a process is known to have ended."""
        ...

    @property
    def process_name(self) -> str:
        """The name of this process."""
        ...

    @property
    def driver_errors(self) -> tuple[type[Exception], ...]:
        """The errors of the driver."""
        ...


class ConnectionThread:
    """A connection with the one thread that uses it, opened when first needed."""

    def __init__(self, name: str, factory: ConnectionFactory) -> None:
        self._factory = factory
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._db: SqlConnection | None = None

    async def run(self, work: Callable[[SqlConnection], T]) -> T:
        """Return what `work` returns; after a lost connection it is retried once."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._attempt, work)

    async def close(self) -> None:
        """Finish the work in progress and disconnect."""
        await asyncio.to_thread(self._pool.shutdown)
        if self._db is not None:
            self._db.close()

    def _attempt(self, work: Callable[[SqlConnection], T]) -> T:
        try:
            return work(self._open())
        except self._factory.driver_errors as error:
            translated = self._factory.translate_error(error)
            if translated is not None:
                raise translated from error
            self._disconnect()
        try:
            return work(self._open())
        except self._factory.driver_errors as error:
            self._disconnect()
            raise self._factory.translate_error(error) or error from error

    def _open(self) -> SqlConnection:
        if self._db is None:
            self._db = self._factory.connect()
        return self._db

    def _disconnect(self) -> None:
        if self._db is not None:
            self._db.close()
        self._db = None
