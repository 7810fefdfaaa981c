"""A full-text index of the pages that were read or crawled, in SQLite (FTS5, ranked by BM25).

It is not encrypted, so it holds fetched pages only, each for the person who had it fetched.
Indexing a page costs as much as reading it, so it waits until no more pages arrive or until
somebody searches.
"""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from webquarry.errors import DeadlineError, SettingsError
from webquarry.storage.database import transaction
from webquarry.storage.encryption_keys import ensure_private_directory, ensure_private_file
from webquarry.storage.full_text_query import match_expression, separate_characters
from webquarry.storage.write_behind import WriteQueue

T = TypeVar("T")

MAX_TEXT_CHARS = 200_000  # of one page
_IDLE_SECONDS = 1.0  # without another page before the pending ones are indexed
_MAX_PENDING_CHARS = 8_000_000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS pages (
    id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, owner TEXT NOT NULL, url TEXT NOT NULL,
    title TEXT NOT NULL, published TEXT, read_at REAL NOT NULL, body TEXT NOT NULL,
    UNIQUE (tenant, owner, url)
);
CREATE INDEX IF NOT EXISTS pages_by_age ON pages (read_at);
-- the texts are in `pages`; this holds only the positions of words
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
    title, body, content='', tokenize="unicode61 remove_diacritics 2"
);
"""
# many small additions: merging their segments less often saves a seventh of the work
_SET_MERGE = "INSERT INTO words (words, rank) VALUES ('automerge', 16)"
_RECOUNT_EVERY = 64  # additions: other processes may add to the same file
_FIND = """SELECT pages.url, pages.title, pages.body, pages.published, pages.read_at
    FROM words JOIN pages ON pages.id = words.rowid
    WHERE words MATCH ? AND pages.tenant = ? AND pages.owner = ?
    ORDER BY bm25(words, 4.0, 1.0) LIMIT ?"""
_OLDEST = "SELECT id, title, body FROM pages ORDER BY read_at LIMIT ?"
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class IndexedPage:
    """A page in the index: its URL and its text."""

    url: str
    title: str
    text: str
    published: str | None = None  # RFC 3339 in UTC
    read_at: float | None = None  # seconds since 1970; None: when it is added


_OwnedPage = tuple[IndexedPage, str, str]  # with its tenant and owner


@dataclass(frozen=True, kw_only=True)
class IndexQuery:
    """A search in one person's pages."""

    words: str
    exact: str | None = None  # a phrase
    excluded: tuple[str, ...] = ()  # words or phrases
    max_results: int = 10


