"""Sessions: who can use them, how long they live, how many there are."""

import re
from dataclasses import dataclass
from typing import Any

import pytest

from tests.services.sessions.builders import findings, source, step
from tests.support import ALICE, BOB
from webquarry.errors import BadInputError, SessionNotFoundError
from webquarry.models.caller import Caller
from webquarry.services.sessions.service import MAX_SESSIONS, SessionService
from webquarry.storage.memory_store import MemoryStore
from webquarry.storage.store import MAX_TTL

pytestmark = pytest.mark.anyio

GONE = "Session not found or expired. Sessions last 4 hours from last activity."
HOUR = 3600.0


@dataclass
class Clock:
    now: float = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(clock: Clock) -> MemoryStore:
    return MemoryStore(clock=clock)


@pytest.fixture
def sessions(store: MemoryStore, clock: Clock) -> SessionService:
    return SessionService(store, clock=clock)


async def test_a_session_has_a_random_id_and_its_first_step(sessions: SessionService) -> None:
    begun = await sessions.start(ALICE, "Owls", step(1))
    other = await sessions.start(ALICE, "Owls", step(1))
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-\w{12}", begun.id)
    assert begun.id != other.id
    assert (begun.goal, begun.started_at) == ("Owls", "2023-11-14T22:13:20.000Z")
    assert [s.stepNumber for s in begun.steps] == [1]


async def test_what_one_process_writes_another_reads(store: MemoryStore, clock: Clock) -> None:
    first, second = SessionService(store, clock=clock), SessionService(store, clock=clock)
    begun = await first.start(ALICE, "Owls", step(1))
    await second.add_step(ALICE, begun.id, step(2))
    await first.record(ALICE, begun.id, findings(source(1)))
    after = await second.add_step(ALICE, begun.id, step(3, summary="So far."))
    again = await SessionService(store, clock=clock).get(ALICE, begun.id)
    for state in (after, again, await first.get(ALICE, begun.id)):
        assert [s.stepNumber for s in state.steps] == [1, 2, 3]
        assert [s.url for s in state.sources] == ["https://example.org/1"]
        assert state.summary == "So far."


@pytest.mark.parametrize(
    "stranger",
    [BOB, Caller(tenant="other", user="alice"), Caller(tenant="acme:alice", user="")],
)
async def test_a_session_is_its_owners_alone(sessions: SessionService, stranger: Caller) -> None:
    begun = await sessions.start(ALICE, "Owls", step(1))
    for attempt in (
        sessions.get(stranger, begun.id),
        sessions.add_step(stranger, begun.id, step(2)),
        sessions.record(stranger, begun.id, findings(source(1))),
    ):
        with pytest.raises(SessionNotFoundError, match=re.escape(GONE)):
            await attempt
    assert await sessions.ids(stranger) == []
    assert len((await sessions.get(ALICE, begun.id)).steps) == 1


@pytest.mark.parametrize(
    "session_id", ["", "x", "a:b", "%", "00000000-0000-4000-8000-000000000000"]
)
async def test_an_unknown_id_says_what_can_be_done(
    sessions: SessionService, session_id: str
) -> None:
    with pytest.raises(SessionNotFoundError) as caught:
        await sessions.add_step(ALICE, session_id, step(7))
    assert str(caught.value) == GONE
    assert caught.value.block() == {
        "kind": "session_not_found",
        "retryable": False,
        "suggestedAction": "inform_user",
        "recoveryHint": {"lastKnownStep": 6, "canResume": False},
    }


async def test_the_error_names_the_configured_lifetime(store: MemoryStore) -> None:
    told = [
        str(SessionService(store, ttl=ttl).not_found_error()).partition(". ")[2]
        for ttl in (HOUR, 90 * 60, 2 * HOUR, 61)
    ]
    assert told == [
        "Sessions last 1 hour from last activity.",
        "Sessions last 90 minutes from last activity.",
        "Sessions last 2 hours from last activity.",
        "Sessions last 61 seconds from last activity.",
    ]


async def test_a_kept_session_says_so_and_outlives_a_decade(
    store: MemoryStore, clock: Clock
) -> None:
    kept = SessionService(store, ttl=MAX_TTL, clock=clock)
    begun = await kept.start(ALICE, "Owls", step(1))
    clock.now += 10 * 365 * 24 * HOUR

    assert (await kept.get(ALICE, begun.id)).goal == "Owls"
    assert str(kept.not_found_error()) == (
        "Session not found. Sessions are kept until they are deleted."
    )


async def test_a_person_uses_and_deletes_sessions_of_an_earlier_name(
    sessions: SessionService,
) -> None:
    begun = await sessions.start(BOB, "Owls", step(1))
    renamed = ALICE.model_copy(update={"tenant": BOB.tenant, "previous_users": (BOB.user,)})
    own = await sessions.start(renamed, "Voles", step(1))

    await sessions.add_step(renamed, begun.id, step(2))
    await sessions.record(renamed, begun.id, findings(source(1)))

    assert set(await sessions.ids(renamed)) == {begun.id, own.id}
    assert [len(s.steps) for s in await sessions.all_states(BOB)] == [2]
    await sessions.delete(renamed, begun.id)
    assert await sessions.ids(renamed) == [own.id]


