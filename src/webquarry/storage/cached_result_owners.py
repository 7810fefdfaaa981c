"""Remembers whose calls made which cached results, so that they can be forgotten with them."""

from webquarry.storage.key_names import name_of, parts_of
from webquarry.storage.personal_data import Record, as_record
from webquarry.storage.store import Store

_KIND = "owned"


class OwnedResults:
    """Marks beside cached results. The results themselves are shared and name nobody."""

    kinds = (_KIND,)

    def __init__(self, store: Store) -> None:
        self._store = store

    async def note(self, name: str, *, tenant: str, user: str, ttl: float) -> None:
        """Remember that a person's call made the result stored under `name`."""
        await self._store.set(name_of(_KIND, tenant, user, name), b"{}", ttl=ttl)

    async def export(self, tenant: str, user: str) -> list[Record]:
        found = [(name, await self._store.get(name)) for name in await self._made(tenant, user)]
        return [as_record(name, entry) for name, entry in found if entry is not None]

    async def erase(self, tenant: str, user: str) -> int:
        made = await self._made(tenant, user)
        gone = sum([await self._store.delete(name) for name in made])
        for name in made:
            await self._store.delete(name_of(_KIND, tenant, user, name))
        return gone

    async def _made(self, tenant: str, user: str) -> list[str]:
        prefix = name_of(_KIND, tenant, user, "")
        return [parts_of(mark)[-1] async for mark in self._store.scan(prefix)]
