"""A full-text index of what was read or crawled, in one SQLite file (FTS5, ranked by BM25).

It is plain text by nature, so it holds fetched pages only, each for the person who had it fetched.
"""

import asyncio
import logging
import re
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
from webquarry.storage.encryption_keys import private_directory, private_file
from webquarry.storage.index_queue import IndexedPage, IndexQueue, Owned

T = TypeVar("T")

LONGEST_TEXT = 200_000  # characters of one page
_SCHEMA = """
CREATE TABLE IF NOT EXISTS pages (
    id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, owner TEXT NOT NULL, url TEXT NOT NULL,
    title TEXT NOT NULL, published TEXT, read_at REAL NOT NULL, body TEXT NOT NULL,
    UNIQUE (tenant, owner, url)
);
CREATE INDEX IF NOT EXISTS pages_by_age ON pages (read_at);
-- the texts are in `pages`; this holds only which words are where
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
    title, body, content='', tokenize="unicode61 remove_diacritics 2"
);
"""
# many small additions: merging what they leave less often spares a seventh of the work
_MERGE = "INSERT INTO words (words, rank) VALUES ('automerge', 16)"
_RECOUNT = 64  # additions: other processes may add to the same file
_FIND = """SELECT pages.url, pages.title, pages.body, pages.published, pages.read_at
    FROM words JOIN pages ON pages.id = words.rowid
    WHERE words MATCH ? AND pages.tenant = ? AND pages.owner = ?
    ORDER BY bm25(words, 4.0, 1.0) LIMIT ?"""
_OLDEST = "SELECT id, title, body FROM pages ORDER BY read_at LIMIT ?"
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
# written without spaces between words: every character is indexed as one
_UNSPACED = re.compile(
    r"([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])"
)
_WORD = re.compile(r"\w+")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class IndexQuery:
    """What to look for in one person's pages."""

    words: str
    exact: str | None = None  # a phrase
    without: tuple[str, ...] = ()  # words or phrases
    most: int = 10


