"""The usage and the latest calls of each tenant."""

from tests.support import call_record
from webquarry.models.caller import Caller
from webquarry.observe.metrics import TenantUsage


def record(usage: TenantUsage, tenant: str, tool: str) -> None:
    usage.record(call_record(tool, caller=Caller(tenant=tenant), seconds=0.01234))


def test_the_newest_call_is_first_and_tenants_are_separate() -> None:
    usage = TenantUsage(clock=lambda: 0.0)
    record(usage, "acme", "echo")
    record(usage, "globex", "web_search")
    acme = Caller(tenant="acme")
    usage.record(call_record("scrape_page", caller=acme, seconds=2, outcome="network", cached=True))

    assert usage.latest_calls("acme") == [
        {
            "timestamp": "1970-01-01T00:00:00.000Z",
            "tool": "scrape_page",
            "outcome": "network",
            "milliseconds": 2000,
            "cached": True,
        },
        {
            "timestamp": "1970-01-01T00:00:00.000Z",
            "tool": "echo",
            "outcome": "ok",
            "milliseconds": 12.3,
            "cached": False,
        },
    ]
    assert usage.latest_calls("nobody") == []


def test_old_calls_and_idle_tenants_are_dropped() -> None:
    usage = TenantUsage(max_tenants=2)
    for number in range(60):
        record(usage, "acme", f"t{number}")
    record(usage, "globex", "echo")
    record(usage, "initech", "echo")

    assert usage.latest_calls("acme") == []
    assert len(usage.latest_calls("globex")) == 1

    for number in range(60):
        record(usage, "globex", f"t{number}")
    assert [call["tool"] for call in usage.latest_calls("globex")[::49]] == ["t59", "t10"]
