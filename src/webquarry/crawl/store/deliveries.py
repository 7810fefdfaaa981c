"""Webhook notifications that wait to be sent: claimed by one process at a time, until accepted."""

from dataclasses import dataclass
from typing import Any

from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import JobRow
from webquarry.crawl.store.rows import SELECT_JOB
from webquarry.errors import InternalError

SENDING_SECONDS = 30.0  # after which a notification of a process on another machine is sent again
_MAX_CLAIMS = 8
# only the oldest of each crawl, so that its notifications arrive in order
_DUE = """SELECT id, job, delivery, created, due, attempts, process, sealed FROM crawl_deliveries
    WHERE id IN (SELECT min(id) FROM crawl_deliveries GROUP BY job)
    AND (due <= ? OR process <> '') ORDER BY due LIMIT 64"""
_CLAIM = "UPDATE crawl_deliveries SET due = ?, process = ? WHERE id = ?"
_RETRY = """UPDATE crawl_deliveries SET due = ?, attempts = attempts + 1, process = ''
    WHERE id = ? AND process = ?"""
_DELETE = "DELETE FROM crawl_deliveries WHERE id = ?"
_PENDING = """SELECT count(*) FROM crawl_deliveries
    WHERE job = (SELECT number FROM crawl_jobs WHERE id = ?)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A notification to send; its id and body are the same in every attempt."""

    number: int
    id: str
    body: bytes
    age: float  # seconds since it was stored
    attempts: int  # that failed
    job: JobRow

    @property
    def subject(self) -> str:
        """What the log calls it: without the URL, which may hold a token."""
        return f"the webhook of crawl {self.job.id}"


class DeliveryStore:
    """The notifications in a crawl store."""

    def __init__(self, store: CrawlStore) -> None:
        self._store = store

    async def claim(self) -> list[Delivery]:
        """Return notifications that are due; no other process sends them meanwhile."""
        if not await self._store.read(self._due):
            return []
        return await self._store.write(self._claim)

    async def delete(self, delivery: Delivery) -> None:
        """Remove a notification that was accepted or abandoned."""
        await self._store.write(lambda db: db.execute(_DELETE, (delivery.number,)))

    async def retry(self, delivery: Delivery, seconds: float) -> None:
        """Send a notification again later."""
        process = self._store.factory.process_name
        await self._store.write(
            lambda db: db.execute(_RETRY, (db.time() + seconds, delivery.number, process))
        )

    async def pending(self, job_id: str) -> int:
        """Return how many notifications of a crawl wait."""
        return await self._store.read(lambda db: db.execute(_PENDING, (job_id,)).fetchone()[0])

    def _due(self, db: SqlConnection, *, lock: bool = False) -> list[Any]:
        now = db.time()
        rows = (db.select_for_update if lock else db.execute)(_DUE, (now,)).fetchall()
        is_dead = self._store.factory.is_dead
        return [row for row in rows if row[4] <= now or is_dead(row[6])]

    def _claim(self, db: SqlConnection) -> list[Delivery]:
        now, process = db.time(), self._store.factory.process_name
        opened = [self._delivery(db, row, now) for row in self._due(db, lock=True)]
        claimed = [delivery for delivery in opened if delivery][:_MAX_CLAIMS]
        rows = [(now + SENDING_SECONDS, process, delivery.number) for delivery in claimed]
        db.execute_many(_CLAIM, rows)
        return claimed

    def _delivery(self, db: SqlConnection, row: Any, now: float) -> Delivery | None:
        """Return a notification; None if this process cannot send it."""
        number, job_number, name, created, _, attempts, _, sealed = row
        job = db.execute(SELECT_JOB + "number = ?", (job_number,)).fetchone()
        if job is None:  # it is being deleted
            return None
        try:
            return Delivery(
                number=number,
                id=name,
                body=self._store.cipher.unseal(str(name).encode() + b"d", bytes(sealed)),
                age=now - created,
                attempts=attempts,
                job=self._store.rows.job(job),
            )
        except InternalError:  # sealed with the key of other processes, which send it
            return None
