"""Export and erasure of the monitors of a person."""

from webquarry.models.caller import Caller
from webquarry.services.watching.monitor_views import change_row, monitor_row
from webquarry.services.watching.service import MonitorService
from webquarry.storage.personal_data import Record

_BATCH = 100
_MAX_CHANGES = 1000  # of one monitor


class MonitorPersonalData:
    """`KeepsPersonalData` for monitors and what they found."""

    kinds = ("crawls.sqlite3",)

    def __init__(self, watching: MonitorService) -> None:
        self._watching = watching

    async def export(self, tenant: str, user: str) -> list[Record]:
        caller = Caller(tenant=tenant, user=user)
        records: list[Record] = []
        while True:
            monitors = await self._watching.monitors(caller, offset=len(records), limit=_BATCH)
            for monitor in monitors:
                changes = await self._watching.changes(monitor.id, caller, limit=_MAX_CHANGES)
                rows = [change_row(each).model_dump(mode="json", exclude_none=True)
                        for each in changes]  # fmt: skip
                records.append(
                    monitor_row(monitor).model_dump(mode="json", exclude_none=True)
                    | {"definition": monitor.definition.model_dump(mode="json"), "found": rows}
                )
            if len(monitors) < _BATCH:
                return records

    async def erase(self, tenant: str, user: str) -> int:
        return await self._watching.erase(tenant=tenant, user=user)
