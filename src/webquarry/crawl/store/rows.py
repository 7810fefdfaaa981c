"""Rows of the tables as the values they stand for."""

import json
from typing import Any

from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.crawl_values import PAGE, CrawlCounts, JobRow, NewJob, StoredPage
from webquarry.crawl.store.encryption import CrawlCipher
from webquarry.errors import BadInputError

JOB = """SELECT number, id, state, crawled, counts, created, started, finished, expires, previous,
    salt, sealed, error FROM crawl_jobs WHERE """


class Rows:
    """Reads and seals the rows."""

    def __init__(self, seals: CrawlCipher) -> None:
        self._seals = seals

    def sealed(self, job: NewJob) -> tuple[bytes, bytes]:
        """Return the salt and the rest of a new job, sealed."""
        name = job.id.encode()
        who = json.dumps((job.tenant, job.user, job.request.decode())).encode()
        return self._seals.seal(name + b"s", job.salt), self._seals.seal(name + b"j", who)

    def idempotency(self, job: NewJob) -> bytes | None:
        """Return what the caller's key is called, if there is one."""
        if not job.idempotency:
            return None
        whole = json.dumps((job.tenant, job.user, job.idempotency))
        return self._seals.name("idempotency", whole)

    def job(self, row: Any) -> JobRow:
        """Return a job."""
        _, job_id, state, crawled, counts, created, started, finished, expires = row[:9]
        name = str(job_id).encode()
        tenant, user, request = json.loads(self._seals.open(name + b"j", bytes(row[11])))
        kept = json.loads(counts)
        outcomes = {k: v for k, v in kept.get("outcomes", {}).items() if k != PAGE}
        error = self._seals.open(name + b"e", bytes(row[12])).decode() if row[12] else None
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
                found=kept.get("found", 0),
                crawled=crawled,
                depth=kept.get("depth", 0),
                outcomes=outcomes,
            ),
        )

    def number(self, row: Any) -> int:
        """Return the number of a job in its database."""
        return row[0]

    def salt(self, row: Any) -> bytes:
        """Return the salt of a job."""
        return self._seals.open(str(row[1]).encode() + b"s", bytes(row[10]))

    def previous(self, db: SqlConnection, row: Any) -> tuple[int, str, bytes] | None:
        """Return number, id and salt of the crawl before, while it is still there."""
        if row[9] is None:
            return None
        before = db.execute(JOB + "number = ?", (row[9],)).fetchone()
        return (before[0], before[1], self.salt(before)) if before else None

    def page(self, row: Any) -> StoredPage:
        """Return a page."""
        seq, key, meta, body, markdown = row
        name = bytes(key)
        return StoredPage(
            seq=seq,
            key=name,
            meta=self._seals.open(name + b"m", bytes(meta)),
            body=b"" if body is None else self._seals.open(name + b"b", bytes(body)),
            markdown=None if markdown is None else self._seals.open(name + b"t", bytes(markdown)),
        )


def check_same(job: JobRow, request: bytes) -> None:
    """Refuse a key that stands for another request."""
    if job.request != request:
        raise BadInputError(
            "this idempotency key was used for another crawl; use a new key for a new request"
        )
