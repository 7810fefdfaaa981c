"""How fast the instances respond, and how long a search waits before it asks a second one."""

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

MIN_HEDGE_SECONDS = 0.25
MAX_HEDGE_SECONDS = 3.0
_DEFAULT_HEDGE_SECONDS = 1.0  # while nothing is known
_MIN_SAMPLES = 5  # with fewer, what is known about each instance counts too
_MAX_SAMPLES = 100
_PERCENTILE = 0.9


class LatencyWindow:
    """The response times of the latest searches, in milliseconds."""

    def __init__(self) -> None:
        self._samples: deque[int] = deque(maxlen=_MAX_SAMPLES)

    def record(self, milliseconds: int) -> None:
        """Add the response time of one search."""
        self._samples.append(milliseconds)

    def hedge_seconds(self, known: Iterable[int]) -> float:
        """Return the 90th percentile, within bounds; `known` are averages of the instances."""
        samples = sorted(self._samples)
        if len(samples) < _MIN_SAMPLES:
            samples = sorted((*samples, *known))
        if not samples:
            return _DEFAULT_HEDGE_SECONDS
        percentile = samples[math.ceil(_PERCENTILE * len(samples)) - 1] / 1000
        return min(max(percentile, MIN_HEDGE_SECONDS), MAX_HEDGE_SECONDS)


@dataclass
class RequestTimer:
    """When the latest request of an attempt was sent: our own delay before it does not count."""

    sent_at: float | None = None

    def milliseconds(self, now: float) -> int:
        """Return the time since then."""
        return 0 if self.sent_at is None else round(1000 * (now - self.sent_at))
