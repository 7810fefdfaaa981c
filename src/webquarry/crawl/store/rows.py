"""Converts database rows to values and back."""

import json
from collections import Counter
from typing import Any

from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.counters import CrawlCounters
from webquarry.crawl.store.crawl_values import (
    PAGE,
    CrawlCounts,
    FoundUrl,
    JobRow,
    NewJob,
    StoredPage,
)
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.crawl.store.guide_state import GuideState
from webquarry.errors import BadInputError

SELECT_JOB = """SELECT number, id, state, crawled, counts, created, started, finished, expires,
    previous, salt, sealed, error, kind FROM crawl_jobs WHERE """

_CREATE = """INSERT INTO crawl_jobs (id, owner, tenant, site, idempotency, state, max_pages, counts,
    created, expires, previous, kind, salt, sealed)
    VALUES (?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?)
    RETURNING number"""
_PREVIOUS_JOB = """SELECT number FROM crawl_jobs
    WHERE owner = ? AND site = ? AND state = 'completed' AND expires > ?
    ORDER BY created DESC LIMIT 1"""


class CrawlRows:
    """Reads and seals rows."""

    def __init__(self, cipher: CrawlCipher) -> None:
        self._cipher = cipher

    def insert_job(
        self, db: SqlConnection, job: NewJob, owner: bytes, idempotency_key: bytes | None
    ) -> int:
        """Store a new job and return its number."""
        site = self._cipher.blind("site", job.site)
        previous = db.execute(_PREVIOUS_JOB, (owner, site, db.time())).fetchone()
        names = (job.id, owner, self._cipher.tenant_names(job.tenant)[0], site, idempotency_key)
        outcomes = Counter(url.outcome for url in job.start_urls if url.outcome)
        found = len(job.start_urls) - outcomes.total()
        counts = CrawlCounters(0, found=found, outcomes=outcomes).to_json()
        values = (
            job.max_pages,
            counts,
            job.created,
            job.expires,
            previous and previous[0],
            job.kind,
        )
        row = db.execute(_CREATE, (*names, *values, *self._sealed(job))).fetchone()
        return row[0]

    def start_urls(
        self, number: int, found: tuple[FoundUrl, ...], now: float
    ) -> list[tuple[Any, ...]]:
        """Return the rows of the URLs that a job starts with."""
        urls = self._cipher.seal_all(
            [(entry.key + b"u", entry.url.encode("utf-8", "replace")) for entry in found]
        )
        return [
            (
                number,
                entry.key,
                entry.host,
                entry.depth,
                0,
                2 if entry.outcome else 0,
                entry.outcome,
                entry.rank,
                now if entry.outcome else 0.0,
                url,
            )
            for entry, url in zip(found, urls, strict=True)
        ]

    def _sealed(self, job: NewJob) -> tuple[bytes, bytes]:
        name = job.id.encode()
        rest = json.dumps((job.tenant, job.user, job.request.decode())).encode()
        return self._cipher.seal(name + b"s", job.salt), self._cipher.seal(name + b"j", rest)

    def blind_idempotency_key(self, tenant: str, user: str, key: str) -> bytes | None:
        """Return the blinded idempotency key, if there is one."""
        if not key:
            return None
        scoped = json.dumps((tenant, user, key))
        return self._cipher.blind("idempotency", scoped)

    def job(self, row: Any) -> JobRow:
        """Return a job."""
        _, job_id, state, crawled, counts, created, started, finished, expires = row[:9]
        name = str(job_id).encode()
        tenant, user, request = json.loads(self._cipher.unseal(name + b"j", bytes(row[11])))
        counters = CrawlCounters.from_json(crawled, counts)
        outcomes = {k: v for k, v in counters.outcomes.items() if k != PAGE}
        error = self._cipher.unseal(name + b"e", bytes(row[12])).decode() if row[12] else None
        return JobRow(
            id=job_id,
            tenant=tenant,
            user=user,
            state=state,
            request=request.encode(),
            created=created,
            started=started,
            finished=finished,
            expires=expires,
            error=error,
            counts=CrawlCounts(
                found=counters.found,
                crawled=crawled,
                depth=counters.depth,
                outcomes=outcomes,
                pending=counters.pending,
                progress=counters.progress,
                moved_to=self._moved_to(name, counters.moved_to),
                stop_reason="cancelled" if state == "cancelled" else counters.stop_reason,
                traps=counters.traps,
                guide=counters.guide or GuideState(),
            ),
            kind=row[13],
        )

    def _moved_to(self, name: bytes, sealed: str) -> str | None:
        return self._cipher.unseal(name + b"t", bytes.fromhex(sealed)).decode() if sealed else None

    def number(self, row: Any) -> int:
        """Return the number of a job in its database."""
        return row[0]

    def salt(self, row: Any) -> bytes:
        """Return the salt of a job."""
        return self._cipher.unseal(str(row[1]).encode() + b"s", bytes(row[10]))

    def previous(self, db: SqlConnection, row: Any) -> tuple[int, str, bytes] | None:
        """Return number, id and salt of the previous crawl, unless it was deleted."""
        if row[9] is None:
            return None
        previous = db.execute(SELECT_JOB + "number = ?", (row[9],)).fetchone()
        return (previous[0], previous[1], self.salt(previous)) if previous else None

    def page(self, row: Any) -> StoredPage:
        """Return a page."""
        seq, key, meta, body, markdown = row
        name = bytes(key)
        return StoredPage(
            seq=seq,
            key=name,
            meta=self._cipher.unseal(name + b"m", bytes(meta)),
            body=b"" if body is None else self._cipher.unseal(name + b"b", bytes(body)),
            markdown=None
            if markdown is None
            else self._cipher.unseal(name + b"t", bytes(markdown)),
        )


def check_same_request(job: JobRow, request: bytes) -> None:
    """Raise `BadInputError` if the idempotency key was used for another request."""
    if job.request != request:
        raise BadInputError(
            "this idempotency key was used for another crawl; use a new key for a new request"
        )
