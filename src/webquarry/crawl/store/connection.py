"""A connection to a database of crawls, whichever it is."""

from contextlib import AbstractContextManager
from typing import Any, Protocol


class SqlConnection(Protocol):
    """What both databases have in common; parameters are written as question marks."""

    def execute(self, sql: str, parameters: tuple[Any, ...] = ()) -> Any:
        """Run one statement and return its cursor."""
        ...

    def many(self, sql: str, rows: list[tuple[Any, ...]]) -> int:
        """Run a statement for each row and return how many rows it changed."""
        ...

    def lock(self, sql: str, parameters: tuple[Any, ...]) -> Any:
        """Read rows that nobody else changes until the transaction ends."""
        ...

    def now(self) -> float:
        """Return the time that everybody at this database shares."""
        ...

    def alone(self) -> None:
        """Let no other transaction past this point until this one ends."""
        ...

    def transaction(self) -> AbstractContextManager[object]:
        """Make what is written in the block happen together."""
        ...

    def close(self) -> None:
        """Disconnect."""
        ...
