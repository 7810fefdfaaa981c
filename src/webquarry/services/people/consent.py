"""Consent of people, by purpose."""

import time
from collections.abc import Callable
from typing import Literal, get_args

from pydantic import Field

from webquarry.errors import BadInputError
from webquarry.models.caller import ANONYMOUS
from webquarry.models.model import Model
from webquarry.observe.timestamp import rfc3339
from webquarry.services.people.analytics import Analytics
from webquarry.services.people.members import Members
from webquarry.services.people.workspaces import Workspaces
from webquarry.storage.key_names import name_of
from webquarry.storage.personal_data import KeepsPersonalData, OwnedValues
from webquarry.storage.store import Store

Purpose = Literal["memory", "analytics", "workspace", "monitoring"]
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)
_KIND = "consent"


class Consent(Model):
    """One decision of one person."""

    tenant_id: str = Field(serialization_alias="tenantId", min_length=1, max_length=256)
    user_id: str = Field(serialization_alias="userId", min_length=1, max_length=256)
    purpose: Purpose
    granted: bool
    terms_version: str = Field(default="", serialization_alias="termsVersion", max_length=200)
    decided_at: str = Field(default="", serialization_alias="decidedAt")
    decided_from: str = Field(default="", serialization_alias="decidedFrom")


class Consents(OwnedValues):
    """The latest decision of each person for each purpose; it stays until it is changed."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        super().__init__(store, _KIND)
        self._clock = clock

    async def record(self, decision: Consent) -> Consent:
        """Store the decision with its time; a withdrawal erases what was stored for the purpose.

        An anonymous caller cannot consent.
        """
        if decision.user_id == ANONYMOUS:
            raise BadInputError("user_id: an anonymous caller cannot consent to anything")
        dated = decision.model_copy(update={"decided_at": rfc3339(self._clock())})
        name = name_of(_KIND, dated.tenant_id, dated.user_id, dated.purpose)
        # first, so that nothing new is stored while the rest is erased
        await self._store.set(name, dated.model_dump_json().encode())
        if not dated.granted:
            await self._erase(dated)
        return dated

    async def _erase(self, withdrawal: Consent) -> None:
        for keeper in _kept_for(withdrawal.purpose, self._store):
            await keeper.erase(withdrawal.tenant_id, withdrawal.user_id)
        # deleted data may remain in a log or a free page until the store is swept
        await self._store.sweep()

    async def find(self, tenant: str, user: str, purpose: Purpose) -> Consent | None:
        """Return the latest decision, if any."""
        entry = await self._store.get(name_of(_KIND, tenant, user, purpose))
        return None if entry is None else Consent.model_validate_json(entry.value)

    async def granted(self, tenant: str, user: str, purpose: Purpose) -> bool:
        """Return whether a person consented to the purpose."""
        if user == ANONYMOUS:
            return False
        decision = await self.find(tenant, user, purpose)
        return decision is not None and decision.granted


def _kept_for(purpose: Purpose, store: Store) -> tuple[KeepsPersonalData, ...]:
    """Return what is stored about people for a purpose, also if it is switched off now."""
    if purpose == "workspace":
        return (Workspaces(store, Members(store)),)
    if purpose == "analytics":
        return (Analytics(store),)
    # nothing is stored for monitoring
    return (OwnedValues(store, purpose),) if purpose == "memory" else ()
