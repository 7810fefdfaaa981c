"""Claims of monitors that are due: each by one process, when its host may be requested."""

from typing import Any

from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.host_times import busy_hosts, delay_hosts
from webquarry.errors import InternalError
from webquarry.services.watching.store.monitor_rows import SELECT_MONITOR, MonitorRows
from webquarry.services.watching.store.monitor_values import (
    LEASE_SECONDS,
    ClaimedMonitors,
    MonitorLease,
)
from webquarry.storage import bulk_sql

_AHEAD = 256  # rows looked at beyond those wanted: their hosts may be busy
_PROCESSES = "SELECT DISTINCT process FROM monitors WHERE process <> ''"
_FREE = """state = 'active' AND due <= ? AND (alive <= ? OR process IN ({names}))
    ORDER BY due LIMIT ?"""
_CLAIM = "UPDATE monitors SET lease = lease + 1, alive = ?, process = ? WHERE number = ?"
_NEXT = """SELECT min(due) FROM monitors
    WHERE state = 'active' AND due > ? AND alive <= ?"""


class MonitorClaims:
    """Claims monitors in a crawl store, whose hosts crawls use too."""

    def __init__(self, store: CrawlStore, delay: float) -> None:
        self._store = store
        self._rows = MonitorRows(store.cipher)
        self._delay = delay  # seconds between two requests to a host

    async def claim(self, count: int) -> ClaimedMonitors:
        """Claim monitors that are due, and say when to look for more."""

        def look(db: SqlConnection) -> tuple[bool, float | None]:
            now = db.time()
            return bool(self._due(db, now, 1)), self._next(db, now)

        is_due, following = await self._store.read(look)
        if not is_due or count <= 0:
            return ClaimedMonitors(next_due=following)
        return await self._store.write(lambda db: self._claim(db, count))

    async def claim_one(self, monitor_id: str) -> MonitorLease | None:
        """Claim a monitor that need not be due; None if it is being checked or was deleted."""

        def work(db: SqlConnection) -> MonitorLease | None:
            now = db.time()
            row = db.select_for_update(SELECT_MONITOR + "id = ?", (monitor_id,)).fetchone()
            held = db.execute(
                "SELECT alive, process FROM monitors WHERE id = ?", (monitor_id,)
            ).fetchone()
            if row is None or self._is_held(held, now):
                return None
            return self._take(db, row, now)

        return await self._store.write(work)

    def _claim(self, db: SqlConnection, count: int) -> ClaimedMonitors:
        now = db.time()
        db.serialize()  # processes take turns: the delay of a host is read and then set
        busy = {host: at for host, (at, _) in busy_hosts(db, now).items()}
        leases: list[MonitorLease] = []
        waiting: list[float] = []
        free: dict[bytes, float] = {}
        for row in self._due(db, now, count + _AHEAD, lock=True):
            if len(leases) == count:
                waiting.append(now)
                break
            host = bytes(row[14])
            if host and (at := free.get(host) or busy.get(host, 0.0)) > now:
                waiting.append(at)
                continue
            if lease := self._take(db, row, now):
                leases.append(lease)
                if host and self._delay:
                    free[host] = now + self._delay
        delay_hosts(db, free)
        if (following := self._next(db, now)) is not None:
            waiting.append(following)
        return ClaimedMonitors(leases=tuple(leases), next_due=min(waiting, default=None))

    def _due(self, db: SqlConnection, now: float, limit: int, *, lock: bool = False) -> list[Any]:
        names = [row[0] for row in db.execute(_PROCESSES).fetchall()]
        dead = [name for name in names if self._store.factory.is_dead(name)] or [""]
        # `alive` is 0 while nobody checks the monitor
        sql = SELECT_MONITOR + _FREE.format(names=bulk_sql.placeholders(len(dead)))
        parameters = (now, now - LEASE_SECONDS, *dead, limit)
        return (db.select_for_update if lock else db.execute)(sql, parameters).fetchall()

    def _next(self, db: SqlConnection, now: float) -> float | None:
        """Return when the next monitor is due, or the lease of one may expire."""
        row = db.execute(_NEXT, (now, now - LEASE_SECONDS)).fetchone()
        return row[0] if row else None

    def _is_held(self, held: Any, now: float) -> bool:
        alive, process = held
        return alive > now - LEASE_SECONDS and not self._store.factory.is_dead(process)

    def _take(self, db: SqlConnection, row: Any, now: float) -> MonitorLease | None:
        try:
            monitor = self._rows.monitor(row)
        except InternalError:  # sealed with the key of other processes, which check it
            return None
        db.execute(_CLAIM, (now, self._store.factory.process_name, row[0]))
        return MonitorLease(
            number=row[0],
            token=row[6] + 1,
            noise_edits=row[11],
            monitor=monitor,
            host=bytes(row[14]),
        )
