"""A full-text index of the pages that were read or crawled, in SQLite (FTS5).

It is not encrypted, so it holds fetched pages only, each for the person who had it fetched.
Indexing a page costs as much as reading it, so it waits until no more pages arrive or until
somebody searches.
"""

import sqlite3
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from webquarry.storage.database import transaction
from webquarry.storage.index_file import IndexFile
from webquarry.storage.indexed_page import (
    PAGES,
    TERM_ROWS,
    FoundPage,
    IndexedPage,
    IndexQuery,
    OwnedPage,
    page_of,
)
from webquarry.storage.write_behind import WriteQueue

if TYPE_CHECKING:
    from webquarry.storage.index_rows import IndexRows
    from webquarry.storage.index_search import IndexSearch
    from webquarry.storage.index_terms import TermExtractor

T = TypeVar("T")

_IDLE_SECONDS = 1.0  # without another page before the pending ones are indexed
_MAX_PENDING_CHARS = 8_000_000
_RECOUNT_EVERY = 64  # additions: other processes may add to the same file
_OLDEST = TERM_ROWS + " ORDER BY read_at LIMIT ?"


class PageIndex:
    """Searches the pages of one person at a time."""

    def __init__(
        self, path: Path, *, max_pages: int = 100_000, clock: Callable[[], float] = time.time
    ) -> None:
        """Use the file, which is opened when it is first needed."""
        self._max_pages = max_pages
        self._clock = clock
        self._room = 0  # pages that certainly fit
        self._additions = 0  # since the pages were counted
        self._file = IndexFile(path, self._prepare)
        self._queue: WriteQueue[tuple[str, str, str], OwnedPage] = WriteQueue(
            lambda pages: self._file.run(lambda db: self._put_all(db, pages)),
            name="pages of the local index",
            idle=_IDLE_SECONDS,
            max_size=_MAX_PENDING_CHARS,
        )

    @cached_property
    def _rows(self) -> "IndexRows":
        # imported here, in the thread of the file: most processes neither read nor search
        from webquarry.storage.index_rows import IndexRows

        return IndexRows(self._terms)

    @cached_property
    def _search(self) -> "IndexSearch":
        from webquarry.storage.index_search import IndexSearch

        return IndexSearch(self._terms)

    @cached_property
    def _terms(self) -> "TermExtractor":
        from webquarry.storage.index_terms import TermExtractor

        return TermExtractor()

    async def add(self, pages: Sequence[IndexedPage], *, tenant: str, owner: str) -> None:
        """Index pages for their owner; an indexed page of the same URL is replaced."""
        owned = [(page, tenant, owner) for page in pages]
        await self._run_after_pending(lambda db: self._put_all(db, owned))

    def add_in_background(self, page: IndexedPage, *, tenant: str, owner: str) -> None:
        """Index a page in the background, but before the next search."""
        if page.read_at is None:
            page = replace(page, read_at=self._clock())
        self._queue.enqueue((tenant, owner, page.url), (page, tenant, owner), size=len(page.text))

    async def search(self, query: IndexQuery, *, tenant: str, owner: str) -> list[FoundPage]:
        """Return the owner's pages with any of the words, the best first."""
        return await self._run_after_pending(lambda db: self._search.find(db, query, tenant, owner))

    async def pages(self, *, tenant: str, owner: str) -> list[IndexedPage]:
        """Return all pages of one person."""
        sql = PAGES + " WHERE tenant = ? AND owner = ?"
        return await self._run_after_pending(
            lambda db: [page_of(row) for row in db.execute(sql, (tenant, owner))]
        )

    async def erase(self, *, tenant: str, owner: str | None = None, url: str | None = None) -> int:
        """Erase a tenant's pages, one person's, or one page; return how many were erased."""
        filters = {"tenant": tenant, "owner": owner, "url": url}
        values = {name: value for name, value in filters.items() if value is not None}
        where = " AND ".join(f"{name} = :{name}" for name in values)

        def work(db: sqlite3.Connection) -> int:
            with transaction(db):
                # the column names are constants and the values are bound: no SQL injection
                rows = db.execute(f"{TERM_ROWS} WHERE {where}", values)
                erased = self._rows.remove(db, rows)
                if erased:
                    # words of deleted pages stay in old segments until those are merged
                    db.execute("INSERT INTO words (words) VALUES ('optimize')")
            if erased:
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return erased

        return await self._run_after_pending(work)

    async def count(self) -> int:
        """Return the number of pages of all owners."""
        return await self._run_after_pending(_count)

    async def close(self) -> None:
        """Index what is pending and release the file."""
        await self._queue.flush()
        await self._file.close()

    def _put_all(self, db: sqlite3.Connection, pages: Sequence[OwnedPage]) -> None:
        with transaction(db):
            self._rows.put_all(db, pages, self._clock())
            self._make_room(db, len(pages))

    def _make_room(self, db: sqlite3.Connection, added: int) -> None:
        """Remove the oldest pages if there are too many; they are counted only now and then."""
        self._room -= added
        self._additions += 1
        if self._room >= 0 and self._additions < _RECOUNT_EVERY:
            return
        self._room = self._max_pages - _count(db)
        self._additions = 0
        if self._room < 0:
            self._rows.remove(db, db.execute(_OLDEST, (-self._room,)))
            self._room = 0

    def _prepare(self, db: sqlite3.Connection) -> None:
        self._rows.prepare(db)

    async def _run_after_pending(self, work: Callable[[sqlite3.Connection], T]) -> T:
        await self._queue.flush()
        return await self._file.run(work)


def _count(db: sqlite3.Connection) -> int:
    return db.execute("SELECT count(*) FROM pages").fetchone()[0]
