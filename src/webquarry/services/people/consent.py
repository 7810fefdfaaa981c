"""Consent of people, by purpose."""

import time
from collections.abc import Callable
from typing import Literal, get_args

from pydantic import Field

from webquarry.errors import BadInputError
from webquarry.models.model import Model
from webquarry.observe.timestamp import rfc3339
from webquarry.storage.key_names import name_of
from webquarry.storage.personal_data import OwnedValues
from webquarry.storage.store import Store

Purpose = Literal["memory", "analytics", "workspace", "monitoring"]
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)
ANONYMOUS = "anonymous"
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
        """Store the decision with its time; an anonymous caller cannot consent."""
        if decision.user_id == ANONYMOUS:
            raise BadInputError("user_id: an anonymous caller cannot consent to anything")
        dated = decision.model_copy(update={"decided_at": rfc3339(self._clock())})
        name = name_of(_KIND, dated.tenant_id, dated.user_id, dated.purpose)
        await self._store.set(name, dated.model_dump_json().encode())
        return dated

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
