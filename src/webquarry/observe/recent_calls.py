"""The latest calls of each tenant: which tool, how it went, how long it took."""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

from webquarry.observe.timestamp import rfc3339

_CALLS = 50


class RecentCalls:
    """Remembers no arguments and nobody's name; may be called from any thread."""

    def __init__(self, most: int = 1000, clock: Callable[[], float] = time.time) -> None:
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._tenants: OrderedDict[str, deque[dict[str, Any]]] = OrderedDict()

    def record(self, tenant: str, *, tool: str, seconds: float, outcome: str, cached: bool) -> None:
        """Remember one finished call."""
        entry = {
            "timestamp": self._clock(),  # becomes text when somebody looks
            "tool": tool,
            "outcome": outcome,
            "milliseconds": round(1000 * seconds, 1),
            "cached": cached,
        }
        with self._lock:
            calls = self._tenants.get(tenant)
            if calls is None:
                calls = self._tenants[tenant] = deque(maxlen=_CALLS)
            calls.appendleft(entry)
            self._tenants.move_to_end(tenant)
            while len(self._tenants) > self._most:
                self._tenants.popitem(last=False)

    def latest(self, tenant: str) -> list[dict[str, Any]]:
        """Return the calls of one tenant, the newest first."""
        with self._lock:
            return [
                entry | {"timestamp": rfc3339(entry["timestamp"])}
                for entry in self._tenants.get(tenant, ())
            ]
