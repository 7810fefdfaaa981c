from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support import call_record
from webquarry.models.caller import Caller
from webquarry.observe.metrics import Metrics

_NOON = 1_793_620_800.5  # 2026-11-02T12:00:00.500Z


def _metrics() -> Metrics:
    return Metrics(secrets=["hunter2"], clock=lambda: _NOON)


def test_nothing_happened_yet() -> None:
    assert _metrics().snapshot() == {"tools": {}}
    assert _metrics().recent_errors("acme", "anonymous") == {"count": 0, "errors": []}


def test_calls_are_counted_per_tool() -> None:
    metrics = _metrics()
    for milliseconds in range(1, 101):
        metrics.record(call_record("web", seconds=milliseconds / 1000))
    metrics.record(call_record("echo", seconds=0.002, outcome="network"))
    metrics.record(call_record("echo", seconds=0.004, cached=True))
    assert metrics.snapshot() == {
        "tools": {
            "echo": {
                "totalCalls": 2,
                "successCalls": 1,
                "errorCalls": 1,
                "cacheHits": 1,
                "avgLatencyMs": 3.0,
                "p95LatencyMs": 4.0,
                "lastCalled": "2026-11-02T12:00:00.500Z",
            },
            "web": {
                "totalCalls": 100,
                "successCalls": 100,
                "errorCalls": 0,
                "cacheHits": 0,
                "avgLatencyMs": 50.5,
                "p95LatencyMs": 95.0,
                "lastCalled": "2026-11-02T12:00:00.500Z",
            },
        }
    }


def test_latencies_are_of_the_last_thousand_calls() -> None:
    metrics = _metrics()
    for seconds in [9.0] * 500 + [0.001] * 1000:
        metrics.record(call_record("web", seconds=seconds))
    found = metrics.snapshot()["tools"]["web"]
    assert (found["totalCalls"], found["avgLatencyMs"], found["p95LatencyMs"]) == (1500, 1.0, 1.0)


def test_threads_lose_no_count() -> None:
    metrics = _metrics()

    def work(_: int) -> None:
        for _ in range(500):
            metrics.record(call_record("web", seconds=0.1, outcome="network", cached=True))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    found = metrics.snapshot()["tools"]["web"]
    assert (found["totalCalls"], found["errorCalls"], found["cacheHits"]) == (4000, 4000, 4000)


def test_errors_are_masked_and_stored_per_tenant_newest_first() -> None:
    metrics = _metrics()
    for number in range(60):
        metrics.record(
            call_record(
                "web",
                caller=Caller(tenant="acme"),
                request_id=f"r{number}",
                outcome="network",
                message=f"failure {number} with hunter2",
            )
        )
    other_tenant = Caller(tenant="other")
    metrics.record(call_record("web", caller=other_tenant, outcome="blocked", message="x" * 5000))
    found = metrics.recent_errors("acme", Caller().user)
    assert found["count"] == 50
    assert [entry["requestId"] for entry in found["errors"]] == [f"r{n}" for n in range(59, 9, -1)]
    assert found["errors"][0] == {
        "timestamp": "2026-11-02T12:00:00.500Z",
        "tool": "web",
        "kind": "network",
        "message": "failure 59 with ***",
        "requestId": "r59",
    }
    (other,) = metrics.recent_errors("other", Caller().user)["errors"]
    assert other["message"] == "x" * 500


def test_the_message_of_another_user_of_the_tenant_is_not_shown() -> None:
    metrics = _metrics()
    for user in ("alice", "bob"):
        caller = Caller(tenant="acme", user=user)
        message = f"https://{user}.example/?q=secret was not found"
        metrics.record(
            call_record("web", caller=caller, outcome="not_found", message=message, request_id=user)
        )

    of_bob, of_alice = metrics.recent_errors("acme", "bob")["errors"]

    assert (of_bob["message"], of_bob["requestId"]) == (
        "https://bob.example/?q=secret was not found",
        "bob",
    )
    assert of_alice == of_bob | {
        "message": "not shown: a call of another user of your tenant",
        "requestId": "",
    }


def test_the_errors_of_forgotten_tenants_do_not_pile_up() -> None:
    metrics = _metrics()
    for number in range(1001):
        tenant = Caller(tenant=f"t{number}")
        metrics.record(call_record("web", caller=tenant, outcome="network", message="m"))
    assert [metrics.recent_errors(name, "x")["count"] for name in ("t0", "t1", "t1000")] == [
        0,
        1,
        1,
    ]


def test_the_prometheus_text_has_every_series() -> None:
    metrics = _metrics()
    metrics.record(call_record('we"b', seconds=0.02, cached=True))
    metrics.record(call_record('we"b', seconds=45.0, outcome="network"))
    buckets = ["0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10", "30", "+Inf"]
    counts = [0, *[1] * 10, 2]
    name = r"we\"b"
    assert metrics.prometheus().splitlines() == [
        "# HELP mcp_tool_calls_total Finished tool calls.",
        "# TYPE mcp_tool_calls_total counter",
        f'mcp_tool_calls_total{{tool="{name}"}} 2',
        "# HELP mcp_tool_errors_total Failed tool calls by kind.",
        "# TYPE mcp_tool_errors_total counter",
        f'mcp_tool_errors_total{{tool="{name}",error_code="network"}} 1',
        "# HELP mcp_cache_hits_total Tool calls answered from the cache.",
        "# TYPE mcp_cache_hits_total counter",
        f'mcp_cache_hits_total{{tool="{name}"}} 1',
        "# HELP mcp_tool_latency_seconds Duration of tool calls.",
        "# TYPE mcp_tool_latency_seconds histogram",
        *(
            f'mcp_tool_latency_seconds_bucket{{tool="{name}",le="{bound}"}} {count}'
            for bound, count in zip(buckets, counts, strict=True)
        ),
        f'mcp_tool_latency_seconds_sum{{tool="{name}"}} 45.020000',
        f'mcp_tool_latency_seconds_count{{tool="{name}"}} 2',
        "# HELP webquarry_monitor_checks_total Checks of monitors.",
        "# TYPE webquarry_monitor_checks_total counter",
        "# HELP mcp_event_loop_lag_seconds How late the event loop is.",
        "# TYPE mcp_event_loop_lag_seconds gauge",
        "mcp_event_loop_lag_seconds 0.000000",
        "# HELP mcp_event_loop_blocks_total Blocks of more than a second.",
        "# TYPE mcp_event_loop_blocks_total counter",
        "mcp_event_loop_blocks_total 0",
        "# HELP mcp_event_loop_blocked_seconds_total Duration of blocks.",
        "# TYPE mcp_event_loop_blocked_seconds_total counter",
        "mcp_event_loop_blocked_seconds_total 0.000000",
    ]


@pytest.mark.parametrize(("seconds", "bucket"), [(0.01, "0.01"), (30.0, "30")])
def test_a_bucket_includes_its_bound(seconds: float, bucket: str) -> None:
    metrics = _metrics()
    metrics.record(call_record("web", seconds=seconds))
    assert f'_bucket{{tool="web",le="{bucket}"}} 1\n' in metrics.prometheus()
