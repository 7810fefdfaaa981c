"""Members of workspaces. The host application manages them."""

from webquarry.errors import BadInputError
from webquarry.models.caller import ANONYMOUS
from webquarry.models.model import Model
from webquarry.storage.key_names import name_of, parts_of
from webquarry.storage.personal_data import Record
from webquarry.storage.store import Store

_KIND = "member"


class Member(Model):
    """One person in one workspace."""

    workspace_id: str
    tenant_id: str
    user_id: str


class Members:
    """Members stay until they are removed."""

    kinds = (_KIND,)

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, member: Member) -> None:
        """Add a person; repeating it has no effect."""
        parts = (member.workspace_id, member.tenant_id, member.user_id)
        if not all(0 < len(part) <= 256 for part in parts) or member.user_id == ANONYMOUS:
            raise BadInputError(
                "workspace_id, tenant_id and user_id: 1 to 256 characters each, not anonymous"
            )
        await self._store.set(_name(member), b"{}")

    async def remove(self, member: Member) -> bool:
        """Remove a person; return whether they were a member."""
        return await self._store.delete(_name(member))

    async def has(self, member: Member) -> bool:
        """Return whether the person belongs to the workspace."""
        return member.user_id != ANONYMOUS and await self._store.get(_name(member)) is not None

    async def list_members(self, workspace: str | None = None) -> list[Member]:
        """Return the members of one workspace, or of all."""
        prefix = f"{_KIND}:" if workspace is None else name_of(_KIND, workspace, "")
        names = [parts_of(name) async for name in self._store.scan(prefix)]
        return [
            Member(workspace_id=workspace_id, tenant_id=tenant, user_id=user)
            for _, workspace_id, tenant, user in sorted(names)
        ]

    async def export(self, tenant: str, user: str) -> list[Record]:
        return [member.model_dump(mode="json") for member in await self._of(tenant, user)]

    async def erase(self, tenant: str, user: str) -> int:
        return sum([await self.remove(member) for member in await self._of(tenant, user)])

    async def _of(self, tenant: str, user: str) -> list[Member]:
        members = await self.list_members()
        return [m for m in members if (m.tenant_id, m.user_id) == (tenant, user)]


def _name(member: Member) -> str:
    return name_of(_KIND, member.workspace_id, member.tenant_id, member.user_id)
