"""`monitor_delete`: deletes a monitor of the caller, and of nobody else."""

from pathlib import Path

import pytest

from tests.services.watching.kettle_shop import watching_app
from tests.services.watching.monitor_setup import new_monitor
from tests.support import ALICE, BOB, CallHarness
from webquarry.services.watching.store.monitor_values import NewMonitor
from webquarry.tools.monitor_delete import monitor_delete

pytestmark = pytest.mark.anyio


async def test_a_monitor_is_deleted_by_its_owner_only(tmp_path: Path) -> None:
    async with watching_app(tmp_path) as app:
        watching = app.services.watching
        monitor = new_monitor(1, tenant=ALICE.tenant, user=ALICE.user)
        await watching.store.create(NewMonitor(monitor=monitor), limit=9)
        harness = CallHarness((monitor_delete,), services=app.services)

        refused = await harness.call("monitor_delete", {"id": monitor.id}, caller=BOB)
        kept = await watching.monitors(ALICE)
        deleted = await harness.call("monitor_delete", {"id": monitor.id})
        left = await watching.monitors(ALICE)

    assert "There is no monitor" in str(refused.problem)
    assert [each.id for each in kept] == [monitor.id]
    assert deleted.structured == {"monitorId": monitor.id, "deleted": True}
    assert left == []
