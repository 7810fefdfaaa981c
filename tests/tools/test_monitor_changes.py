"""`monitor_changes`: what a monitor found; checks it now, pauses it, mutes noise."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.services.watching.kettle_shop import Shop, running_shop, watching_app
from tests.support import CallHarness
from webquarry.tools.monitor_changes import monitor_changes
from webquarry.tools.monitor_create import monitor_create

pytestmark = pytest.mark.anyio

Watched = tuple[CallHarness, Shop, str]


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncGenerator[Watched]:
    """A monitor whose first check is done, and a price that has changed since."""
    async with watching_app(tmp_path) as app:
        with running_shop() as shop:
            harness = CallHarness((monitor_create, monitor_changes), services=app.services)
            created = await harness.call("monitor_create", {"target": shop.url})
            await app.services.watching.scheduler.stop()
            assert created.structured is not None
            monitor_id = created.structured["monitorId"]
            await act(harness, monitor_id, do="run")
            shop.price = "9.00"
            yield harness, shop, monitor_id


async def act(harness: CallHarness, monitor_id: str, **arguments: Any) -> dict[str, Any]:
    result = await harness.call("monitor_changes", {"id": monitor_id, **arguments})
    await harness.services.watching.scheduler.stop()
    assert result.structured is not None, result
    return result.structured


async def test_a_check_now_returns_the_change_with_both_passages(watched: Watched) -> None:
    harness, shop, monitor_id = watched

    found = await act(harness, monitor_id, do="run")

    (change,) = found["changes"]
    assert (found["lastOutcome"], change["number"], change["event"]) == ("changed", 1, "changed")
    (passage,) = change["changes"]
    assert (passage["kind"], passage["before"], passage["after"]) == (
        "price", "Price: EUR 12.00", "Price: EUR 9.00",
    )  # fmt: skip
    assert passage["url"] == f"{shop.url}#:~:text=Price%3A%20EUR%209.00"
    assert passage["diff"] == [
        {"op": "equal", "text": "Price: EUR "},
        {"op": "delete", "text": "12.00"},
        {"op": "insert", "text": "9.00"},
    ]


async def test_changes_come_newest_first_and_in_parts(watched: Watched) -> None:
    harness, shop, monitor_id = watched
    for price in ("9.00", "8.00", "7.00"):
        shop.price = price
        await act(harness, monitor_id, do="run")

    first = await act(harness, monitor_id, limit=2)
    rest = await act(harness, monitor_id, limit=2, before=first["nextBefore"])

    assert [change["number"] for change in first["changes"]] == [3, 2]
    assert [change["number"] for change in rest["changes"]] == [1]
    assert "nextBefore" not in rest


async def test_a_monitor_is_paused_and_resumed(watched: Watched) -> None:
    harness, _, monitor_id = watched

    paused = await act(harness, monitor_id, do="pause")
    resumed = await act(harness, monitor_id, do="resume")

    assert (paused["status"], resumed["status"]) == ("paused", "active")


async def test_muting_returns_the_rule_that_undoes_it(watched: Watched) -> None:
    harness, shop, monitor_id = watched
    found = await act(harness, monitor_id, do="run")
    change_id = found["changes"][0]["changes"][0]["id"]

    rule = (await act(harness, monitor_id, do="mute", what=change_id))["rule"]
    shop.price = "8.00"
    muted = await act(harness, monitor_id, do="run")
    await act(harness, monitor_id, do="unmute", what=rule)
    shop.price = "7.00"
    unmuted = await act(harness, monitor_id, do="run")

    assert rule.startswith("muted:")
    assert (muted["lastOutcome"], unmuted["lastOutcome"]) == ("unchanged", "changed")


@pytest.mark.parametrize("arguments", [{"do": "mute"}, {"do": "run", "what": "x"}, {"what": "x"}])
async def test_what_goes_with_mute_and_unmute_only(
    watched: Watched, arguments: dict[str, str]
) -> None:
    harness, _, monitor_id = watched

    result = await harness.call("monitor_changes", {"id": monitor_id, **arguments})

    assert "what: goes with mute and unmute" in str(result.problem)
