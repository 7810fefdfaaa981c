"""A store that remembers whose call made a shared result."""

import asyncio
from collections.abc import Iterable
from typing import Any, cast

from webquarry.observe.call_context import person
from webquarry.storage.cached_result_owners import OwnedResults
from webquarry.storage.key_namespaces import SHARED
from webquarry.storage.store import Store, Value

_LONGEST = 86_400.0  # marks of results that never expire


def owning(store: Store) -> Store:
    """Return the store with a mark beside each shared result that a known person's call made."""
    return cast("Store", _Owning(store))


class _Owning:
    """Everything but `set` and `set_all` is the store's own."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._owned = OwnedResults(store)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def set(self, key: str, value: bytes, *, ttl: float | None = None) -> None:
        """Keep the value, and a mark for whoever is calling."""
        await self._mark(key, ttl)
        await self._store.set(key, value, ttl=ttl)

    async def set_all(self, values: Iterable[Value]) -> None:
        """Keep the values, and a mark of each for whoever is calling."""
        several = list(values)
        if person.get():
            await asyncio.gather(*(self._mark(key, ttl) for key, _, ttl in several))
        await self._store.set_all(several)

    async def _mark(self, key: str, ttl: float | None) -> None:
        caller = person.get()
        if caller and key.partition(":")[0] in SHARED:
            tenant, user = caller
            # the mark first: what was stored without one could not be erased
            await self._owned.note(key, tenant=tenant, user=user, ttl=ttl or _LONGEST)
