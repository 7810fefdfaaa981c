"""Counts and latencies of the calls of this process, by tool (also for Prometheus) and tenant."""

import threading
import time
from bisect import bisect_left
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from webquarry.observe.call_context import CallRecord
from webquarry.observe.mask import mask
from webquarry.observe.timestamp import rfc3339

_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_MAX_LATENCIES = 1000  # of one tool
_MAX_TENANT_LATENCIES = 500
_MAX_TENANT_CALLS = 50
_MAX_ERRORS = 50  # of one tenant
_MAX_TENANTS = 1000
_MAX_MESSAGE = 500  # characters
_OTHER_USER = "not shown: a call of another user of your tenant"


class Metrics:
    """Metrics since the start of the process. All methods are thread-safe."""

    def __init__(
        self, *, secrets: Iterable[str] = (), clock: Callable[[], float] = time.time
    ) -> None:
        self._secrets = tuple(secrets)
        self._clock = clock
        self._lock = threading.Lock()
        self.tenants = TenantUsage(clock=clock)
        self._tools: dict[str, _ToolMetrics] = {}
        self._loop_lag = 0.0
        self._loop_blocks = 0
        self._loop_blocked_seconds = 0.0
        self._checks: Counter[str] = Counter()
        self._errors: OrderedDict[str, deque[tuple[str, dict[str, Any]]]] = OrderedDict()

    def record(self, call: CallRecord) -> None:
        """Count one finished call, for its tool and for its tenant."""
        self.tenants.record(call)
        with self._lock:
            metrics = self._tools.get(call.tool) or self._tools.setdefault(
                call.tool, _ToolMetrics()
            )
            metrics.calls += 1
            metrics.last = self._clock()
            metrics.seconds += call.seconds
            metrics.latencies.append(call.seconds)
            metrics.buckets[bisect_left(_BUCKETS, call.seconds)] += 1
            metrics.cached += call.cached
            if call.outcome != "ok":
                metrics.errors[call.outcome] += 1
                self._store_error(call)

    def record_loop_lag(self, seconds: float, *, blocked: bool) -> None:
        """Note how late the event loop is; count it if it was blocked."""
        with self._lock:
            self._loop_lag = seconds
            if blocked:
                self._loop_blocks += 1
                self._loop_blocked_seconds += seconds

    def record_check(self, outcome: str) -> None:
        """Count one check of a monitor."""
        with self._lock:
            self._checks[outcome] += 1

    def _store_error(self, call: CallRecord) -> None:
        entry = {
            "timestamp": rfc3339(self._clock()),
            "tool": call.tool,
            "kind": call.outcome,
            "message": mask(call.message[: 4 * _MAX_MESSAGE], self._secrets)[:_MAX_MESSAGE],
            "requestId": call.request_id,
        }
        tenant = call.caller.tenant
        errors = self._errors.setdefault(tenant, deque(maxlen=_MAX_ERRORS))
        errors.appendleft((call.caller.user, entry))
        self._errors.move_to_end(tenant)
        while len(self._errors) > _MAX_TENANTS:
            self._errors.popitem(last=False)

    def recent_errors(self, tenant: str, user: str) -> dict[str, Any]:
        """Return the latest failures of one tenant, newest first; in full those of the user.

        The messages of other users' failures contain their URLs and queries.
        """
        with self._lock:
            errors = [
                entry if owner == user else entry | {"message": _OTHER_USER, "requestId": ""}
                for owner, entry in self._errors.get(tenant, ())
            ]
        return {"count": len(errors), "errors": errors}

    def forget_errors(self, tenant: str) -> None:
        """Delete the failures of one tenant: their messages may contain personal data."""
        with self._lock:
            self._errors.pop(tenant, None)

    def snapshot(self) -> dict[str, Any]:
        """Return the counts per tool, with latencies over the last thousand calls."""
        with self._lock:
            return {"tools": {name: tool.summary() for name, tool in sorted(self._tools.items())}}

    def prometheus(self) -> str:
        """Return all metrics in the Prometheus text format."""
        with self._lock:
            tools = [(_escaped(name), tool) for name, tool in sorted(self._tools.items())]
            lines = [
                *_head("mcp_tool_calls_total", "counter", "Finished tool calls."),
                *(f'mcp_tool_calls_total{{tool="{name}"}} {t.calls}' for name, t in tools),
                *_head("mcp_tool_errors_total", "counter", "Failed tool calls by kind."),
                *(
                    f'mcp_tool_errors_total{{tool="{name}",error_code="{_escaped(kind)}"}} {count}'
                    for name, t in tools
                    for kind, count in sorted(t.errors.items())
                ),
                *_head("mcp_cache_hits_total", "counter", "Tool calls answered from the cache."),
                *(f'mcp_cache_hits_total{{tool="{name}"}} {t.cached}' for name, t in tools),
                *_head("mcp_tool_latency_seconds", "histogram", "Duration of tool calls."),
                *(line for name, t in tools for line in t.histogram(name)),
                *_head("webquarry_monitor_checks_total", "counter", "Checks of monitors."),
                *(
                    f'webquarry_monitor_checks_total{{outcome="{outcome}"}} {count}'
                    for outcome, count in sorted(self._checks.items())
                ),
                *_head("mcp_event_loop_lag_seconds", "gauge", "How late the event loop is."),
                f"mcp_event_loop_lag_seconds {self._loop_lag:.6f}",
                *_head("mcp_event_loop_blocks_total", "counter", "Blocks of more than a second."),
                f"mcp_event_loop_blocks_total {self._loop_blocks}",
                *_head("mcp_event_loop_blocked_seconds_total", "counter", "Duration of blocks."),
                f"mcp_event_loop_blocked_seconds_total {self._loop_blocked_seconds:.6f}",
            ]
        return "\n".join(lines) + "\n"


