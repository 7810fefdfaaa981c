"""The usage and the latest calls of each tenant since the start of this process."""

import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from webquarry.observe.call_context import CallRecord
from webquarry.observe.timestamp import rfc3339

_MAX_LATENCIES = 500  # of one tenant
_MAX_CALLS = 50  # of one tenant


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
            usage = self._tenants.setdefault(tenant, _Usage())
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
    latencies: deque[float] = field(default_factory=lambda: deque(maxlen=_MAX_LATENCIES))
    # timestamp, tool, outcome, seconds, cached
    latest: deque[tuple[float, str, str, float, bool]] = field(
        default_factory=lambda: deque(maxlen=_MAX_CALLS)
    )
