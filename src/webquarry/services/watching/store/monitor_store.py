"""Stores monitors, their versions and changes, beside the crawls and in the same database."""

from collections.abc import Callable, Sequence
from typing import Any

from webquarry.crawl.store.connection import SqlConnection
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.tables import MONITOR_PARTS
from webquarry.errors import InternalError, NotFoundError, RateLimitError
from webquarry.models.changes import NoiseProfile, Version
from webquarry.models.monitor import Monitor, MonitorChange, MonitorState
from webquarry.services.watching.store.monitor_rows import SELECT_MONITOR, MonitorRows
from webquarry.services.watching.store.monitor_values import NewMonitor

_INSERT = """INSERT INTO monitors (id, owner, tenant, state, host, created, slot, due, sealed)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_COUNT = "SELECT count(*) FROM monitors WHERE owner IN ({names})"
_LIST = "owner IN ({names}) ORDER BY created DESC, number DESC LIMIT ? OFFSET ?"
_CHANGES = """SELECT seq, sealed FROM monitor_changes WHERE monitor = ? AND seq < ?
    ORDER BY seq DESC LIMIT ?"""
_VERSION = "SELECT sealed FROM monitor_versions WHERE monitor = ? AND seq = ?"
_SET_NOISE = """UPDATE monitors SET noise = ?, noise_edits = noise_edits + 1
    WHERE number = ?"""
# the check in progress loses its lease: it knows the earlier definition only
_SET_DEFINITION = """UPDATE monitors SET sealed = ?, slot = ?, due = ?, lease = lease + 1,
    alive = 0, process = '' WHERE id = ?"""
_LAST = 2**62


class MonitorStore:
    """Monitors in a crawl store. What a call has returned as stored survives a killed process."""

    def __init__(self, store: CrawlStore) -> None:
        self.store = store
        self.rows = MonitorRows(store.cipher)

    async def create(self, new: NewMonitor, *, limit: int) -> Monitor:
        """Store a monitor; `RateLimitError` if its owner has `limit` of them."""
        monitor, cipher = new.monitor, self.store.cipher
        names = cipher.owner_names(monitor.tenant, monitor.user)
        tenant = cipher.tenant_names(monitor.tenant)[0]
        times = (monitor.created, monitor.slot, monitor.due)

        def work(db: SqlConnection) -> None:
            db.serialize()
            if db.execute(_with_names(_COUNT, names), names).fetchone()[0] >= limit:
                raise RateLimitError(
                    f"You have {limit} monitors, as many as this server allows"
                    " (MONITORS_PER_USER). Delete one first."
                )
            sealed = self.rows.definition(monitor)
            values = (monitor.id, names[0], tenant, monitor.state, new.host, *times, sealed)
            db.execute(_INSERT, values)

        await self.store.write(work)
        return monitor

    async def get(self, monitor_id: str) -> Monitor | None:
        """Return a monitor."""

        def work(db: SqlConnection) -> Monitor | None:
            row = db.execute(SELECT_MONITOR + "id = ?", (monitor_id,)).fetchone()
            return self.rows.monitor(row) if row else None

        return await self.store.read(work)

    async def listed(
        self, owners: Sequence[tuple[str, str]], *, offset: int = 0, limit: int = 100
    ) -> list[Monitor]:
        """Return the monitors of these owners (tenant and user), the newest first."""
        cipher = self.store.cipher
        names = tuple(name for owner in owners for name in cipher.owner_names(*owner))

        def work(db: SqlConnection) -> list[Monitor]:
            sql = SELECT_MONITOR + _with_names(_LIST, names)
            rows = db.execute(sql, (*names, limit, offset)).fetchall()
            return [self.rows.monitor(row) for row in rows]

        return await self.store.read(work)

    async def set_state(self, monitor_id: str, state: MonitorState) -> None:
        """Pause a monitor, or go on with it."""
        sql = "UPDATE monitors SET state = ? WHERE id = ?"
        await self.store.write(lambda db: db.execute(sql, (state, monitor_id)))

    async def set_definition(self, monitor: Monitor) -> None:
        """Store a changed definition with the next run; a check in progress starts anew."""

        def work(db: SqlConnection) -> None:
            row = db.select_for_update(
                "SELECT alive, id FROM monitors WHERE id = ?", (monitor.id,)
            ).fetchone()
            if row is None:
                raise NotFoundError(f"There is no monitor {monitor.id!r}.")
            due = db.time() if row[0] else monitor.due
            sealed = self.rows.definition(monitor)
            db.execute(_SET_DEFINITION, (sealed, monitor.slot, due, monitor.id))

        await self.store.write(work)

    async def edit_noise(
        self, monitor_id: str, edit: Callable[[NoiseProfile], NoiseProfile]
    ) -> NoiseProfile:
        """Change what is ignored; a check in progress does not overwrite it."""

        def work(db: SqlConnection) -> NoiseProfile:
            row = db.select_for_update(SELECT_MONITOR + "id = ?", (monitor_id,)).fetchone()
            if row is None:
                raise NotFoundError(f"There is no monitor {monitor_id!r}.")
            noise = edit(self.rows.monitor(row).noise)
            db.execute(_SET_NOISE, (self.rows.noise(monitor_id, noise), row[0]))
            return noise

        return await self.store.write(work)

    async def changes(
        self, monitor_id: str, *, before: int | None = None, limit: int = 50
    ) -> list[MonitorChange]:
        """Return changes, the newest first; `before`: only those with a smaller number."""

        def work(db: SqlConnection) -> list[MonitorChange]:
            number = self._number(db, monitor_id)
            rows = db.execute(_CHANGES, (number, before or _LAST, limit)).fetchall()
            return [self.rows.change(monitor_id, seq, sealed) for seq, sealed in rows]

        return await self.store.read(work)

    async def change_numbers(self) -> dict[str, int]:
        """Return the number of the latest change of every monitor that has one."""
        sql = "SELECT id, changes FROM monitors WHERE changes > 0"
        return dict(await self.store.read(lambda db: db.execute(sql).fetchall()))

    async def version(self, monitor_id: str, seq: int) -> Version | None:
        """Return a version; None if there is none, or it has expired."""

        def work(db: SqlConnection) -> Version | None:
            row = db.execute(_VERSION, (self._number(db, monitor_id), seq)).fetchone()
            return self.rows.version(monitor_id, seq, row[0]) if row else None

        return await self.store.read(work)

    async def delete(self, monitor_id: str) -> bool:
        """Delete a monitor with all that belongs to it; False if there is none."""
        return bool(await self._delete("id = ?", monitor_id))

    async def erase(self, *, tenant: str, user: str) -> int:
        """Delete the monitors of a person; return how many."""
        names = self.store.cipher.owner_names(tenant, user)
        return sum([await self._delete("owner = ?", name) for name in names])

    async def sweep(self, retention: float) -> int:
        """Delete expired changes and all versions but the latest; return how many rows."""

        def work(db: SqlConnection) -> int:
            oldest = db.time() - retention
            deleted = db.execute("DELETE FROM monitor_changes WHERE at < ?", (oldest,)).rowcount
            return deleted + db.execute(_DELETE_VERSIONS, (oldest,)).rowcount

        return await self.store.write(work)

    async def _delete(self, where: str, value: Any) -> int:
        # the conditions are constants and the values are bound: no SQL injection
        sql = f"SELECT number FROM monitors WHERE {where}"  # noqa: S608

        def work(db: SqlConnection) -> int:
            numbers = [row[0] for row in db.execute(sql, (value,)).fetchall()]
            for number in numbers:
                db.execute("DELETE FROM monitors WHERE number = ?", (number,))
                for table in MONITOR_PARTS:
                    # the names of tables are constants
                    db.execute(f"DELETE FROM {table} WHERE monitor = ?", (number,))  # noqa: S608
            return len(numbers)

        return await self.store.write(work)

    def _number(self, db: SqlConnection, monitor_id: str) -> int:
        row = db.execute("SELECT number FROM monitors WHERE id = ?", (monitor_id,)).fetchone()
        if row is None:
            raise InternalError(f"the monitor {monitor_id} was deleted meanwhile")
        return row[0]


_DELETE_VERSIONS = """DELETE FROM monitor_versions WHERE at < ? AND seq < (
    SELECT versions FROM monitors WHERE monitors.number = monitor_versions.monitor)"""


def _with_names(sql: str, names: Sequence[bytes]) -> str:
    return sql.replace("{names}", ", ".join("?" * len(names)))