@dataclass(slots=True)
class _ToolMetrics:
    """The counts and latencies of one tool."""

    calls: int = 0
    cached: int = 0
    errors: Counter[str] = field(default_factory=Counter[str])
    last: float = 0.0
    seconds: float = 0.0
    latencies: deque[float] = field(default_factory=lambda: deque(maxlen=_MAX_LATENCIES))
    buckets: list[int] = field(default_factory=lambda: [0] * (len(_BUCKETS) + 1))

    def summary(self) -> dict[str, Any]:
        failed = self.errors.total()
        return {
            "totalCalls": self.calls,
            "successCalls": self.calls - failed,
            "errorCalls": failed,
            "cacheHits": self.cached,
            **latency_summary(sorted(self.latencies)),
            "lastCalled": rfc3339(self.last),
        }

    def histogram(self, tool: str) -> Iterator[str]:
        name = "mcp_tool_latency_seconds"
        bounds = (*(f"{bound:g}" for bound in _BUCKETS), "+Inf")
        for bound, count in zip(bounds, accumulate(self.buckets), strict=True):
            yield f'{name}_bucket{{tool="{tool}",le="{bound}"}} {count}'
        yield f'{name}_sum{{tool="{tool}"}} {self.seconds:.6f}'
        yield f'{name}_count{{tool="{tool}"}} {self.calls}'


def _head(name: str, kind: str, meaning: str) -> tuple[str, str]:
    return f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"


def _escaped(label: str) -> str:
    return label.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


class TenantUsage:
    """Counts calls for each tenant; stores no arguments and no users. Thread-safe."""

    def __init__(self, max_tenants: int = 10_000, clock: Callable[[], float] = time.time) -> None:
        """Beyond `max_tenants` drop the least recently used one."""
        self._max_tenants = max_tenants
        self._clock = clock
        self._lock = threading.Lock()
        self._tenants: OrderedDict[str, _Usage] = OrderedDict()
        self._since = clock()

    def record(self, call: CallRecord) -> None:
        """Count one finished call."""
        with self._lock:
            tenant = call.caller.tenant
            usage = self._tenants.get(tenant) or self._tenants.setdefault(tenant, _Usage())
            self._tenants.move_to_end(tenant)
            usage.calls += 1
            usage.failed += call.outcome != "ok"
            usage.cached += call.cached
            usage.latencies.append(call.seconds)
            usage.latest.appendleft(
                (self._clock(), call.tool, call.outcome, call.seconds, call.cached)
            )
            if provider := (call.routing or {}).get("provider_used"):
                usage.providers[str(provider)] += 1
            while len(self._tenants) > self._max_tenants:
                self._tenants.popitem(last=False)

    def summary(self, tenant: str) -> dict[str, Any]:
        """Return the usage of one tenant."""
        with self._lock:
            usage = self._tenants.get(tenant, _Usage())
            latencies = sorted(usage.latencies)
            calls = usage.calls
            return {
                "tenantId": tenant,
                "since": rfc3339(self._since),
                "totalCalls": calls,
                "errorCalls": usage.failed,
                "errorRate": round(usage.failed / calls, 4) if calls else 0.0,
                "cacheRate": round(usage.cached / calls, 4) if calls else 0.0,
                "providers": dict(usage.providers.most_common()),
                **latency_summary(latencies),
            }

    def latest_calls(self, tenant: str) -> list[dict[str, Any]]:
        """Return the latest calls of one tenant, newest first."""
        with self._lock:
            usage = self._tenants.get(tenant, _Usage())
            return [
                {
                    "timestamp": rfc3339(timestamp),
                    "tool": tool,
                    "outcome": outcome,
                    "milliseconds": round(1000 * seconds, 1),
                    "cached": cached,
                }
                for timestamp, tool, outcome, seconds, cached in usage.latest
            ]


def latency_summary(latencies: list[float]) -> dict[str, float]:
    """Return mean and 95th percentile of sorted latencies in milliseconds."""
    if not latencies:
        return {"avgLatencyMs": 0.0, "p95LatencyMs": 0.0}
    return {
        "avgLatencyMs": round(1000 * sum(latencies) / len(latencies), 3),
        # nearest rank: a latency that was measured, not interpolated
        "p95LatencyMs": round(1000 * latencies[-(-95 * len(latencies) // 100) - 1], 3),
    }


@dataclass(slots=True)
class _Usage:
    calls: int = 0
    failed: int = 0
    cached: int = 0
    providers: Counter[str] = field(default_factory=Counter[str])
    latencies: deque[float] = field(default_factory=lambda: deque(maxlen=_MAX_TENANT_LATENCIES))
    # timestamp, tool, outcome, seconds, cached
    latest: deque[tuple[float, str, str, float, bool]] = field(
        default_factory=lambda: deque(maxlen=_MAX_TENANT_CALLS)
    )
