"""A desk where everything that is kept for people is turned on."""

from tests.support import CallHarness, override, services
from webquarry.calls.tool import AnyTool
from webquarry.services.people.analytics import Analytics
from webquarry.services.people.consent import Consent, Consents, Purpose
from webquarry.services.people.members import Member, Members
from webquarry.services.people.memories import Memories
from webquarry.services.people.service import PeopleService
from webquarry.services.people.workspaces import Workspaces


def people_harness(*tools: AnyTool) -> CallHarness:
    """Return a desk over a fresh store."""
    plain = services()
    store = plain.store
    people = PeopleService(
        Consents(store),
        memories=Memories(store, 3600.0),
        workspaces=Workspaces(store, Members(store)),
        analytics=Analytics(store),
    )
    return CallHarness(tools, services=override(plain, people=people))


async def agree(desk: CallHarness, purpose: Purpose, user: str = "alice") -> None:
    """Record the consent of a person of the tenant acme."""
    await desk.services.people.consents.record(
        Consent(tenant_id="acme", user_id=user, purpose=purpose, granted=True)
    )


async def join(desk: CallHarness, workspace: str, user: str = "alice") -> None:
    """Let a person of the tenant acme into a workspace."""
    member = Member(workspace_id=workspace, tenant_id="acme", user_id=user)
    await Members(desk.services.store).add(member)
