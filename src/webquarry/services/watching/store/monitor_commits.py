"""Ends checks: stores what they found together with the notifications of it."""

import secrets
from collections.abc import Sequence
from typing import Any

from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import FencedError
from webquarry.crawl.store.host_times import pause_hosts
from webquarry.errors import InternalError
from webquarry.models.monitor import Monitor, MonitorChange
from webquarry.services.watching.notifications import Notification, notifications
from webquarry.services.watching.store.monitor_rows import SELECT_MONITOR, MonitorRows
from webquarry.services.watching.store.monitor_values import FoundChange, MonitorLease, RunResult
from webquarry.storage import bulk_sql

_END = """UPDATE monitors SET slot = ?, due = ?, alive = 0, process = '', runs = runs + 1,
    progress = ?, versions = versions + ?, changes = changes + ?
    WHERE number = ? AND lease = ? AND alive > 0"""
_RELEASE = """UPDATE monitors SET alive = 0, process = '' WHERE number = ? AND lease = ?"""
_RENEW = "UPDATE monitors SET alive = ? WHERE number = ? AND lease = ? AND alive > 0"
_NOISE = "UPDATE monitors SET noise = ? WHERE number = ? AND noise_edits = ?"
_VERSION = "INSERT INTO monitor_versions (monitor, seq, at, sealed) VALUES (?, ?, ?, ?)"
_TRIM = "DELETE FROM monitor_versions WHERE monitor = ? AND seq <= ?"
_CHANGE = """INSERT INTO monitor_changes (monitor, seq, at, event, version, sealed)
    VALUES (?, ?, ?, ?, ?, ?)"""
_DELIVERY = """INSERT INTO monitor_deliveries
    (monitor, channel, delivery, created, due, sealed) VALUES {rows}"""
_SET_DIGEST = """UPDATE monitors SET digest_due = ? WHERE number = ? AND digest_due IS NULL"""
_TOLD = "UPDATE monitors SET told = ? WHERE number = ? AND digest_due IS NULL"
_DIGESTS = "digest_due <= ? ORDER BY digest_due LIMIT ?"
_COLLECTED = """SELECT seq, sealed FROM monitor_changes
    WHERE monitor = ? AND seq > ? ORDER BY seq LIMIT ?"""
_DIGEST_SENT = "UPDATE monitors SET told = ?, digest_due = ? WHERE number = ?"
_MAX_DIGEST = 500  # changes
_BATCH = 64


class MonitorCommits:
    """Ends checks in a crawl store."""

    def __init__(self, store: CrawlStore, *, kept_versions: int) -> None:
        self._store = store
        self._rows = MonitorRows(store.cipher)
        self._kept = kept_versions

    async def renew(self, lease: MonitorLease) -> None:
        """Keep the lease of a check that takes long; `FencedError` if it was lost."""

        def work(db: SqlConnection) -> None:
            _require(db.execute(_RENEW, (db.time(), lease.number, lease.token)).rowcount)

        await self._store.write(work)

    async def release(self, lease: MonitorLease) -> None:
        """Give a check back that was not done; it stays due."""
        await self._store.write(lambda db: db.execute(_RELEASE, (lease.number, lease.token)))

    async def end(self, lease: MonitorLease, result: RunResult) -> None:
        """Store the result of a check; `FencedError` if another process runs it now."""

        def work(db: SqlConnection) -> None:
            self._end(db, lease, result)
            for found in result.found:
                self._store_change(db, lease, found)
            if result.version:
                self._store_version(db, lease, result)
            if result.noise:
                sealed = self._rows.noise(lease.monitor.id, result.noise)
                db.execute(_NOISE, (sealed, lease.number, lease.noise_edits))
            if result.host_pause and lease.host:
                pause_hosts(db, {lease.host: db.time() + result.host_pause})

        await self._store.write(work)

    async def send_digests(self) -> int:
        """Turn collected changes that are due into notifications; return for how many monitors."""

        def due(db: SqlConnection) -> bool:
            row = db.execute(SELECT_MONITOR + _DIGESTS, (db.time(), 1)).fetchone()
            return row is not None

        if not await self._store.read(due):
            return 0
        return await self._store.write(self._send_digests)

    def _end(self, db: SqlConnection, lease: MonitorLease, result: RunResult) -> None:
        monitor = lease.monitor
        values: tuple[Any, ...] = (
            result.planned.slot,
            result.planned.due,
            self._rows.progress(monitor.id, result.progress),
            1 if result.version else 0,
            len(result.found),
        )
        _require(db.execute(_END, (*values, lease.number, lease.token)).rowcount)

    def _store_version(self, db: SqlConnection, lease: MonitorLease, result: RunResult) -> None:
        version, seq = result.version, lease.monitor.versions + 1
        if version is None:
            return
        sealed = self._rows.sealed_version(lease.monitor.id, seq, version)
        db.execute(_VERSION, (lease.number, seq, db.time(), sealed))
        db.execute(_TRIM, (lease.number, seq - self._kept))

    def _store_change(self, db: SqlConnection, lease: MonitorLease, found: FoundChange) -> None:
        change = found.change
        sealed = self._rows.sealed_change(lease.monitor.id, change)
        values = (lease.number, change.seq, change.at, change.event, change.version, sealed)
        db.execute(_CHANGE, values)
        if found.digest_due is None:
            self._notify(db, lease.number, lease.monitor, found.notifications)
            db.execute(_TOLD, (change.seq, lease.number))
        else:
            db.execute(_SET_DIGEST, (found.digest_due, lease.number))

    def _notify(
        self, db: SqlConnection, number: int, monitor: Monitor, messages: Sequence[Notification]
    ) -> None:
        now = db.time()
        rows: list[tuple[Any, ...]] = []
        for each in messages:
            name = secrets.token_urlsafe(16)
            sealed = self._store.cipher.seal(name.encode() + b"m", each.payload)
            rows.append((number, each.lane, name, now, now, sealed))
        bulk_sql.insert(db, _DELIVERY, rows)

    def _send_digests(self, db: SqlConnection) -> int:
        now, sent = db.time(), 0
        for row in db.select_for_update(SELECT_MONITOR + _DIGESTS, (now, _BATCH)).fetchall():
            number = row[0]
            try:
                monitor = self._rows.monitor(row)
            except InternalError:  # sealed with the key of other processes
                continue
            changes = self._collected(db, number, monitor)
            self._notify(db, number, monitor, notifications(monitor, changes))
            told = changes[-1].seq if changes else monitor.changes
            more = now if len(changes) == _MAX_DIGEST else None
            db.execute(_DIGEST_SENT, (told, more, number))
            sent += 1
        return sent

    def _collected(self, db: SqlConnection, number: int, monitor: Monitor) -> list[MonitorChange]:
        (told,) = db.execute("SELECT told FROM monitors WHERE number = ?", (number,)).fetchone()
        rows = db.execute(_COLLECTED, (number, told, _MAX_DIGEST)).fetchall()
        return [self._rows.change(monitor.id, seq, sealed) for seq, sealed in rows]


def _require(changed: int) -> None:
    if not changed:
        raise FencedError("another process runs this check, or the monitor was deleted")
