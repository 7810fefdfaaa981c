"""Stored logins, encrypted like everything in the store, each for one person and one host."""

import time

from webquarry.errors import ForbiddenError, NotFoundError
from webquarry.models.caller import ANONYMOUS, Caller
from webquarry.models.login import StoredLogin
from webquarry.storage.key_names import name_of
from webquarry.storage.personal_data import Record
from webquarry.storage.store import Clock, Store

_KIND = "login"
_OWN_TRANSPORTS = frozenset({"stdio", "cli", "library"})


class Logins:
    """The logins of all people; each finds only their own."""

    kinds = (_KIND,)

    def __init__(
        self,
        store: Store,
        *,
        enabled: bool = True,
        shared: bool = False,
        clock: Clock = time.time,
    ) -> None:
        """With `shared`, callers without a name have logins, too, and have them in common."""
        self._store = store
        self._enabled = enabled
        self._shared = shared
        self._clock = clock

    def why_not(self, caller: Caller) -> str:
        """Return why this caller can have no logins; empty if they can."""
        if not self._enabled:
            return "stored logins are turned off (LOGINS=off)"
        if (
            caller.user == ANONYMOUS
            and caller.transport not in _OWN_TRANSPORTS
            and not self._shared
        ):
            return (
                "this server does not know who its callers are, so that a login would be "
                "everybody's (LOGINS_SHARED=on allows that)"
            )
        return ""

    async def save(self, caller: Caller, login: StoredLogin) -> None:
        """Store a login until it expires, instead of an earlier one for its host."""
        if reason := self.why_not(caller):
            raise ForbiddenError(f"No login is stored: {reason}.")
        await self._store.set(
            name_of(_KIND, caller.tenant, caller.user, login.host),
            login.model_dump_json().encode(),
            ttl=max(1.0, login.expires_at - self._clock()),
        )

    async def find(self, caller: Caller, host: str) -> StoredLogin | None:
        """Return the caller's login for exactly this host."""
        if self.why_not(caller):
            return None
        return await self._read(name_of(_KIND, caller.tenant, caller.user, host))

    async def list_for(self, tenant: str, user: str) -> list[StoredLogin]:
        """Return the logins of a person by host."""
        prefix = name_of(_KIND, tenant, user, "")
        found = [await self._read(key) async for key in self._store.scan(prefix)]
        return sorted((login for login in found if login), key=lambda login: login.host)

    async def revoke(self, caller: Caller, host: str) -> None:
        """Delete the caller's login for a host."""
        if not await self._store.delete(name_of(_KIND, caller.tenant, caller.user, host)):
            raise NotFoundError(
                f"There is no login for {host!r}; `webquarry login --list` shows all."
            )
        await self._store.sweep()

    async def export(self, tenant: str, user: str) -> list[Record]:
        """Return the logins of a person, without what would sign somebody else in."""
        return [described(login) for login in await self.list_for(tenant, user)]

    async def erase(self, tenant: str, user: str) -> int:
        """Delete the logins of a person; return how many there were."""
        keys = [key async for key in self._store.scan(name_of(_KIND, tenant, user, ""))]
        return sum([await self._store.delete(key) for key in keys])

    async def _read(self, key: str) -> StoredLogin | None:
        entry = await self._store.get(key)
        return StoredLogin.model_validate_json(entry.value) if entry else None


def described(login: StoredLogin) -> Record:
    """Return what may be shown of a login: no values."""
    return {
        "host": login.host,
        "source": login.source,
        "storedAt": login.stored_at,
        "expiresAt": login.expires_at,
        "cookies": [cookie.name for cookie in login.cookies],
        "localStorage": sorted(login.local_storage),
    }
