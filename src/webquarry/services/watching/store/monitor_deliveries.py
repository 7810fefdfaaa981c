"""Notifications of monitors that wait to be sent: claimed by one process, until accepted."""

from dataclasses import dataclass
from typing import Any

from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.deliveries import SENDING_SECONDS
from webquarry.errors import InternalError
from webquarry.services.watching.store.monitor_rows import SELECT_MONITOR, MonitorRows

_MAX_CLAIMS = 8
# only the oldest of each receiver, so that its notifications arrive in order
_DUE = """SELECT id, monitor, channel, delivery, created, due, attempts, process, sealed
    FROM monitor_deliveries
    WHERE id IN (SELECT min(id) FROM monitor_deliveries GROUP BY monitor, channel)
    AND (due <= ? OR process <> '') ORDER BY due LIMIT 64"""
_CLAIM = "UPDATE monitor_deliveries SET due = ?, process = ? WHERE id = ?"
_RETRY = """UPDATE monitor_deliveries SET due = ?, attempts = attempts + 1, process = ''
    WHERE id = ? AND process = ?"""
_DELETE = "DELETE FROM monitor_deliveries WHERE id = ?"
_PENDING = """SELECT count(*) FROM monitor_deliveries
    WHERE monitor = (SELECT number FROM monitors WHERE id = ?)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorDelivery:
    """A notification to send; its id and payload are the same in every attempt."""

    number: int
    id: str
    lane: str  # channel and receiver
    payload: bytes
    age: float  # seconds since it was stored
    attempts: int  # that failed
    tenant: str
    monitor_id: str

    @property
    def subject(self) -> str:
        """What the log calls it: without the address, which may hold a token."""
        return f"{self.lane} of monitor {self.monitor_id}"


class MonitorDeliveryStore:
    """The notifications of monitors in a crawl store."""

    def __init__(self, store: CrawlStore) -> None:
        self._store = store
        self._rows = MonitorRows(store.cipher)

    async def claim(self) -> list[MonitorDelivery]:
        """Return notifications that are due; no other process sends them meanwhile."""
        if not await self._store.read(self._due):
            return []
        return await self._store.write(self._claim)

    async def delete(self, delivery: MonitorDelivery) -> None:
        """Remove a notification that was accepted or abandoned."""
        await self._store.write(lambda db: db.execute(_DELETE, (delivery.number,)))

    async def retry(self, delivery: MonitorDelivery, seconds: float) -> None:
        """Send a notification again later."""
        process = self._store.factory.process_name
        await self._store.write(
            lambda db: db.execute(_RETRY, (db.time() + seconds, delivery.number, process))
        )

    async def pending(self, job_id: str) -> int:
        """Return how many notifications of a monitor wait."""
        return await self._store.read(lambda db: db.execute(_PENDING, (job_id,)).fetchone()[0])

    def _due(self, db: SqlConnection, *, lock: bool = False) -> list[Any]:
        now = db.time()
        rows = (db.select_for_update if lock else db.execute)(_DUE, (now,)).fetchall()
        is_dead = self._store.factory.is_dead
        return [row for row in rows if row[5] <= now or is_dead(row[7])]

    def _claim(self, db: SqlConnection) -> list[MonitorDelivery]:
        now, process = db.time(), self._store.factory.process_name
        opened = [self._delivery(db, row, now) for row in self._due(db, lock=True)]
        claimed = [delivery for delivery in opened if delivery][:_MAX_CLAIMS]
        rows = [(now + SENDING_SECONDS, process, delivery.number) for delivery in claimed]
        db.execute_many(_CLAIM, rows)
        return claimed

    def _delivery(self, db: SqlConnection, row: Any, now: float) -> MonitorDelivery | None:
        """Return a notification; None if this process cannot send it."""
        number, monitor_number, lane, name, created, _, attempts, _, sealed = row
        found = db.execute(SELECT_MONITOR + "number = ?", (monitor_number,)).fetchone()
        if found is None:  # it is being deleted
            return None
        try:
            monitor = self._rows.monitor(found)
            payload = self._store.cipher.unseal(str(name).encode() + b"m", bytes(sealed))
        except InternalError:  # sealed with the key of other processes, which send it
            return None
        return MonitorDelivery(
            number=number,
            id=name,
            lane=lane,
            payload=payload,
            age=now - created,
            attempts=attempts,
            tenant=monitor.tenant,
            monitor_id=monitor.id,
        )