class PageIndex:
    """Searches the pages of one person at a time."""

    def __init__(
        self, path: Path, *, max_pages: int = 100_000, clock: Callable[[], float] = time.time
    ) -> None:
        """Use the file, which is opened when it is first needed."""
        self._path = path
        self._max_pages = max_pages
        self._clock = clock
        self._connection: sqlite3.Connection | None = None
        self._room = 0  # pages that certainly fit
        self._additions = 0  # since the pages were counted
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="webquarry-index")
        self._queue: WriteQueue[tuple[str, str, str], _OwnedPage] = WriteQueue(
            lambda pages: self._run(lambda db: self._put_all(db, pages)),
            name="pages of the local index",
            idle=_IDLE_SECONDS,
            max_size=_MAX_PENDING_CHARS,
        )

    async def add(self, pages: Sequence[IndexedPage], *, tenant: str, owner: str) -> None:
        """Index pages for their owner; an indexed page of the same URL is replaced."""
        owned = [(page, tenant, owner) for page in pages]
        await self._run_after_pending(lambda db: self._put_all(db, owned))

    def add_in_background(self, page: IndexedPage, *, tenant: str, owner: str) -> None:
        """Index a page in the background, but before the next search."""
        if page.read_at is None:
            page = replace(page, read_at=self._clock())
        self._queue.enqueue((tenant, owner, page.url), (page, tenant, owner), size=len(page.text))

    async def search(self, query: IndexQuery, *, tenant: str, owner: str) -> list[IndexedPage]:
        """Return the owner's pages, best first; those with any of the words if none has all."""

        def work(db: sqlite3.Connection) -> list[IndexedPage]:
            for operator in (" AND ", " OR "):
                match = match_expression(
                    query.words, query.exact, query.excluded, operator=operator
                )
                if match is None:
                    return []
                rows = db.execute(_FIND, (match, tenant, owner, query.max_results))
                if pages := [_page(row) for row in rows]:
                    return pages
            return []

        return await self._run_after_pending(work)

    async def pages(self, *, tenant: str, owner: str) -> list[IndexedPage]:
        """Return all pages of one person."""
        columns = "url, title, body, published, read_at"
        sql = f"SELECT {columns} FROM pages WHERE tenant = ? AND owner = ?"  # noqa: S608 -- ours
        return await self._run_after_pending(
            lambda db: [_page(row) for row in db.execute(sql, (tenant, owner))]
        )

    async def erase(self, *, tenant: str, owner: str | None = None, url: str | None = None) -> int:
        """Erase a tenant's pages, one person's, or one page; return how many were erased."""
        filters = {"tenant": tenant, "owner": owner, "url": url}
        values = {name: value for name, value in filters.items() if value is not None}
        where = " AND ".join(f"{name} = :{name}" for name in values)

        def work(db: sqlite3.Connection) -> int:
            with transaction(db):
                rows = db.execute(
                    # the column names are constants and the values are bound: no SQL injection
                    f"SELECT id, title, body FROM pages WHERE {where}",  # noqa: S608
                    values,
                ).fetchall()
                _remove(db, rows)
                if rows:
                    # words of deleted pages stay in old segments until those are merged
                    db.execute("INSERT INTO words (words) VALUES ('optimize')")
            if rows:
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return len(rows)

        return await self._run_after_pending(work)

    async def count(self) -> int:
        """Return the number of pages of all owners."""
        return await self._run_after_pending(_count)

    async def close(self) -> None:
        """Index what is pending and release the file."""
        await self._queue.flush()
        await asyncio.to_thread(self._pool.shutdown)
        if self._connection:
            await asyncio.to_thread(self._connection.close)

    def _put_all(self, db: sqlite3.Connection, pages: Sequence[_OwnedPage]) -> None:
        with transaction(db):
            for page, tenant, owner in pages:
                self._put(db, page, tenant, owner)
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
            _remove(db, db.execute(_OLDEST, (-self._room,)).fetchall())
            self._room = 0

    def _put(self, db: sqlite3.Connection, page: IndexedPage, tenant: str, owner: str) -> None:
        key = (tenant, owner, page.url)
        old = "SELECT id, title, body FROM pages WHERE tenant = ? AND owner = ? AND url = ?"
        _remove(db, db.execute(old, key).fetchall())
        body = page.text[:MAX_TEXT_CHARS]
        read_at = self._clock() if page.read_at is None else page.read_at
        row = db.execute(
            "INSERT INTO pages (tenant, owner, url, title, published, read_at, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
            (*key, page.title, page.published, read_at, body),
        ).fetchone()
        db.execute(
            "INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)",
            (row[0], separate_characters(page.title), separate_characters(body)),
        )

    async def _run_after_pending(self, work: Callable[[sqlite3.Connection], T]) -> T:
        await self._queue.flush()
        return await self._run(work)

    async def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._attempt, work)

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
            self._connection = connection
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA secure_delete = ON")  # erased data is overwritten
            tables = "SELECT 1 FROM sqlite_master WHERE name = 'words'"
            exists = connection.execute(tables).fetchone()
            connection.executescript(_SCHEMA)
            if not exists:
                connection.execute(_SET_MERGE)
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


def _remove(db: sqlite3.Connection, rows: list[tuple[int, str, str]]) -> None:
    for number, title, body in rows:
        # FTS5 without stored content needs the indexed text to delete it
        db.execute(
            "INSERT INTO words (words, rowid, title, body) VALUES ('delete', ?, ?, ?)",
            (number, separate_characters(title), separate_characters(body)),
        )
        db.execute("DELETE FROM pages WHERE id = ?", (number,))


def _count(db: sqlite3.Connection) -> int:
    return db.execute("SELECT count(*) FROM pages").fetchone()[0]


def _page(row: tuple[str, str, str, str | None, float]) -> IndexedPage:
    url, title, body, published, read_at = row
    return IndexedPage(url=url, title=title, text=body, published=published, read_at=read_at)
