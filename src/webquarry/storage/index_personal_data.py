"""Export and erasure of the pages that a person has in the local index."""

from dataclasses import asdict

from webquarry.storage.page_index import PageIndex
from webquarry.storage.personal_data import Record


class IndexedPages:
    """`KeepsPersonalData` for the page index."""

    kinds = ("index.sqlite3",)

    def __init__(self, index: PageIndex) -> None:
        self._index = index

    async def export(self, tenant: str, user: str) -> list[Record]:
        return [asdict(page) for page in await self._index.pages(tenant=tenant, owner=user)]

    async def erase(self, tenant: str, user: str) -> int:
        return await self._index.erase(tenant=tenant, owner=user)
