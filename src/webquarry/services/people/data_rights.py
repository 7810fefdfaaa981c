"""Export and erasure of everything stored about a person."""

import time
from collections.abc import Callable, Iterable
from typing import Any

from webquarry.observe.timestamp import rfc3339
from webquarry.storage.personal_data import KeepsPersonalData
from webquarry.storage.store import Store


class DataRights:
    """Exports and erases personal data of all kinds."""

    def __init__(
        self,
        keepers: Iterable[KeepsPersonalData],
        store: Store,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._keepers = tuple(keepers)
        self._store = store
        self._clock = clock

    @property
    def kinds(self) -> frozenset[str]:
        """Return the kinds that are covered."""
        return frozenset(kind for keeper in self._keepers for kind in keeper.kinds)

    async def export(self, tenant: str, user: str) -> dict[str, Any]:
        """Return everything stored about a person."""
        data = {_title(k): await k.export(tenant, user) for k in self._keepers}
        return {
            "tenantId": tenant,
            "userId": user,
            "exportedAt": rfc3339(self._clock()),
            "data": {kind: records for kind, records in data.items() if records},
        }

    async def erase(self, tenant: str, user: str) -> dict[str, int]:
        """Erase everything stored about a person; return the number of records of each kind."""
        erased = {_title(k): await k.erase(tenant, user) for k in self._keepers}
        # deleted data may remain in a log or a free page until the store is swept
        await self._store.sweep()
        return {kind: count for kind, count in erased.items() if count}


def _title(keeper: KeepsPersonalData) -> str:
    return ",".join(keeper.kinds)
