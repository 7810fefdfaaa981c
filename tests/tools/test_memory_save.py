"""The `memory_save` tool."""

import pytest

from tests.support import ALICE, services, text_of
from tests.tools.people_harness import agree, people_harness
from webquarry.tools.memory_save import memory_save

pytestmark = pytest.mark.anyio
REMOTE = ALICE.model_copy(update={"transport": "http"})


async def test_a_finding_is_kept_with_everything_about_it() -> None:
    desk = people_harness(memory_save)
    await agree(desk, "memory")

    result = await desk.call(
        "memory_save",
        {"note": " Owls hunt. ", "topic": "birds", "url": "https://o.test/", "tags": ["owl"]},
        caller=REMOTE,
    )

    assert result.structured
    assert result.structured["status"] == "ok"
    memories = desk.services.people.memories
    assert memories
    [kept] = await memories.recall("acme", "alice", topic=None, words=None, limit=5)
    assert kept.model_dump() == {
        "id": result.structured["id"],
        "tenantId": "acme",
        "userId": "alice",
        "topic": "birds",
        "note": "Owls hunt.",
        "url": "https://o.test/",
        "tags": ("owl",),
        "createdAt": result.structured["createdAt"],
    }


async def test_without_consent_nothing_is_kept() -> None:
    desk = people_harness(memory_save)

    result = await desk.call("memory_save", {"note": "Owls hunt."}, caller=REMOTE)

    assert result.structured
    assert result.structured["status"] == "no_consent"
    memories = desk.services.people.memories
    assert memories
    assert await memories.export("acme", "alice") == []


async def test_a_note_is_needed() -> None:
    result = await people_harness(memory_save).call("memory_save", {"note": "  "})

    assert result.is_error
    assert "note" in text_of(result)


def test_it_is_offered_only_when_turned_on() -> None:
    assert not memory_save.options.available(services())
    assert memory_save.options.annotations.read_only is False
