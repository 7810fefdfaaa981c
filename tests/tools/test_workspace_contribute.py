"""The `workspace_contribute` tool."""

import pytest

from tests.support import services
from tests.tools.people_harness import agree, join, people_harness
from webquarry.tools.workspace_contribute import workspace_contribute

pytestmark = pytest.mark.anyio
SHARED = {"workspace_id": "w1", "note": "Owls hunt.", "url": "https://o.test/", "tags": ["owl"]}


async def test_a_member_who_agreed_shares_a_copy_with_their_name_on_it() -> None:
    desk = people_harness(workspace_contribute)
    await agree(desk, "workspace")
    await join(desk, "w1")

    result = await desk.call("workspace_contribute", SHARED)

    assert result.structured
    assert result.structured["status"] == "ok"
    workspaces = desk.services.people.workspaces
    assert workspaces
    [kept] = await workspaces.read("w1")
    assert kept.model_dump(exclude={"createdAt"}) == {
        "id": result.structured["id"],
        "workspaceId": "w1",
        "contributorTenant": "acme",
        "contributorUser": "alice",
        "note": "Owls hunt.",
        "url": "https://o.test/",
        "tags": ("owl",),
    }


async def test_nobody_shares_without_consent_or_membership() -> None:
    desk = people_harness(workspace_contribute)
    await join(desk, "w1")
    unasked = await desk.call("workspace_contribute", SHARED)
    await agree(desk, "workspace")
    stranger = await desk.call("workspace_contribute", SHARED | {"workspace_id": "w2"})

    assert unasked.structured
    assert unasked.structured["status"] == "no_consent"
    assert stranger.structured == {
        "status": "not_member",
        "reason": "You do not belong to this workspace.",
    }
    workspaces = desk.services.people.workspaces
    assert workspaces
    assert await workspaces.read("w1") == await workspaces.read("w2") == []


def test_it_is_offered_only_when_turned_on() -> None:
    assert not workspace_contribute.options.available(services())
