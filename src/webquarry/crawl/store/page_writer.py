"""Stores the pages of a turn; a page that says what another one says is stored once."""

from typing import Any

from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.counters import CrawlCounters
from webquarry.crawl.store.crawl_values import PAGE, NewPage
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.storage import bulk_sql

DONE = """UPDATE crawl_urls SET state = 2, outcome = ?, lease = 0
    WHERE job = ? AND state = 1 AND key IN ({names})"""
_PAGES = """INSERT INTO crawl_pages
    (job, seq, key, fingerprint, sketch, canonical, memory, meta, body) VALUES {rows}"""
_PAGE = _PAGES + " ON CONFLICT DO NOTHING"
_TAKEN = """SELECT key FROM crawl_pages WHERE job = ? AND key IN ({names})
    UNION ALL SELECT fingerprint FROM crawl_pages WHERE job = ? AND fingerprint IN ({names})"""
_TWIN = "SELECT key, canonical FROM crawl_pages WHERE job = ? AND fingerprint = ?"
_REPLACE = """UPDATE crawl_pages SET key = ?, canonical = ?, memory = ?, meta = ?, body = ?,
    markdown = NULL WHERE job = ? AND key = ?"""
_RENAME = "UPDATE crawl_urls SET outcome = 'canonical' WHERE job = ? AND key = ?"

Row = tuple[Any, ...]  # a page as it is stored, without its job and number


class PageWriter:
    """Where the pages of one crawl are put."""

    def __init__(self, db: SqlConnection, seals: CrawlCipher, job: int) -> None:
        self._db = db
        self._seals = seals
        self._job = job

    def store(self, pages: list[NewPage], tally: CrawlCounters) -> frozenset[bytes]:
        """Store pages, say what became of their addresses, and return the keys of the stored."""
        tally.depth = max([tally.depth, *(page.depth for page in pages)])
        new, doubtful = self._parted(pages, self._rows(pages))
        bulk_sql.insert(self._db, _PAGES, self._numbered(new, tally))
        stored = [row[0] for row in new]
        bulk_sql.among(self._db, DONE, (PAGE, self._job), stored)
        tally.outcomes.update([PAGE] * len(stored))
        for row in doubtful:
            outcome = self._compared(row, tally)
            tally.outcomes[outcome] += 1
            if outcome == PAGE:
                stored.append(row[0])
            bulk_sql.among(self._db, DONE, (outcome, self._job), [row[0]])
        return frozenset(stored)

    def _rows(self, pages: list[NewPage]) -> list[Row]:
        parts: list[tuple[bytes, bytes]] = []
        for page in pages:
            parts.append((page.key + b"r", self._seals.noted(page.memory)))
            parts.append((page.key + b"m", page.meta))
            parts.append((page.key + b"b", page.body))
        sealed = iter(self._seals.seal_all(parts))
        rows: list[Row] = []
        for page in pages:
            memory, meta, body = next(sealed), next(sealed), next(sealed)
            known = (page.key, page.fingerprint, page.sketch, page.canonical)
            rows.append((*known, memory if page.memory else None, meta, body))
        return rows

    def _parted(self, pages: list[NewPage], rows: list[Row]) -> tuple[list[Row], list[Row]]:
        """Return pages that nothing speaks against, and those of which something is there."""
        taken: set[bytes] = set()
        for portion in bulk_sql.portions(pages):
            keys, prints = [page.key for page in portion], [page.fingerprint for page in portion]
            sql = _TAKEN.replace("{names}", bulk_sql.marks(len(portion)))
            found = self._db.execute(sql, (self._job, *keys, self._job, *prints)).fetchall()
            taken |= {bytes(row[0]) for row in found}
        new: list[Row] = []
        doubtful: list[Row] = []
        for row in rows:
            names = set(row[:2])
            (doubtful if names & taken else new).append(row)
            taken |= names
        return new, doubtful

    def _numbered(self, rows: list[Row], tally: CrawlCounters) -> list[Row]:
        first = tally.crawled + 1
        tally.crawled += len(rows)
        return [(self._job, number, *row) for number, row in enumerate(rows, first)]

    def _compared(self, row: Row, tally: CrawlCounters) -> str:
        """Store a page unless it says what another one says; return what became of it."""
        key, fingerprint, _, named, memory, meta, body = row
        values = (self._job, tally.crawled + 1, *row)
        if bulk_sql.insert(self._db, _PAGE, [values]) == 1:
            tally.crawled += 1
            return PAGE
        twin = self._db.execute(_TWIN, (self._job, fingerprint)).fetchone()
        if twin is None:  # the same address again
            return PAGE
        other, canonical = bytes(twin[0]), bytes(twin[1])
        if canonical == key:  # the one that is stored named this one as the better address
            self._db.execute(_REPLACE, (key, b"", memory, meta, body, self._job, other))
            self._db.execute(_RENAME, (self._job, other))
            tally.outcomes["canonical"] += 1
            tally.outcomes[PAGE] -= 1
            return PAGE
        return "canonical" if named == other else "duplicate"
