"""`monitor_list`: the caller's monitors, in parts, or one of them."""

from pathlib import Path
from typing import Any

import pytest

from tests.services.watching.kettle_shop import watching_app
from tests.services.watching.monitor_setup import new_monitor
from tests.support import ALICE, BOB, CallHarness
from webquarry.services.watching.store.monitor_values import NewMonitor
from webquarry.tools.monitor_list import monitor_list

pytestmark = pytest.mark.anyio


async def test_monitors_are_listed_for_their_owner_in_parts(tmp_path: Path) -> None:
    async with watching_app(tmp_path) as app:
        owner = {"tenant": ALICE.tenant, "user": ALICE.user}
        for number in range(3):
            monitor = new_monitor(number, **owner, created=float(number))
            await app.services.watching.store.create(NewMonitor(monitor=monitor), limit=9)
        harness = CallHarness((monitor_list,), services=app.services)

        async def listed(caller: Any = ALICE, **arguments: Any) -> Any:
            return (await harness.call("monitor_list", arguments, caller=caller)).structured

        first, rest = await listed(limit=2), await listed(offset=2, limit=2)
        others = await listed(BOB)
        one = await listed(id="monitor-0001")
        hidden = await harness.call("monitor_list", {"id": "monitor-0001"}, caller=BOB)

    assert [row["name"] for row in first["monitors"]] == ["Page 2", "Page 1"]
    assert (first["nextOffset"], "nextOffset" in rest) == (2, False)
    assert [row["name"] for row in rest["monitors"]] == ["Page 0"]
    assert others["monitors"] == []
    assert (one["monitorId"], one["definition"]["notify"]) == (
        "monitor-0001", ["https://hooks.test"],
    )  # fmt: skip
    assert "There is no monitor 'monitor-0001'" in str(hidden.problem)
