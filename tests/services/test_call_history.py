"""The call history of the person whose machine it is."""

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from tests.support import ALICE, BOB, call_record
from webquarry.services.call_history import DAYS_SHOWN, CallHistory
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio


@dataclass
class Clock:
    now: float = datetime(2026, 11, 18, 12, tzinfo=UTC).timestamp()

    def __call__(self) -> float:
        return self.now


def history(store: MemoryStore, clock: Clock) -> CallHistory:
    return CallHistory(lambda: store, ALICE.user, ttl=30 * 86_400, clock=clock)


async def test_calls_of_all_processes_are_listed_the_newest_first() -> None:
    clock = Clock()
    store = MemoryStore(clock=clock)
    assistant, console = history(store, clock), history(store, clock)
    assistant.record(call_record("web_search", subject=" barn \n owls "))
    await assistant.close()
    clock.now += 60
    console.record(call_record("verify_citation", verdict={"status": "confirmed"}))
    await console.close()

    latest = await console.latest(ALICE, 5)

    assert latest == [
        {
            "at": "2026-11-18T12:01:00.000Z", "tool": "verify_citation", "subject": "",
            "via": ALICE.transport, "outcome": "ok", "milliseconds": 100.0, "cached": False,
            "verdict": {"status": "confirmed"},
        },
        {
            "at": "2026-11-18T12:00:00.000Z", "tool": "web_search", "subject": "barn owls",
            "via": ALICE.transport, "outcome": "ok", "milliseconds": 100.0, "cached": False,
        },
    ]  # fmt: skip


async def test_days_are_counted_with_their_failures() -> None:
    clock = Clock()
    calls = history(MemoryStore(clock=clock), clock)
    calls.record(call_record("web_search"))
    clock.now += 86_400
    calls.record(call_record("web_search", outcome="network"))
    calls.record(call_record("web_search"))
    await calls.close()

    days = await calls.daily(ALICE)

    assert len(days) == DAYS_SHOWN
    assert days[-2:] == [
        {"day": "2026-11-18", "calls": 1, "failed": 0},
        {"day": "2026-11-19", "calls": 2, "failed": 1},
    ]


async def test_calls_of_other_and_of_authenticated_users_are_not_stored() -> None:
    clock = Clock()
    store = MemoryStore(clock=clock)
    calls = history(store, clock)
    calls.record(call_record("web_search", caller=BOB))
    calls.record(call_record("web_search", caller=ALICE.model_copy(update={"proved": True})))
    await calls.close()

    assert [key async for key in store.logs("history:")] == []
