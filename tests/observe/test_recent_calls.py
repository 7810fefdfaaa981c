"""The latest calls of each tenant."""

from webquarry.observe.recent_calls import RecentCalls


def record(recent: RecentCalls, tenant: str, tool: str) -> None:
    recent.record(tenant, tool=tool, seconds=0.01234, outcome="ok", cached=False)


def test_the_newest_call_comes_first_and_tenants_are_apart() -> None:
    recent = RecentCalls(clock=lambda: 0.0)
    record(recent, "acme", "echo")
    record(recent, "globex", "web_search")
    recent.record("acme", tool="scrape_page", seconds=2, outcome="network", cached=True)

    assert recent.latest("acme") == [
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
    assert recent.latest("nobody") == []


def test_old_calls_and_idle_tenants_are_forgotten() -> None:
    recent = RecentCalls(most=2)
    for number in range(60):
        record(recent, "acme", f"t{number}")
    record(recent, "globex", "echo")
    record(recent, "initech", "echo")

    assert recent.latest("acme") == []
    assert len(recent.latest("globex")) == 1

    for number in range(60):
        record(recent, "globex", f"t{number}")
    assert [call["tool"] for call in recent.latest("globex")[::49]] == ["t59", "t10"]
