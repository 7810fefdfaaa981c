"""Findings people save for later."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.models.people import MemoryEntry
from webquarry.services.people import memories as module
from webquarry.services.people.memories import Memories, best_matches
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio
DAY = 86_400.0


class Time:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def note(text: str, user: str = "alice", **more: object) -> MemoryEntry:
    given_fields = {"id": "", "tenantId": "acme", "userId": user, "note": text, "createdAt": ""}
    return MemoryEntry.model_validate(given_fields | more)


@pytest.fixture
def memories() -> Memories:
    clock = Time()
    return Memories(MemoryStore(clock=clock), 90 * DAY, clock)


async def recalled(memories: Memories, user: str = "alice", **more: object) -> list[str]:
    wanted = {"topic": None, "words": None, "limit": 20} | more
    found = await memories.recall("acme", user, **wanted)  # pyright: ignore[reportArgumentType]
    return [memory.note for memory in found]


async def test_the_newest_come_first_and_only_ones_own(memories: Memories) -> None:
    for text in ("one", "two", "three"):
        await memories.save(note(text))
    await memories.save(note("secret", user="bob"))

    assert await recalled(memories) == ["three", "two", "one"]
    assert await recalled(memories, limit=2) == ["three", "two"]
    assert await recalled(memories, user="bob") == ["secret"]
    assert await recalled(memories, user="a") == []


async def test_a_topic_is_matched_whole_whatever_its_case(memories: Memories) -> None:
    await memories.save(note("owls hunt", topic="Birds"))
    await memories.save(note("owls sleep", topic="Birds of prey"))

    assert await recalled(memories, topic="birds") == ["owls hunt"]


async def test_words_find_the_best_first(memories: Memories) -> None:
    await memories.save(note("Owls hunt mice at night."))
    await memories.save(note("Quarries close at night."))
    await memories.save(note("Granite is quarried in Norway.", tags=["owls"]))

    assert await recalled(memories, words="owl hunting at night") == [
        "Owls hunt mice at night.",
        "Granite is quarried in Norway.",  # as good as the next, and newer
        "Quarries close at night.",
    ]
    assert await recalled(memories, words="zebra") == []


async def test_a_finding_goes_when_its_time_is_over() -> None:
    clock = Time()
    memories = Memories(MemoryStore(clock=clock), DAY, clock)
    await memories.save(note("short"))
    clock.now += 2 * DAY

    assert await recalled(memories) == []


async def test_beyond_the_most_the_oldest_goes(
    memories: Memories, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_MEMORIES", 2)
    for text in ("one", "two", "three"):
        await memories.save(note(text))

    assert await recalled(memories) == ["three", "two"]


async def test_erasure_forgets_one_person_only(memories: Memories) -> None:
    await memories.save(note("mine"))
    await memories.save(note("yours", user="bob"))

    assert len(await memories.export("acme", "alice")) == 1
    assert await memories.erase("acme", "alice") == 1
    assert await recalled(memories) == []
    assert await recalled(memories, user="bob") == ["yours"]


@given(st.lists(st.text(max_size=60), max_size=8), st.text(max_size=30))
def test_ranking_never_invents_or_repeats(texts: list[str], words: str) -> None:
    given_notes = [note(text, id=str(n)) for n, text in enumerate(texts)]
    found = [memory.id for memory in best_matches(given_notes, words)]

    assert len(set(found)) == len(found)
    assert set(found) <= {memory.id for memory in given_notes}