class PageIndex:
    """Finds pages by their words, in the pages of one person at a time."""

    def __init__(
        self, path: Path, *, most_pages: int = 100_000, clock: Callable[[], float] = time.time
    ) -> None:
        """Name the file; it is opened when it is first needed."""
        self._path = path
        self._most = most_pages
        self._clock = clock
        self._connection: sqlite3.Connection | None = None
        self._room = self._uncounted = (
            0  # pages that surely fit, and additions since they were counted
        )
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="webquarry-index")
        self._later = IndexQueue(lambda pages: self._do(lambda db: self._put_all(db, pages)))

    async def add(self, pages: Sequence[IndexedPage], *, tenant: str, owner: str) -> None:
        """Index pages for their owner; a page that is there is replaced."""
        await self._run(lambda db: self._put_all(db, [(page, tenant, owner) for page in pages]))

    def add_soon(self, page: IndexedPage, *, tenant: str, owner: str) -> None:
        """Index a page when there is time, but before anyone looks for it."""
        self._later.add(replace(page, read_at=page.read_at or self._clock()), tenant, owner)

    async def search(self, wanted: IndexQuery, *, tenant: str, owner: str) -> list[IndexedPage]:
        """Return the owner's pages, best first; those with any of the words if none has all."""

        def work(db: sqlite3.Connection) -> list[IndexedPage]:
            for joint in (" AND ", " OR "):
                match = _expression(wanted, joint)
                if match is None:
                    return []
                rows = db.execute(_FIND, (match, tenant, owner, wanted.most))
                if found := [_page(row) for row in rows]:
                    return found
            return []

        return await self._run(work)

    async def pages(self, *, tenant: str, owner: str) -> list[IndexedPage]:
        """Return all pages of one person."""
        columns = "url, title, body, published, read_at"
        sql = f"SELECT {columns} FROM pages WHERE tenant = ? AND owner = ?"  # noqa: S608 -- ours
        return await self._run(lambda db: [_page(row) for row in db.execute(sql, (tenant, owner))])

    async def erase(self, *, tenant: str, owner: str | None = None, url: str | None = None) -> int:
        """Forget a tenant's pages, one person's, or one page; return how many were forgotten."""
        wanted = {"tenant": tenant, "owner": owner, "url": url}
        given = {name: value for name, value in wanted.items() if value is not None}
        where = " AND ".join(f"{name} = :{name}" for name in given)

        def work(db: sqlite3.Connection) -> int:
            with transaction(db):
                rows = db.execute(
                    # the names of columns are ours and values are bound, so nothing is injected
                    f"SELECT id, title, body FROM pages WHERE {where}",  # noqa: S608
                    given,
                ).fetchall()
                _remove(db, rows)
                if rows:
                    # words of deleted pages stay in old segments until those are merged
                    db.execute("INSERT INTO words (words) VALUES ('optimize')")
            if rows:
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return len(rows)

        return await self._run(work)

    async def count(self) -> int:
        """Return how many pages there are, of everybody."""
        return await self._run(lambda db: db.execute("SELECT count(*) FROM pages").fetchone()[0])

    async def close(self) -> None:
        """Release the file; what is under way or waiting is finished first."""
        await self._later.finish()
        await asyncio.to_thread(self._pool.shutdown)
        if self._connection:
            await asyncio.to_thread(self._connection.close)

    def _put_all(self, db: sqlite3.Connection, pages: Sequence[Owned]) -> None:
        with transaction(db):
            for page, tenant, owner in pages:
                self._put(db, page, tenant, owner)
            self._make_room(db, len(pages))

    def _make_room(self, db: sqlite3.Connection, added: int) -> None:
        """Take out the oldest pages when there are too many; counting them all takes time."""
        self._room -= added
        self._uncounted += 1
        if self._room >= 0 and self._uncounted < _RECOUNT:
            return
        self._room = self._most - db.execute("SELECT count(*) FROM pages").fetchone()[0]
        self._uncounted = 0
        if self._room < 0:
            _remove(db, db.execute(_OLDEST, (-self._room,)).fetchall())
            self._room = 0

    def _put(self, db: sqlite3.Connection, page: IndexedPage, tenant: str, owner: str) -> None:
        key = (tenant, owner, page.url)
        old = "SELECT id, title, body FROM pages WHERE tenant = ? AND owner = ? AND url = ?"
        _remove(db, db.execute(old, key).fetchall())
        body = page.text[:LONGEST_TEXT]
        read_at = self._clock() if page.read_at is None else page.read_at
        row = db.execute(
            "INSERT INTO pages (tenant, owner, url, title, published, read_at, body)"
            " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
            (*key, page.title, page.published, read_at, body),
        ).fetchone()
        db.execute(
            "INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)",
            (row[0], _spaced(page.title), _spaced(body)),
        )

    async def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        await self._later.finish()
        return await self._do(work)

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._guarded, work)

    def _guarded(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return work(self._open())
        except sqlite3.DatabaseError as exc:
            code = getattr(exc, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
            if code in _BUSY:
                raise DeadlineError(f"the index {self._path} stayed busy; try again") from exc
            if code not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise self._unusable(exc) from exc
            self._start_over(exc)
            return work(self._open())
        except OSError as exc:
            raise self._unusable(exc) from exc

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            private_directory(self._path.parent)
            private_file(self._path)
            connection = sqlite3.connect(
                self._path, timeout=5, isolation_level=None, check_same_thread=False
            )
            self._connection = connection
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA secure_delete = ON")  # what is erased is overwritten
            known = connection.execute(
                "SELECT 1 FROM sqlite_master WHERE name = 'words'"
            ).fetchone()
            connection.executescript(_SCHEMA)
            if not known:
                connection.execute(_MERGE)
        return self._connection

    def _start_over(self, reason: Exception) -> None:
        """Put a damaged index aside: what it held can be read again."""
        if self._connection:
            with suppress(sqlite3.Error), closing(self._connection):
                pass
        self._connection = None
        for suffix in ("-wal", "-shm", ""):
            with suppress(FileNotFoundError):
                damaged = self._path.with_name(self._path.name + suffix)
                damaged.rename(damaged.with_name(f"{self._path.name}.corrupt{suffix}"))
        logger.warning("the index %s was damaged (%s) and is started anew", self._path, reason)

    def _unusable(self, exc: Exception) -> SettingsError:
        return SettingsError(
            f"the index {self._path} cannot be used: {exc}; check its permissions and the free"
            " disk space, or set LOCAL_INDEX=off"
        )


def _remove(db: sqlite3.Connection, rows: list[tuple[int, str, str]]) -> None:
    for number, title, body in rows:
        # without the words that were put in they cannot be taken out
        db.execute(
            "INSERT INTO words (words, rowid, title, body) VALUES ('delete', ?, ?, ?)",
            (number, _spaced(title), _spaced(body)),
        )
        db.execute("DELETE FROM pages WHERE id = ?", (number,))


def _page(row: tuple[str, str, str, str | None, float]) -> IndexedPage:
    url, title, body, published, read_at = row
    return IndexedPage(url=url, title=title, text=body, published=published, read_at=read_at)


def _spaced(text: str) -> str:
    return text if text.isascii() else _UNSPACED.sub(r" \1 ", text)


def _phrase(text: str) -> str | None:
    """Return words in this order, as an expression; quotes keep its own syntax out."""
    words = _WORD.findall(_spaced(text))
    return f'"{" ".join(words)}"' if words else None


def _expression(wanted: IndexQuery, joint: str) -> str | None:
    words = [found for word in wanted.words.split() if (found := _phrase(word))]
    asked = f"({joint.join(dict.fromkeys(words))})" if words else None
    exact = _phrase(wanted.exact) if wanted.exact else None
    match = " AND ".join(part for part in (asked, exact) if part)
    for word in wanted.without:
        if match and (unwanted := _phrase(word)):
            match = f"({match}) NOT {unwanted}"
    return match or None
