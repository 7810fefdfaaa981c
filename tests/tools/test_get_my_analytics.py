"""The `get_my_analytics` tool."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support import ALICE, BOB, services
from tests.tools.people_harness import agree, people_harness
from webquarry.models.caller import Caller
from webquarry.tools.get_my_analytics import get_my_analytics

pytestmark = pytest.mark.anyio
REMOTE: Any = {"transport": "http"}


async def test_a_person_sees_their_own_use_only() -> None:
    desk = people_harness(get_my_analytics)
    alice, bob = ALICE.model_copy(update=REMOTE), BOB.model_copy(update=REMOTE)
    await agree(desk, "analytics")
    await agree(desk, "analytics", "bob")
    await desk.services.people.count(alice, "echo")

    mine = await desk.call("get_my_analytics", {}, caller=alice)
    theirs = await desk.call("get_my_analytics", {}, caller=bob)

    assert mine.structured
    assert mine.structured["status"] == "ok"
    assert mine.structured["analytics"]["toolCounts"] == {"echo": 1}
    assert theirs.structured == {"status": "empty"}


async def test_without_consent_or_name_there_is_nothing() -> None:
    desk = people_harness(get_my_analytics)

    refused = await desk.call("get_my_analytics", {}, caller=ALICE.model_copy(update=REMOTE))
    nobody = await desk.call("get_my_analytics", {}, caller=Caller(transport="http"))

    assert refused.structured == {
        "status": "no_consent",
        "reason": "Nothing is kept without recorded consent to 'analytics'.",
    }
    assert nobody.structured == {
        "status": "unavailable",
        "reason": "This needs an authenticated user.",
    }


def test_it_is_offered_only_when_turned_on() -> None:
    offered = get_my_analytics.options.available

    assert not offered(services())
    assert offered(people_harness(get_my_analytics).services)
    assert replace(get_my_analytics).toolset == "people"
