"""Shared notes of a workspace, for its members only."""

import time
from collections.abc import Callable

from webquarry.models.people import Contribution
from webquarry.observe.timestamp import rfc3339
from webquarry.services.people.members import Member, Members
from webquarry.services.people.note_keys import new_id
from webquarry.storage.key_names import name_of, parts_of
from webquarry.storage.personal_data import Record
from webquarry.storage.store import Store

MAX_CONTRIBUTIONS = 5000  # of one workspace; then the oldest are deleted
_KIND = "contribution"


class Workspaces:
    """Contributions of workspaces. Membership is checked on every call."""

    kinds = (_KIND,)

    def __init__(
        self,
        store: Store,
        members: Members,
        ttl: float = 30 * 86_400.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._members = members
        self._ttl = ttl
        self._clock = clock

    async def has(self, workspace: str, tenant: str, user: str) -> bool:
        """Return whether the person belongs to the workspace."""
        return await self._members.has(
            Member(workspace_id=workspace, tenant_id=tenant, user_id=user)
        )

    async def contribute(self, contribution: Contribution) -> Contribution:
        """Store a contribution under a new id; delete the oldest beyond the maximum."""
        now = self._clock()
        stored = contribution.model_copy(update={"id": new_id(now), "createdAt": rfc3339(now)})
        name = name_of(
            _KIND, stored.workspaceId, stored.id, stored.contributorTenant, stored.contributorUser
        )
        await self._store.set(name, stored.model_dump_json().encode(), ttl=self._ttl)
        for old in (await self._keys(name_of(_KIND, stored.workspaceId, "")))[MAX_CONTRIBUTIONS:]:
            await self._store.delete(old)
        return stored

    async def read(self, workspace: str) -> list[Contribution]:
        """Return everything shared in the workspace, the newest first."""
        found = [await self._store.get(n) for n in await self._keys(name_of(_KIND, workspace, ""))]
        return [Contribution.model_validate_json(entry.value) for entry in found if entry]

    async def export(self, tenant: str, user: str) -> list[Record]:
        found = [await self._store.get(name) for name in await self._of(tenant, user)]
        return [
            Contribution.model_validate_json(entry.value).model_dump(mode="json")
            for entry in found
            if entry
        ]

    async def erase(self, tenant: str, user: str) -> int:
        return sum([await self._store.delete(name) for name in await self._of(tenant, user)])

    async def _of(self, tenant: str, user: str) -> list[str]:
        names = await self._keys(f"{_KIND}:")
        return [name for name in names if parts_of(name)[-2:] == (tenant, user)]

    async def _keys(self, prefix: str) -> list[str]:
        return sorted([name async for name in self._store.scan(prefix)], reverse=True)
