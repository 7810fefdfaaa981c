"""Personal features, each behind the consent of the person."""

from dataclasses import dataclass

from webquarry.models.caller import ANONYMOUS, Caller
from webquarry.models.people import Status
from webquarry.services.people.analytics import Analytics
from webquarry.services.people.consent import Consent, Consents, Purpose
from webquarry.services.people.memories import Memories
from webquarry.services.people.workspaces import Workspaces

# on their own machine, people consent by switching the feature on; not to sharing, because
# others can read it
_LOCAL = frozenset({"stdio", "cli", "library"})
_IMPLIED: frozenset[Purpose] = frozenset({"memory", "analytics"})


@dataclass(frozen=True)
class PeopleService:
    """The personal features; None where the operator did not switch one on."""

    consents: Consents
    memories: Memories | None = None
    workspaces: Workspaces | None = None
    analytics: Analytics | None = None

    async def consent_status(self, caller: Caller, purpose: Purpose) -> tuple[Status, str | None]:
        """Return whether data may be stored for the caller, and the reason if not."""
        if caller.user == ANONYMOUS:
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

        async def is_allowed() -> bool:
            return (await self.consent_status(caller, "analytics"))[0] == "ok"

        # without consent, not even a lock names the person
        if self.analytics and await is_allowed():
            await self.analytics.count(caller.tenant, caller.user, tool, is_allowed)
