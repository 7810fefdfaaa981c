"""Findings a team shares."""

import pytest

from webquarry.models.people import Contribution
from webquarry.services.people import workspaces as module
from webquarry.services.people.members import Member, Members
from webquarry.services.people.workspaces import Workspaces
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio


class Time:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def opened() -> tuple[Workspaces, Members]:
    clock = Time()
    store = MemoryStore(clock=clock)
    members = Members(store)
    return Workspaces(store, members, 3600.0, clock), members


def shared(text: str, workspace: str = "w1", user: str = "alice") -> Contribution:
    return Contribution(
        id="",
        workspaceId=workspace,
        contributorTenant="acme",
        contributorUser=user,
        note=text,
        createdAt="",
    )


async def test_each_workspace_has_its_own_newest_first() -> None:
    workspaces, _ = opened()
    await workspaces.contribute(shared("one"))
    await workspaces.contribute(shared("two", user="bob"))
    await workspaces.contribute(shared("elsewhere", workspace="w1:x"))

    found = await workspaces.read("w1")

    assert [(each.note, each.contributorUser) for each in found] == [
        ("two", "bob"),
        ("one", "alice"),
    ]
    assert found[0].createdAt.startswith("2027-01-15T08:00:0")
    assert await workspaces.read("w") == []


async def test_only_members_belong() -> None:
    workspaces, members = opened()
    await members.add(Member(workspace_id="w1", tenant_id="acme", user_id="alice"))

    assert await workspaces.has("w1", "acme", "alice")
    assert not await workspaces.has("w1", "acme", "bob")
    assert not await workspaces.has("w1", "other", "alice")
    assert not await workspaces.has("w2", "acme", "alice")


async def test_beyond_the_most_the_oldest_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CONTRIBUTIONS", 2)
    workspaces, _ = opened()
    for text in ("one", "two", "three"):
        await workspaces.contribute(shared(text))

    assert [each.note for each in await workspaces.read("w1")] == ["three", "two"]


async def test_a_contributor_can_see_and_erase_what_they_shared_anywhere() -> None:
    workspaces, _ = opened()
    await workspaces.contribute(shared("one"))
    await workspaces.contribute(shared("two", workspace="w2"))
    await workspaces.contribute(shared("three", user="bob"))

    assert {each["note"] for each in await workspaces.export("acme", "alice")} == {"one", "two"}
    assert await workspaces.erase("acme", "alice") == 2
    assert [each.note for each in await workspaces.read("w1")] == ["three"]
    assert await workspaces.read("w2") == []
