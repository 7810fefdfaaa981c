"""Export and erasure of cached results that a person's calls produced."""

from webquarry.storage.key_names import name_of, parts_of
from webquarry.storage.key_namespaces import OWNED
from webquarry.storage.personal_data import Record, as_record
from webquarry.storage.store import Store


class OwnedResults:
    """`KeepsPersonalData` for shared results, found by the owner marks that `Store.set` writes."""

    kinds = (OWNED,)

    def __init__(self, store: Store) -> None:
        self._store = store

    async def export(self, tenant: str, user: str) -> list[Record]:
        values = [(key, await self._store.get(key)) for key in await self._keys(tenant, user)]
        return [as_record(key, entry) for key, entry in values if entry is not None]

    async def erase(self, tenant: str, user: str) -> int:
        keys = await self._keys(tenant, user)
        erased = sum([await self._store.delete(key) for key in keys])
        for key in keys:
            await self._store.delete(name_of(OWNED, tenant, user, key))
        return erased

    async def _keys(self, tenant: str, user: str) -> list[str]:
        prefix = name_of(OWNED, tenant, user, "")
        return [parts_of(mark)[-1] async for mark in self._store.scan(prefix)]
