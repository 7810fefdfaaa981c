"""One SearXNG instance: its grade, its health, and whether it is available now."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from webquarry.observe.url_queries import without_url_queries

OWN = "own"  # grade of the instances the operator configured
GRADES = (OWN, "A+", "A", "B")  # best first; instances below are never used
GOOD_UPTIME = 95.0  # percent; an A below it counts as a B
MAX_BACKOFF = 3600.0
_MEASUREMENT_SECONDS = 600.0  # after which a slow instance gets another chance
_MAX_GUESSED_TIME = 30_000  # milliseconds
MAX_RETRY_AFTER = 86_400.0


@dataclass(frozen=True, kw_only=True)
class Instance:
    """What the pool knows about one instance. Times are seconds since 1970."""

    url: str
    grade: str = OWN
    uptime: float | None = None  # percent
    response_time: int | None = None  # milliseconds, smoothed exponentially
    measured_at: float | None = None  # None: never, or by the catalogue
    last_checked: float | None = None
    rate_limited_until: float | None = None
    consecutive_failures: int = 0
    paused_until: float | None = None  # after failures
    unreachable: bool = False  # no response at all, rather than a wrong one
    json_off_until: float | None = None
    limits_in_a_row: int = 0
    answers: int = 0
    failures: int = 0
    last_error: str = ""

    @property
    def preference(self) -> int:
        """Its rank in the order of preference, 0 first."""
        if self.grade == "A" and self.uptime is not None and self.uptime < GOOD_UPTIME:
            return GRADES.index("B")
        return GRADES.index(self.grade) if self.grade in GRADES else len(GRADES)

    def blacklisted(self, max_failures: int) -> bool:
        """Whether it failed too often in a row."""
        return self.consecutive_failures >= max_failures

    def seconds_unavailable(self, now: float) -> float:
        """Return how long a rate limit or backoff still lasts."""
        return max(
            seconds_until(self.rate_limited_until, now), seconds_until(self.paused_until, now)
        )

    def unavailable_reason(self, now: float, max_failures: int) -> str:
        """Return why it cannot be used now; empty if it can."""
        if (left := seconds_until(self.rate_limited_until, now)) > 0:
            return f"rate limited for {math.ceil(left)} s more"
        if (left := seconds_until(self.paused_until, now)) > 0:
            what = "blacklisted" if self.blacklisted(max_failures) else "backing off"
            times = f"{self.consecutive_failures} failure(s) in a row"
            return f"{what} for {math.ceil(left)} s more after {times}: {self.last_error}"
        return ""

    def offers_json(self, now: float) -> bool:
        """Whether to request JSON rather than HTML."""
        return seconds_until(self.json_off_until, now) <= 0

    def after_success(self, now: float, milliseconds: int) -> "Instance":
        """Return it after a successful search."""
        known = self.response_time
        measured = milliseconds if known is None else round(0.7 * known + 0.3 * milliseconds)
        return replace(
            self,
            response_time=measured,
            measured_at=now,
            last_checked=now,
            rate_limited_until=None,
            consecutive_failures=0,
            paused_until=None,
            unreachable=False,
            limits_in_a_row=0,
            answers=self.answers + 1,
            last_error="",
        )

    def after_cancellation(self, now: float, milliseconds: int) -> "Instance":
        """Return it after a search that another instance won: this one takes longer than that.

        How much longer is not known; twice as long is a guess that lets the faster one go first.
        """
        slower = max(self.response_time or 0, min(2 * milliseconds, _MAX_GUESSED_TIME))
        return replace(self, response_time=slower, measured_at=now)

    def recent_response_time(self, now: float) -> int | None:
        """Return its response time; None if it was measured so long ago that it may differ now."""
        stale = self.measured_at is not None and now - self.measured_at >= _MEASUREMENT_SECONDS
        return None if stale else self.response_time

    def after_health_check(self, now: float) -> "Instance":
        """Return it after a passed health check: available, but no search has succeeded yet.

        A rate limit stays in force, and another failure backs off longer than the last.
        """
        return replace(self, last_checked=now, paused_until=None, unreachable=False)

    def after_rate_limit(self, now: float, retry_after: float | None, base: float) -> "Instance":
        """Return it after it limited our requests."""
        times = self.limits_in_a_row + 1
        pause = backoff(base, times) if retry_after is None else retry_after
        return replace(
            self,
            last_checked=now,
            rate_limited_until=now + min(max(1.0, pause), MAX_RETRY_AFTER),
            limits_in_a_row=times,
            failures=self.failures + 1,
            last_error="rate limited",
        )

    def after_failure(
        self, now: float, error: str, base: float, *, counts: int = 1, unreachable: bool = False
    ) -> "Instance":
        """Return it after a failure that counts as `counts`; each in a row doubles the backoff."""
        times = self.consecutive_failures + counts
        return replace(
            self,
            last_checked=now,
            consecutive_failures=times,
            paused_until=now + backoff(base, times),
            unreachable=unreachable,
            failures=self.failures + 1,
            last_error=error,
        )

    def without_json(self, now: float, seconds: float) -> "Instance":
        """Return it after it offered only HTML for the next `seconds`."""
        return replace(self, json_off_until=now + min(max(1.0, seconds), MAX_RETRY_AFTER))

    def with_catalogue_data(self, listed: "Instance") -> "Instance":
        """Return it with the grade and uptime of a catalogue; its own history stays."""
        return replace(self, grade=listed.grade, uptime=listed.uptime)

    def record(self) -> dict[str, Any]:
        """Return it as JSON-ready data."""
        return asdict(self)

    @classmethod
    def restore(cls, data: Mapping[str, Any]) -> "Instance":
        """Return the instance of a `record`; `TypeError` if it is none."""
        known = {entry.name for entry in fields(cls)}
        values = {name: value for name, value in data.items() if name in known}
        if any(isinstance(value, list | dict) for value in values.values()):
            raise TypeError("not a stored instance")
        # an earlier version stored the query
        if isinstance(error := values.get("last_error"), str):
            values["last_error"] = without_url_queries(error)
        return cls(**values)


def backoff(base: float, times: int) -> float:
    """Return the seconds to wait after so many failures in a row."""
    return min(base * 2.0 ** min(times - 1, 20), MAX_BACKOFF)


def seconds_until(moment: float | None, now: float) -> float:
    """Return the seconds left, 0 if it is past or None."""
    return 0.0 if moment is None else max(0.0, moment - now)
