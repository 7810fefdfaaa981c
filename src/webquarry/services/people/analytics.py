"""Usage statistics of a person, which only that person can see."""

import logging
import time
from collections.abc import Awaitable, Callable

from webquarry.errors import WebquarryError
from webquarry.models.people import UserAnalytics
from webquarry.observe.timestamp import rfc3339
from webquarry.storage.key_names import name_of
from webquarry.storage.personal_data import OwnedValues
from webquarry.storage.store import Store

logger = logging.getLogger(__name__)

_KIND = "analytics"
_RECENT = 10
_LOCK_SECONDS = 5.0  # to wait for another call of the same person


class Analytics(OwnedValues):
    """One summary for each person, updated under a lock so that no call is lost."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        super().__init__(store, _KIND)
        self._clock = clock

    async def erase(self, tenant: str, user: str) -> int:
        """Erase the summary; a call that is being counted must not write it again afterwards."""
        async with self._store.lock(
            _name(tenant, user), ttl=2 * _LOCK_SECONDS, wait=3 * _LOCK_SECONDS
        ):
            return await super().erase(tenant, user)

    async def count(
        self, tenant: str, user: str, tool: str, is_allowed: Callable[[], Awaitable[bool]]
    ) -> None:
        """Count one call if that is allowed; the consent may be withdrawn at any time."""
        name = _name(tenant, user)
        try:
            async with self._store.lock(name, ttl=2 * _LOCK_SECONDS, wait=_LOCK_SECONDS):
                if not await is_allowed():
                    return
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
        except WebquarryError as error:  # counting must not fail the call
            logger.warning("a call was not counted: %s", error)

    async def find(self, tenant: str, user: str) -> UserAnalytics | None:
        """Return a person's summary, if any of their calls was counted."""
        entry = await self._store.get(_name(tenant, user))
        return None if entry is None else UserAnalytics.model_validate_json(entry.value)


def _name(tenant: str, user: str) -> str:
    return name_of(_KIND, tenant, user, "summary")
