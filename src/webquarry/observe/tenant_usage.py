"""What each tenant used since the start of this process."""

import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from typing import Any

from webquarry.observe.timestamp import rfc3339

_LATENCIES = 500


class TenantUse:
    """Counts per tenant; beyond `most` tenants the one that was idle longest is forgotten."""

    def __init__(self, most: int = 10_000, clock: Callable[[], float] = time.time) -> None:
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._tenants: OrderedDict[str, _Use] = OrderedDict()
        self._since = clock()

    def record(
        self, tenant: str, *, seconds: float, failed: bool, cached: bool, provider: str = ""
    ) -> None:
        """Count one finished call."""
        with self._lock:
            use = self._tenants.get(tenant)
            if use is None:
                use = self._tenants[tenant] = _Use()
            self._tenants.move_to_end(tenant)
            use.calls += 1
            use.failed += failed
            use.cached += cached
            use.latencies.append(seconds)
            if provider:
                use.providers[provider] += 1
            while len(self._tenants) > self._most:
                self._tenants.popitem(last=False)

    def summary(self, tenant: str) -> dict[str, Any]:
        """Return the numbers of one tenant."""
        with self._lock:
            use = self._tenants.get(tenant, _Use())
            ordered = sorted(use.latencies)
            calls = use.calls
            return {
                "tenantId": tenant,
                "since": rfc3339(self._since),
                "totalCalls": calls,
                "errorCalls": use.failed,
                "errorRate": round(use.failed / calls, 4) if calls else 0.0,
                "cacheRate": round(use.cached / calls, 4) if calls else 0.0,
                "providers": dict(use.providers.most_common()),
                "avgLatencyMs": round(1000 * sum(ordered) / len(ordered), 3) if ordered else 0.0,
                # the nearest rank: a latency that was really measured
                "p95LatencyMs": round(1000 * ordered[-(-95 * len(ordered) // 100) - 1], 3)
                if ordered
                else 0.0,
            }


class _Use:
    __slots__ = ("cached", "calls", "failed", "latencies", "providers")

    def __init__(self) -> None:
        self.calls = 0
        self.failed = 0
        self.cached = 0
        self.providers: Counter[str] = Counter()
        self.latencies: deque[float] = deque(maxlen=_LATENCIES)
