"""Counts and latencies of the tool calls of this process."""

import threading
import time
from bisect import bisect_left
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import Any

from webquarry.observe.mask import mask
from webquarry.observe.recent_calls import RecentCalls
from webquarry.observe.tenant_usage import TenantUse
from webquarry.observe.timestamp import rfc3339

_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_LATENCIES = 1000
_ERRORS = 50
_MOST_TENANTS = 1000
_LONGEST_MESSAGE = 500


class Metrics:
    """What happened since the start. Every method may be called from any thread."""

    def __init__(
        self, *, secrets: Iterable[str] = (), clock: Callable[[], float] = time.time
    ) -> None:
        self._secrets = tuple(secrets)
        self._clock = clock
        self._lock = threading.Lock()
        self.tenants = TenantUse(clock=clock)
        self.recent = RecentCalls(clock=clock)
        self._tools: dict[str, _Tool] = {}
        self._errors: OrderedDict[str, deque[dict[str, Any]]] = OrderedDict()

    def record(self, tool: str, *, seconds: float, error_kind: str | None, cached: bool) -> None:
        """Count one finished call."""
        with self._lock:
            found = self._tools.get(tool)
            if found is None:
                found = self._tools[tool] = _Tool()
            found.calls += 1
            found.last = self._clock()
            found.seconds += seconds
            found.latencies.append(seconds)
            found.buckets[bisect_left(_BUCKETS, seconds)] += 1
            found.cached += cached
            if error_kind is not None:
                found.errors[error_kind] += 1

    def note_error(
        self, *, tenant: str, tool: str, kind: str, message: str, request_id: str = ""
    ) -> None:
        """Remember one failure for the people of its tenant."""
        entry = {
            "timestamp": rfc3339(self._clock()),
            "tool": tool,
            "kind": kind,
            "message": mask(message[: 4 * _LONGEST_MESSAGE], self._secrets)[:_LONGEST_MESSAGE],
            "requestId": request_id,
        }
        with self._lock:
            if tenant not in self._errors:
                self._errors[tenant] = deque(maxlen=_ERRORS)
            self._errors[tenant].appendleft(entry)
            self._errors.move_to_end(tenant)
            while len(self._errors) > _MOST_TENANTS:
                self._errors.popitem(last=False)

    def recent_errors(self, tenant: str) -> dict[str, Any]:
        """Return the latest failures of one tenant, newest first."""
        with self._lock:
            errors = [dict(entry) for entry in self._errors.get(tenant, ())]
        return {"count": len(errors), "errors": errors}

    def forget_errors(self, tenant: str) -> None:
        """Drop the failures of one tenant: their messages may quote what a person asked."""
        with self._lock:
            self._errors.pop(tenant, None)

    def snapshot(self) -> dict[str, Any]:
        """Return the counts per tool, with latencies over the last thousand calls."""
        with self._lock:
            return {"tools": {name: found.summary() for name, found in sorted(self._tools.items())}}

    def prometheus(self) -> str:
        """Return everything in the Prometheus text format."""
        with self._lock:
            tools = [(_escaped(name), found) for name, found in sorted(self._tools.items())]
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
            ]
        return "\n".join(lines) + "\n"


class _Tool:
    """The numbers of one tool."""

    __slots__ = ("buckets", "cached", "calls", "errors", "last", "latencies", "seconds")

    def __init__(self) -> None:
        self.calls = 0
        self.cached = 0
        self.errors: Counter[str] = Counter()
        self.last = 0.0
        self.seconds = 0.0
        self.latencies: deque[float] = deque(maxlen=_LATENCIES)
        self.buckets = [0] * (len(_BUCKETS) + 1)

    def summary(self) -> dict[str, Any]:
        ordered = sorted(self.latencies)
        failed = self.errors.total()
        return {
            "totalCalls": self.calls,
            "successCalls": self.calls - failed,
            "errorCalls": failed,
            "cacheHits": self.cached,
            "avgLatencyMs": round(1000 * sum(ordered) / len(ordered), 3),
            # the nearest rank: a latency that was really measured
            "p95LatencyMs": round(1000 * ordered[-(-95 * len(ordered) // 100) - 1], 3),
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
