"""How a person uses the tools, counted for that person's own eyes."""

import logging
import time
from collections.abc import Callable

from webquarry.errors import WebquarryError
from webquarry.models.people import UserAnalytics
from webquarry.observe.timestamp import rfc3339
from webquarry.storage.key_names import name_of
from webquarry.storage.personal_data import OwnedValues
from webquarry.storage.store import Store

logger = logging.getLogger(__name__)

_KIND = "analytics"
_RECENT = 10
_PATIENCE = 5.0  # seconds another call of the same person may take to be counted


class Analytics(OwnedValues):
    """One summary per person, changed under a lock so that no call is lost."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        super().__init__(store, _KIND)
        self._clock = clock

    async def count(self, tenant: str, user: str, tool: str) -> None:
        """Add one call. The caller has made sure that the person agreed."""
        name = _name(tenant, user)
        try:
            async with self._store.lock(name, ttl=2 * _PATIENCE, wait=_PATIENCE):
                now = rfc3339(self._clock())
                old = await self.find(tenant, user) or UserAnalytics(
                    tenantId=tenant, userId=user, firstSeen=now
                )
                counts = {**old.toolCounts, tool: old.toolCounts.get(tool, 0) + 1}
                new = old.model_copy(
                    update={
                        "totalCalls": old.totalCalls + 1,
                        "toolCounts": dict(sorted(counts.items())),
                        "lastSeen": now,
                        "recentTools": tuple(dict.fromkeys((tool, *old.recentTools)))[:_RECENT],
                    }
                )
                await self._store.set(name, new.model_dump_json().encode())
        except WebquarryError as error:  # a number is not worth a failed call
            logger.warning("a call was not counted: %s", error)

    async def find(self, tenant: str, user: str) -> UserAnalytics | None:
        """Return a person's summary, if any of their calls was counted."""
        entry = await self._store.get(_name(tenant, user))
        return None if entry is None else UserAnalytics.model_validate_json(entry.value)


def _name(tenant: str, user: str) -> str:
    return name_of(_KIND, tenant, user, "summary")
