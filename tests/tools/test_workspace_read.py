"""The `workspace_read` tool."""

import pytest

from tests.support import BOB, services
from tests.tools.people_harness import agree, join, people_harness
from webquarry.calls.tool import AnyTool
from webquarry.services.people.members import Member, Members
from webquarry.tools.memory_save import memory_save
from webquarry.tools.workspace_contribute import workspace_contribute
from webquarry.tools.workspace_read import workspace_read

pytestmark = pytest.mark.anyio


async def test_members_read_what_others_shared_until_they_are_put_out() -> None:
    desk = people_harness(workspace_contribute, workspace_read)
    for user in ("alice", "bob"):
        await agree(desk, "workspace", user)
        await join(desk, "w1", user)
    await desk.call("workspace_contribute", {"workspace_id": "w1", "note": "Owls hunt."})

    read = await desk.call("workspace_read", {"workspace_id": "w1"}, caller=BOB)
    await Members(desk.services.store).remove(
        Member(workspace_id="w1", tenant_id="acme", user_id="bob")
    )
    out = await desk.call("workspace_read", {"workspace_id": "w1"}, caller=BOB)

    assert read.structured
    assert [(c["note"], c["contributorUser"]) for c in read.structured["contributions"]] == [
        ("Owls hunt.", "alice")
    ]
    assert (read.structured["count"], read.structured["trust"]) == (1, "untrusted-external-content")
    assert out.structured == {
        "status": "not_member",
        "reason": "You do not belong to this workspace.",
        "count": 0,
        "contributions": [],
        "trust": "untrusted-external-content",
    }


async def test_without_consent_nothing_comes() -> None:
    desk = people_harness(workspace_read)
    await join(desk, "w1")

    result = await desk.call("workspace_read", {"workspace_id": "w1"})

    assert result.structured
    assert (result.structured["status"], result.structured["count"]) == ("no_consent", 0)


def test_it_is_offered_only_when_turned_on() -> None:
    assert not workspace_read.options.available(services())


async def test_a_long_list_comes_in_pages() -> None:
    desk = people_harness(workspace_contribute, workspace_read)
    await agree(desk, "workspace")
    await join(desk, "w1")
    for number in range(25):
        note = {"workspace_id": "w1", "note": f"Finding {number}"}
        await desk.call("workspace_contribute", note)

    first = await desk.call("workspace_read", {"workspace_id": "w1"})
    rest = await desk.call("workspace_read", {"workspace_id": "w1", "offset": 20})

    assert first.structured is not None
    assert rest.structured is not None
    assert (first.structured["count"], first.structured["total"]) == (20, 25)
    assert first.structured["nextOffset"] == 20
    assert (rest.structured["count"], rest.structured.get("nextOffset")) == (5, None)
    notes = [c["note"] for page in (first, rest) for c in (page.structured or {})["contributions"]]
    assert sorted(notes) == sorted(f"Finding {number}" for number in range(25))


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd"])
@pytest.mark.parametrize("tool", [workspace_contribute, memory_save], ids=lambda tool: tool.name)
async def test_a_source_must_be_a_web_page(tool: AnyTool, url: str) -> None:
    result = await people_harness(tool).call(
        tool.name, {"workspace_id": "w1", "note": "x", "url": url}
        if tool is workspace_contribute
        else {"note": "x", "url": url},
    )  # fmt: skip

    assert result.problem is not None
    assert result.problem.message == f"{tool.name}: url: must be an http or https URL"
