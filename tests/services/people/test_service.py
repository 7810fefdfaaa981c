"""Nothing is kept for anybody who did not agree."""

import asyncio

import pytest

from webquarry.models.caller import Caller, Transport
from webquarry.models.people import Contribution, MemoryEntry, UserAnalytics
from webquarry.services.people.analytics import Analytics
from webquarry.services.people.consent import PURPOSES, Consent, Consents, Purpose
from webquarry.services.people.members import Members
from webquarry.services.people.memories import Memories
from webquarry.services.people.service import PeopleService
from webquarry.services.people.workspaces import Workspaces
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio
NOW = 1_800_000_000.0
SEEN = "2027-01-15T08:00:00.000Z"


def caller(transport: Transport = "http", user: str = "alice") -> Caller:
    return Caller(tenant="acme", user=user, transport=transport)


def people() -> PeopleService:
    store = MemoryStore()
    return PeopleService(Consents(store), analytics=Analytics(store, lambda: NOW))


async def decide(people: PeopleService, purpose: Purpose, *, granted: bool) -> None:
    await people.consents.record(
        Consent(tenant_id="acme", user_id="alice", purpose=purpose, granted=granted)
    )


async def test_nobody_has_no_standing() -> None:
    assert await people().consent_status(caller(user="anonymous"), "memory") == (
        "unavailable",
        "This needs an authenticated user.",
    )


async def test_without_a_decision_nothing_is_kept() -> None:
    assert await people().consent_status(caller(), "memory") == (
        "no_consent",
        "Nothing is kept without recorded consent to 'memory'.",
    )


async def test_a_decision_counts_until_it_is_withdrawn() -> None:
    asked = people()

    await decide(asked, "memory", granted=True)
    granted = await asked.consent_status(caller(), "memory")
    await decide(asked, "memory", granted=False)

    assert granted == ("ok", None)
    assert (await asked.consent_status(caller(), "memory"))[0] == "no_consent"


@pytest.mark.parametrize("transport", ["stdio", "cli", "library"])
async def test_whoever_runs_it_agreed_by_turning_it_on_but_not_to_sharing(
    transport: Transport,
) -> None:
    asked = people()

    assert await asked.consent_status(caller(transport), "memory") == ("ok", None)
    assert (await asked.consent_status(caller(transport), "workspace"))[0] == "no_consent"
    recorded = await asked.consents.find("acme", "alice", "memory")
    assert recorded
    assert recorded.decided_from == transport


async def test_a_withdrawal_outlives_the_implied_consent() -> None:
    asked = people()
    await decide(asked, "memory", granted=False)

    assert (await asked.consent_status(caller("stdio"), "memory"))[0] == "no_consent"


async def test_calls_are_counted_only_with_consent() -> None:
    asked = people()
    assert asked.analytics

    await asked.count(caller(), "echo")
    assert await asked.analytics.find("acme", "alice") is None

    await decide(asked, "analytics", granted=True)
    await asyncio.gather(*(asked.count(caller(), tool) for tool in ("echo", "web_search", "echo")))

    assert await asked.analytics.find("acme", "alice") == UserAnalytics(
        tenantId="acme",
        userId="alice",
        totalCalls=3,
        toolCounts={"echo": 2, "web_search": 1},
        firstSeen=SEEN,
        lastSeen=SEEN,
        recentTools=("echo", "web_search"),
    )
    assert await asked.analytics.find("acme", "bob") is None


async def test_withdrawn_consent_erases_what_was_stored_for_the_purpose_and_nothing_else() -> None:
    store = MemoryStore()
    members = Members(store)
    asked = PeopleService(
        Consents(store),
        memories=Memories(store, retention=1e6),
        workspaces=Workspaces(store, members),
        analytics=Analytics(store, lambda: NOW),
    )
    assert asked.memories
    assert asked.workspaces
    for user in ("alice", "bob"):
        for purpose in PURPOSES:
            await asked.consents.record(
                Consent(tenant_id="acme", user_id=user, purpose=purpose, granted=True)
            )
        await asked.memories.save(
            MemoryEntry(id="", createdAt="", tenantId="acme", userId=user, note="owls")
        )
        await asked.workspaces.contribute(
            Contribution(
                id="",
                createdAt="",
                workspaceId="w",
                contributorTenant="acme",
                contributorUser=user,
                note="owls",
            )
        )
        await asked.count(caller(user=user), "web_search")
    before = {name.partition(":")[0] async for name in store.scan("")}

    left: dict[Purpose, set[str]] = {}
    for purpose in PURPOSES:
        await decide(asked, purpose, granted=False)
        names = [name async for name in store.scan("") if "alice" in name]
        left[purpose] = {name.partition(":")[0] for name in names} - {"consent"}

    assert before == {"analytics", "consent", "contribution", "memory"}
    assert left == {
        "memory": {"analytics", "contribution"},
        "analytics": {"contribution"},
        "workspace": set(),
        "monitoring": set(),
    }
    of_bob = {name.partition(":")[0] async for name in store.scan("") if "bob" in name}
    assert of_bob == before
