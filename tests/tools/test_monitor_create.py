"""`monitor_create`: creates a monitor; secrets of receivers never come back."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.services.watching.kettle_shop import watching_app
from tests.support import ALICE, CallHarness
from webquarry.tools.monitor_create import MonitorCreateIn, definition_of, monitor_create

pytestmark = pytest.mark.anyio

URL = "http://127.0.0.1:8080/kettle"


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncGenerator[CallHarness]:
    async with watching_app(tmp_path, {"MONITOR_CONCURRENCY": "1"}) as app:
        yield CallHarness((monitor_create,), services=app.services)


async def create(harness: CallHarness, **arguments: Any) -> dict[str, Any]:
    result = await harness.call("monitor_create", {"target": URL, **arguments})
    assert result.structured is not None, result
    return result.structured


async def test_a_monitor_needs_only_a_target(harness: CallHarness) -> None:
    created = await create(harness)

    fixed = {name: created[name] for name in ("name", "kind", "target", "status", "schedule")}
    assert fixed == {
        "name": URL,
        "kind": "page",
        "target": URL,
        "status": "active",
        "schedule": "1d",
    }
    assert created["feed"].startswith(f"/feeds/monitors/{created['monitorId']}/")
    (stored,) = await harness.services.watching.monitors(ALICE)
    assert stored.id == created["monitorId"]


async def test_addresses_of_receivers_are_not_shown(harness: CallHarness) -> None:
    created = await create(
        harness,
        notify=["https://hooks.test/T0/B0/secret"],
        digest="1d",
        webhooks=[{"url": "https://user:pass@hooks.test/x", "secret": "s" * 16}],
    )

    assert created["definition"]["notify"] == ["https://hooks.test", "https://hooks.test"]
    assert "secret" not in str(created)
    assert "pass" not in str(created)


async def test_a_wrong_schedule_names_its_field(harness: CallHarness) -> None:
    result = await harness.call("monitor_create", {"target": URL, "schedule": "often"})

    assert result.problem is not None
    assert "schedule: 'often' is neither an interval like 30m" in str(result.problem)


def test_http_urls_are_webhooks_and_others_are_services() -> None:
    arguments = MonitorCreateIn(
        target=URL, notify=("https://hooks.test/a", "mailtos://user:pw@mail.test")
    )

    notify = definition_of(arguments).notify

    assert [hook.url for hook in notify.webhooks] == ["https://hooks.test/a"]
    assert notify.services == ("mailtos://user:pw@mail.test",)


def test_the_four_schemas_of_monitors_are_small() -> None:
    import json

    from webquarry.tools import load_tools

    tools = [tool for tool in load_tools() if tool.toolset == "watch"]
    text = json.dumps([tool.definition() for tool in tools], separators=(",", ":"))

    assert len(tools) == 4
    assert len(text) / 4 <= 1000