async def test_nobody_deletes_the_session_of_another_person(sessions: SessionService) -> None:
    begun = await sessions.start(ALICE, "Owls", step(1))
    with pytest.raises(SessionNotFoundError):
        await sessions.delete(BOB, begun.id)
    assert await sessions.ids(ALICE) == [begun.id]


async def test_every_use_prolongs_a_session(sessions: SessionService, clock: Clock) -> None:
    begun = await sessions.start(ALICE, "Owls", step(1))
    clock.now += 3.9 * HOUR
    await sessions.get(ALICE, begun.id)
    clock.now += 3.9 * HOUR
    await sessions.record(ALICE, begun.id, findings(source(1)))
    clock.now += 3.9 * HOUR
    await sessions.add_step(ALICE, begun.id, step(2))
    clock.now += 4 * HOUR
    with pytest.raises(SessionNotFoundError):
        await sessions.get(ALICE, begun.id)
    with pytest.raises(SessionNotFoundError):
        await sessions.record(ALICE, begun.id, findings(source(2)))


async def test_listing_sessions_does_not_prolong_them(
    sessions: SessionService, clock: Clock
) -> None:
    begun = await sessions.start(ALICE, "Owls", step(1))
    clock.now += 3 * HOUR
    assert [state.id for state in await sessions.all_states(ALICE)] == [begun.id]
    clock.now += HOUR
    assert await sessions.all_states(ALICE) == []


async def test_beyond_fifty_the_one_idle_for_longest_goes(
    sessions: SessionService, clock: Clock
) -> None:
    begun: list[str] = []
    for _ in range(MAX_SESSIONS):
        begun.append((await sessions.start(ALICE, "Owls", step(1))).id)
        clock.now += 1
    theirs = await sessions.start(BOB, "Bats", step(1))
    await sessions.add_step(ALICE, begun[0], step(2))
    clock.now += 1
    newest = await sessions.start(ALICE, "Owls", step(1))
    assert sorted(await sessions.ids(ALICE)) == sorted([begun[0], *begun[2:], newest.id])
    assert (await sessions.ids(ALICE))[:2] == [newest.id, begun[0]]
    assert await sessions.ids(BOB) == [theirs.id]


async def test_a_full_session_records_no_further_step(store: MemoryStore) -> None:
    sessions = SessionService(store, max_steps=3)
    begun = await sessions.start(ALICE, "Owls", step(1))
    for number in (2, 3):
        assert not (await sessions.add_step(ALICE, begun.id, step(number))).is_full
    full = await sessions.add_step(ALICE, begun.id, step(4))
    assert full.is_full
    assert [s.stepNumber for s in full.steps] == [1, 2, 3]
    fresh = await SessionService(store, max_steps=3).get(ALICE, begun.id)
    assert [s.stepNumber for s in fresh.steps] == [1, 2, 3]


@pytest.mark.parametrize("name", ["revisesStep", "branchFromStep"])
async def test_a_step_must_refer_to_a_step_that_is_there(
    sessions: SessionService, name: str
) -> None:
    begun = await sessions.start(ALICE, "Owls", step(1))
    told: dict[str, Any] = {name: 5}
    with pytest.raises(BadInputError, match=rf"{name}: no step 5 in this session; there are \[1\]"):
        await sessions.add_step(ALICE, begun.id, step(2, **told))
    assert len((await sessions.get(ALICE, begun.id)).steps) == 1


async def test_a_person_gets_all_and_can_have_all_forgotten(sessions: SessionService) -> None:
    begun = await sessions.start(ALICE, "Owls", step(1, reasoning="Because."))
    await sessions.record(ALICE, begun.id, findings(source(1)))
    theirs = await sessions.start(BOB, "Bats", step(1))
    exported = await sessions.export("acme", "alice")
    assert [session["sessionId"] for session in exported] == [begun.id]
    events = [event for page in exported[0]["pages"] for event in page["events"]]
    assert [event["kind"] for event in events] == ["opened", "step", "findings"]
    assert events[1]["step"]["reasoning"] == "Because."
    assert events[2]["sources"] == [{"url": "https://example.org/1", "title": "Page 1"}]
    assert await sessions.erase("acme", "alice") == 1
    assert await sessions.export("acme", "alice") == []
    with pytest.raises(SessionNotFoundError):
        await sessions.get(ALICE, begun.id)
    assert (await sessions.get(BOB, theirs.id)).goal == "Bats"


async def test_a_page_that_reached_the_log_twice_counts_once(
    sessions: SessionService, store: MemoryStore
) -> None:
    begun = await sessions.start(ALICE, "Owls", step(1))
    await sessions.add_step(ALICE, begun.id, step(2))
    (key,) = [key async for key in store.logs("session:")]
    pages = await store.entries(key)
    assert pages
    await store.append(key, pages[-1], ttl=60)  # as a lost connection would
    assert [s.stepNumber for s in (await sessions.get(ALICE, begun.id)).steps] == [1, 2]


async def test_a_damaged_page_costs_only_what_was_on_it(
    sessions: SessionService, store: MemoryStore
) -> None:
    begun = await sessions.start(ALICE, "Owls", step(1))
    (key,) = [key async for key in store.logs("session:")]
    await store.append(key, b"", ttl=60)
    await sessions.add_step(ALICE, begun.id, step(2))
    again = await SessionService(store).get(ALICE, begun.id)
    assert [s.stepNumber for s in again.steps] == [1, 2]
