"""Stores the pages of a commit; pages with the same content are stored once."""

from typing import Any

from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.counters import CrawlCounters
from webquarry.crawl.store.crawl_values import PAGE, NewPage
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.store.page_files import INSERT_FILES, sealed_name
from webquarry.storage import bulk_sql

DONE = """UPDATE crawl_urls SET state = 2, outcome = ?, ended = ?, lease = 0
    WHERE job = ? AND state = 1 AND key IN ({names})"""
_PAGES = """INSERT INTO crawl_pages
    (job, seq, key, fingerprint, sketch, canonical, memory, meta, body) VALUES {rows}"""
_PAGE = _PAGES + " ON CONFLICT DO NOTHING"
_KNOWN = """SELECT key FROM crawl_pages WHERE job = ? AND key IN ({names})
    UNION ALL SELECT fingerprint FROM crawl_pages WHERE job = ? AND fingerprint IN ({names})"""
_SAME_CONTENT = "SELECT key, canonical FROM crawl_pages WHERE job = ? AND fingerprint = ?"
_REPLACE = """UPDATE crawl_pages SET key = ?, canonical = ?, memory = ?, meta = ?, body = ?,
    markdown = NULL WHERE job = ? AND key = ?"""
_RENAME = "UPDATE crawl_urls SET outcome = 'canonical' WHERE job = ? AND key = ?"
_DELETE_FILES = "DELETE FROM crawl_files WHERE job = ? AND key = ?"

Row = tuple[Any, ...]  # a row of crawl_pages without job and number


class PageWriter:
    """Stores the pages of one crawl."""

    def __init__(self, db: SqlConnection, cipher: CrawlCipher, job: int) -> None:
        self._db = db
        self._cipher = cipher
        self._job = job

    def store(self, pages: list[NewPage], counters: CrawlCounters, now: float) -> frozenset[bytes]:
        """Store pages and the outcomes of their URLs; return the keys of the stored pages."""
        counters.depth = max([counters.depth, *(page.depth for page in pages)])
        new, known = self._split_known(pages, self._rows(pages))
        bulk_sql.insert(self._db, _PAGES, self._numbered(new, counters))
        stored = [row[0] for row in new]
        bulk_sql.execute_for_names(self._db, DONE, (PAGE, now, self._job), stored)
        counters.outcomes.update([PAGE] * len(stored))
        for row in known:
            outcome = self._store_or_merge(row, counters)
            counters.outcomes[outcome] += 1
            if outcome == PAGE:
                stored.append(row[0])
            bulk_sql.execute_for_names(self._db, DONE, (outcome, now, self._job), [row[0]])
        keys = frozenset(stored)
        self._store_files([page for page in pages if page.files and page.key in keys])
        return keys

    def _store_files(self, pages: list[NewPage]) -> None:
        names = [(page.key, name, content) for page in pages for name, content in page.files]
        sealed = self._cipher.seal_all([(sealed_name(k, n), content) for k, n, content in names])
        rows = [
            (self._job, key, name, content)
            for (key, name, _), content in zip(names, sealed, strict=True)
        ]
        bulk_sql.insert(self._db, INSERT_FILES, rows)

    def _rows(self, pages: list[NewPage]) -> list[Row]:
        parts: list[tuple[bytes, bytes]] = []
        for page in pages:
            parts.append((page.key + b"r", self._cipher.encode_visit(page.visit)))
            parts.append((page.key + b"m", page.meta))
            parts.append((page.key + b"b", page.body))
        sealed = iter(self._cipher.seal_all(parts))
        rows: list[Row] = []
        for page in pages:
            visit, meta, body = next(sealed), next(sealed), next(sealed)
            names = (page.key, page.fingerprint, page.simhash, page.canonical)
            rows.append((*names, visit if page.visit else None, meta, body))
        return rows

    def _split_known(self, pages: list[NewPage], rows: list[Row]) -> tuple[list[Row], list[Row]]:
        """Return new pages, and those whose URL or content is stored already."""
        stored: set[bytes] = set()
        for chunk in bulk_sql.chunks(pages):
            keys, prints = [page.key for page in chunk], [page.fingerprint for page in chunk]
            sql = _KNOWN.replace("{names}", bulk_sql.placeholders(len(chunk)))
            found = self._db.execute(sql, (self._job, *keys, self._job, *prints)).fetchall()
            stored |= {bytes(row[0]) for row in found}
        new: list[Row] = []
        known: list[Row] = []
        for row in rows:
            names = set(row[:2])
            (known if names & stored else new).append(row)
            stored |= names
        return new, known

    def _numbered(self, rows: list[Row], counters: CrawlCounters) -> list[Row]:
        first = counters.crawled + 1
        counters.crawled += len(rows)
        return [(self._job, number, *row) for number, row in enumerate(rows, first)]

    def _store_or_merge(self, row: Row, counters: CrawlCounters) -> str:
        """Store a page unless another one has the same content; return its outcome."""
        key, fingerprint, _, declared, visit, meta, body = row
        values = (self._job, counters.crawled + 1, *row)
        if bulk_sql.insert(self._db, _PAGE, [values]) == 1:
            counters.crawled += 1
            return PAGE
        same = self._db.execute(_SAME_CONTENT, (self._job, fingerprint)).fetchone()
        if same is None:  # the same URL again
            return PAGE
        other, canonical = bytes(same[0]), bytes(same[1])
        if canonical == key:  # the stored page declares this one as its canonical URL
            self._db.execute(_REPLACE, (key, b"", visit, meta, body, self._job, other))
            self._db.execute(_RENAME, (self._job, other))
            self._db.execute(_DELETE_FILES, (self._job, other))
            counters.outcomes["canonical"] += 1
            counters.outcomes[PAGE] -= 1
            return PAGE
        return "canonical" if declared == other else "duplicate"
