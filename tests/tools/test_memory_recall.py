"""The `memory_recall` tool."""

import pytest

from tests.support import ALICE, BOB, services
from tests.tools.people_harness import people_harness
from webquarry.tools.memory_recall import memory_recall
from webquarry.tools.memory_save import memory_save

pytestmark = pytest.mark.anyio


async def test_what_was_saved_comes_back_to_the_same_person() -> None:
    desk = people_harness(memory_save, memory_recall)
    for note, topic in (("Owls hunt mice.", "birds"), ("Granite is hard.", "rocks")):
        await desk.call("memory_save", {"note": note, "topic": topic})

    async def notes(caller: object = ALICE, **arguments: object) -> list[str]:
        found = await desk.call("memory_recall", arguments, caller=caller)  # pyright: ignore[reportArgumentType]
        assert found.structured
        assert found.structured["trust"] == "user-asserted-content"
        assert found.structured["count"] == len(found.structured["memories"])
        return [memory["note"] for memory in found.structured["memories"]]

    assert sorted(await notes()) == ["Granite is hard.", "Owls hunt mice."]
    assert await notes(topic="rocks") == ["Granite is hard."]
    assert await notes(query="owl") == ["Owls hunt mice."]
    assert await notes(caller=BOB) == []


async def test_without_consent_nothing_comes() -> None:
    remote = ALICE.model_copy(update={"transport": "http"})

    result = await people_harness(memory_recall).call("memory_recall", {}, caller=remote)

    assert result.structured == {
        "status": "no_consent",
        "reason": "Nothing is kept without recorded consent to 'memory'.",
        "count": 0,
        "memories": [],
        "trust": "user-asserted-content",
    }


def test_it_is_offered_only_when_turned_on() -> None:
    assert not memory_recall.options.available(services())
