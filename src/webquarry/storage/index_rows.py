"""The rows of the local index: pages, and the terms of their fields."""

import logging
import re
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from webquarry.storage import bulk_sql
from webquarry.storage.database import transaction
from webquarry.storage.index_terms import TermExtractor, language_of, terms_version, words_of
from webquarry.storage.indexed_page import MAX_TEXT_CHARS, TERM_ROWS, OwnedPage

_PAGES = """
CREATE TABLE IF NOT EXISTS pages (
    id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, owner TEXT NOT NULL, url TEXT NOT NULL,
    title TEXT NOT NULL, published TEXT, read_at REAL NOT NULL, body TEXT NOT NULL,
    UNIQUE (tenant, owner, url)
);
CREATE INDEX IF NOT EXISTS pages_by_age ON pages (read_at);
-- which release has written the terms, and up to which page; NULL: of all pages
CREATE TABLE IF NOT EXISTS terms_state (
    id INTEGER PRIMARY KEY CHECK (id = 1), version TEXT NOT NULL, built_to INTEGER
);
"""
_TERMS = (
    "DROP TABLE IF EXISTS words",
    "DROP TABLE IF EXISTS page_terms",
    # the texts are in `pages`; this holds only the positions of their terms
    """CREATE VIRTUAL TABLE words USING fts5(
        title, headings, body, content='', tokenize='ascii')""",
    # many small additions: merging their segments less often saves a seventh of the work
    "INSERT INTO words (words, rank) VALUES ('automerge', 16)",
    # what ranking needs of a page: small rows, because it looks at many
    """CREATE TABLE page_terms (
        id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, owner TEXT NOT NULL,
        language TEXT NOT NULL, length INTEGER NOT NULL)""",
    "CREATE INDEX page_languages ON page_terms (tenant, owner, language)",
)
_STATE = "SELECT version, built_to FROM terms_state"
_SET_STATE = "INSERT OR REPLACE INTO terms_state (id, version, built_to) VALUES (1, ?, ?)"
_SAME = TERM_ROWS + " WHERE tenant = ? AND owner = ? AND url = ?"
_ADD_PAGES = """INSERT INTO pages
    (id, tenant, owner, url, title, published, read_at, body) VALUES {rows}"""
_ADD_WORDS = "INSERT INTO words (rowid, title, headings, body) VALUES {rows}"
_ADD_PAGE_TERMS = "INSERT INTO page_terms (id, length, tenant, owner, language) VALUES {rows}"
# FTS5 without stored content needs the indexed terms to delete them
_DELETE_WORDS = """INSERT INTO words (words, rowid, title, headings, body)
    VALUES ('delete', ?, ?, ?, ?)"""
_DELETE = ("DELETE FROM page_terms WHERE id = ?", "DELETE FROM pages WHERE id = ?")
_BATCH = 100  # pages of one transaction of a rebuild
_NEXT = """SELECT id, title, body, tenant, owner FROM pages WHERE id > ?
    ORDER BY id LIMIT ?"""
_HEADING = re.compile(r"^#{1,6}[ \t]++(.+)$", re.MULTILINE)

TermRow = tuple[int, str, str]
_OwnedRow = tuple[int, str, str, str, str]  # with tenant and owner
logger = logging.getLogger(__name__)


class IndexRows:
    """Writes pages and their terms. For one thread at a time."""

    def __init__(self, terms: TermExtractor) -> None:
        self._terms = terms

    def prepare(self, db: sqlite3.Connection) -> None:
        """Create the tables; build the terms of all pages if another release has written them."""
        db.executescript(_PAGES)
        with transaction(db):
            state = db.execute(_STATE).fetchone()
            if state is None or state[0] != terms_version():
                _start_rebuild(db)
        while self._build_next(db):
            pass

    def put_all(self, db: sqlite3.Connection, pages: Sequence[OwnedPage], now: float) -> None:
        """Add pages; those of the same URL are replaced."""
        latest = {(tenant, owner, page.url): page for page, tenant, owner in pages}
        for key in latest:
            self.remove(db, db.execute(_SAME, key))
        (last,) = db.execute("SELECT ifnull(max(id), 0) FROM pages").fetchone()
        rows: list[tuple[Any, ...]] = []
        for number, (key, page) in enumerate(latest.items(), last + 1):
            read_at = now if page.read_at is None else page.read_at
            body = page.text[:MAX_TEXT_CHARS]
            rows.append((number, *key, page.title, page.published, read_at, body))
        bulk_sql.insert(db, _ADD_PAGES, rows)
        self._add_terms(db, [(row[0], row[4], row[7], *row[1:3]) for row in rows])

    def remove(self, db: sqlite3.Connection, rows: Iterable[TermRow]) -> int:
        """Remove pages and their terms; return how many."""
        removed = list(rows)
        for row in removed:
            _, terms = self._terms_of(row[1:])
            db.execute(_DELETE_WORDS, (row[0], *map(" ".join, terms)))
            for statement in _DELETE:
                db.execute(statement, row[:1])
        return len(removed)

    def _build_next(self, db: sqlite3.Connection) -> bool:
        """Build the terms of some pages; return whether there may be more."""
        with transaction(db):
            (_, built_to) = db.execute(_STATE).fetchone()
            if built_to is None:
                return False
            rows = db.execute(_NEXT, (built_to, _BATCH)).fetchall()
            self._add_terms(db, rows)
            db.execute(_SET_STATE, (terms_version(), rows[-1][0] if rows else None))
        return bool(rows)

    def _add_terms(self, db: sqlite3.Connection, rows: Sequence[_OwnedRow]) -> None:
        words: list[tuple[int | str, ...]] = []
        pages: list[tuple[int | str, ...]] = []
        for number, *fields, tenant, owner in rows:
            language, terms = self._terms_of(fields)
            words.append((number, *map(" ".join, terms)))
            pages.append((number, sum(map(len, terms)), tenant, owner, language))
        bulk_sql.insert(db, _ADD_WORDS, words)
        bulk_sql.insert(db, _ADD_PAGE_TERMS, pages)

    def _terms_of(self, fields: Sequence[str]) -> tuple[str, list[list[str]]]:
        """Return the language of a page, and the terms of its fields."""
        title, body = fields
        headings = "\n".join(_HEADING.findall(body) if "#" in body else ())
        words = [words_of(text) if text else [] for text in (title, headings, body)]
        language = language_of(words[-1])
        return language, [self._terms.terms(each, language) for each in words]


def _start_rebuild(db: sqlite3.Connection) -> None:
    (count,) = db.execute("SELECT count(*) FROM pages").fetchone()
    if count:
        logger.info("the local index is rebuilt for this release: %d pages", count)
    for statement in _TERMS:
        db.execute(statement)
    db.execute(_SET_STATE, (terms_version(), 0 if count else None))
