"""Statements for many rows at a time.

A database is asked without the interpreter's lock. Where other threads are busy, getting it back
costs more than a row does, and a connection that runs a statement per row gives it up per row.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Protocol

# few sizes, so that statements are prepared once
_SIZES = (64, 16, 4, 1)
_LARGE = 64 * 2**10  # bytes: a statement holds a copy of all it is given


class ExecutesSql(Protocol):
    """Whatever runs statements."""

    def execute(self, sql: str, parameters: tuple[Any, ...] = ..., /) -> Any:
        """Run one statement and return its cursor."""
        ...


def insert(db: ExecutesSql, sql: str, rows: Sequence[tuple[Any, ...]]) -> int:
    """Insert rows where `sql` has `{rows}`; return how many came to be.

    The last value of a row is its longest; rows where it is large are inserted one by one.
    """
    small = [row for row in rows if len(row[-1]) <= _LARGE]
    large = [[row] for row in rows if len(row[-1]) > _LARGE]
    added = 0
    for portion in (*portions(small), *large):
        values = tuple([value for row in portion for value in row])
        added += db.execute(_with_rows(sql, len(portion), len(portion[0])), values).rowcount
    return added


def among(db: ExecutesSql, sql: str, before: tuple[Any, ...], names: Sequence[Any]) -> int:
    """Change the rows with these names, which stand where `sql` has `{names}`; return how many."""
    return sum(
        db.execute(_with_names(sql, len(portion)), (*before, *portion)).rowcount
        for portion in portions(names)
    )


def portions(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield rows in portions for which statements are at hand."""
    begin = 0
    while begin < len(rows):
        size = next(size for size in _SIZES if size <= len(rows) - begin)
        yield rows[begin : begin + size]
        begin += size


def marks(count: int) -> str:
    """Return the places of so many values."""
    return ", ".join("?" * count)


@cache
def _with_rows(sql: str, count: int, width: int) -> str:
    return sql.replace("{rows}", ", ".join([f"({marks(width)})"] * count))


@cache
def _with_names(sql: str, count: int) -> str:
    return sql.replace("{names}", marks(count))
