"""The connection port: what SQLite and Postgres have in common."""

from contextlib import AbstractContextManager
from typing import Any, Protocol


class SqlConnection(Protocol):
    """A database connection; parameters are written as question marks."""

    def execute(self, sql: str, parameters: tuple[Any, ...] = ()) -> Any:
        """Run one statement and return its cursor."""
        ...

    def execute_many(self, sql: str, rows: list[tuple[Any, ...]]) -> int:
        """Run a statement for each row and return how many rows it changed."""
        ...

    def select_for_update(self, sql: str, parameters: tuple[Any, ...]) -> Any:
        """Read rows and lock them until the transaction ends."""
        ...

    def time(self) -> float:
        """Return the time of the database, which all its clients share."""
        ...

    def serialize(self) -> None:
        """Wait for, and hold off, other transactions that call this."""
        ...

    def transaction(self) -> AbstractContextManager[object]:
        """Commit the writes of the block together."""
        ...

    def close(self) -> None:
        """Disconnect."""
        ...
