"""Everything kept for people, behind their consent."""

from dataclasses import dataclass

from webquarry.models.caller import Caller
from webquarry.models.people import Status
from webquarry.services.people.analytics import Analytics
from webquarry.services.people.consent import NOBODY, Consent, Consents, Purpose
from webquarry.services.people.memories import Memories
from webquarry.services.people.workspaces import Workspaces

# who runs the program on their own machine agreed by turning the feature on; sharing is another
# matter, as others read it
_LOCAL = frozenset({"stdio", "cli", "library"})
_IMPLIED: frozenset[Purpose] = frozenset({"memory", "analytics"})


@dataclass(frozen=True)
class PeopleService:
    """What may be kept; None where the operator did not turn it on."""

    consents: Consents
    memories: Memories | None = None
    workspaces: Workspaces | None = None
    analytics: Analytics | None = None

    async def standing(self, caller: Caller, purpose: Purpose) -> tuple[Status, str | None]:
        """Return whether something may be kept for the caller, and why not."""
        if caller.user == NOBODY:
            return "unavailable", "This needs an authenticated user."
        decision = await self.consents.find(caller.tenant, caller.user, purpose)
        if decision is None and caller.transport in _LOCAL and purpose in _IMPLIED:
            decision = await self.consents.record(
                Consent(
                    tenant_id=caller.tenant,
                    user_id=caller.user,
                    purpose=purpose,
                    granted=True,
                    decided_from=caller.transport,
                )
            )
        if decision is None or not decision.granted:
            return "no_consent", f"Nothing is kept without recorded consent to '{purpose}'."
        return "ok", None

    async def count(self, caller: Caller, tool: str) -> None:
        """Count a call for the caller's own analytics, if there is consent."""
        if self.analytics and (await self.standing(caller, "analytics"))[0] == "ok":
            await self.analytics.count(caller.tenant, caller.user, tool)
