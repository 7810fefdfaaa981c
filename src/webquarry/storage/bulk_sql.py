"""SQL statements for many rows at a time.

SQLite releases the interpreter's lock for each statement. While other threads are busy, getting it
back costs more than a row, so one statement writes many rows.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Protocol

# few sizes, so that prepared statements are reused
_CHUNK_SIZES = (64, 16, 4, 1)
_LARGE_BYTES = 64 * 2**10  # a statement holds a copy of all its parameters


class ExecutesSql(Protocol):
    """A database connection."""

    def execute(self, sql: str, parameters: tuple[Any, ...] = ..., /) -> Any:
        """Run one statement and return its cursor."""
        ...


def insert(db: ExecutesSql, sql: str, rows: Sequence[tuple[Any, ...]]) -> int:
    """Insert rows where `sql` has `{rows}`; return how many were inserted.

    The last value of a row is its largest; rows where it is very large are inserted one by one.
    """
    small = [row for row in rows if len(row[-1]) <= _LARGE_BYTES]
    large = [[row] for row in rows if len(row[-1]) > _LARGE_BYTES]
    inserted = 0
    for chunk in (*chunks(small), *large):
        values = tuple([value for row in chunk for value in row])
        inserted += db.execute(_with_rows(sql, len(chunk), len(chunk[0])), values).rowcount
    return inserted


def execute_for_names(
    db: ExecutesSql, sql: str, parameters: tuple[Any, ...], names: Sequence[Any]
) -> int:
    """Run `sql` with the names where it has `{names}`; return how many rows it changed."""
    return sum(
        db.execute(_with_names(sql, len(chunk)), (*parameters, *chunk)).rowcount
        for chunk in chunks(names)
    )


def chunks(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield rows in chunks of a few sizes."""
    start = 0
    while start < len(rows):
        size = next(size for size in _CHUNK_SIZES if size <= len(rows) - start)
        yield rows[start : start + size]
        start += size


def placeholders(count: int) -> str:
    """Return the placeholders of `count` values."""
    return ", ".join("?" * count)


@cache
def _with_rows(sql: str, count: int, width: int) -> str:
    return sql.replace("{rows}", ", ".join([f"({placeholders(width)})"] * count))


@cache
def _with_names(sql: str, count: int) -> str:
    return sql.replace("{names}", placeholders(count))
