"""One SearXNG instance: how good it is known to be, and whether it may be asked now."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

OWN = "own"  # grade of the instances the operator named
GRADES = (OWN, "A+", "A", "B")  # best first; nothing below is asked
GOOD_UPTIME = 95.0  # percent; an A below it is asked with the Bs
LONGEST_PAUSE = 3600.0
LONGEST_RETRY_AFTER = 86_400.0
JSON_OFF = 86_400.0  # seconds it is believed that an instance gives no JSON


@dataclass(frozen=True, kw_only=True)
class Instance:
    """What the pool knows about one instance. Moments are seconds since 1970."""

    url: str
    grade: str = OWN
    uptime: float | None = None  # percent
    response_time: int | None = None  # milliseconds, the newest weighing most
    last_checked: float | None = None
    rate_limited_until: float | None = None
    consecutive_failures: int = 0
    paused_until: float | None = None  # after failures
    unreachable: bool = False  # it gave no answer, rather than a wrong one
    json_off_until: float | None = None
    limits_in_a_row: int = 0
    answers: int = 0
    failures: int = 0
    last_error: str = ""

    @property
    def tier(self) -> int:
        """Its place in the order of preference, 0 first."""
        if self.grade == "A" and self.uptime is not None and self.uptime < GOOD_UPTIME:
            return GRADES.index("B")
        return GRADES.index(self.grade) if self.grade in GRADES else len(GRADES)

    def blacklisted(self, most: int) -> bool:
        """Whether it failed too often in a row to be asked before it is well again."""
        return self.consecutive_failures >= most

    def objection(self, now: float, most: int) -> str:
        """Return why it is not asked now; empty when it may be."""
        if (left := left_of(self.rate_limited_until, now)) > 0:
            return f"rate limited for {math.ceil(left)} s more"
        if (left := left_of(self.paused_until, now)) > 0:
            what = "blacklisted" if self.blacklisted(most) else "backing off"
            times = f"{self.consecutive_failures} failure(s) in a row"
            return f"{what} for {math.ceil(left)} s more after {times}: {self.last_error}"
        return ""

    def gives_json(self, now: float) -> bool:
        """Whether it is worth asking for JSON."""
        return left_of(self.json_off_until, now) <= 0

    def answered(self, now: float, milliseconds: int) -> "Instance":
        """Return it after a search that worked."""
        known = self.response_time
        measured = milliseconds if known is None else round(0.7 * known + 0.3 * milliseconds)
        return replace(
            self,
            response_time=measured,
            last_checked=now,
            rate_limited_until=None,
            consecutive_failures=0,
            paused_until=None,
            unreachable=False,
            limits_in_a_row=0,
            answers=self.answers + 1,
            last_error="",
        )

    def reached(self, now: float) -> "Instance":
        """Return it after a check that it passed: it may be asked, but has yet to answer.

        A rate limit stays in force, and another failure pauses it for longer than the last.
        """
        return replace(self, last_checked=now, paused_until=None, unreachable=False)

    def limited(self, now: float, retry_after: float | None, base: float) -> "Instance":
        """Return it after it asked us to slow down."""
        times = self.limits_in_a_row + 1
        pause = backoff(base, times) if retry_after is None else retry_after
        return replace(
            self,
            last_checked=now,
            rate_limited_until=now + min(max(1.0, pause), LONGEST_RETRY_AFTER),
            limits_in_a_row=times,
            failures=self.failures + 1,
            last_error="rate limited",
        )

    def failed(
        self, now: float, why: str, base: float, *, counts: int = 1, unreachable: bool = False
    ) -> "Instance":
        """Return it after a failure that `counts` so often; each in a row doubles the pause."""
        times = self.consecutive_failures + counts
        return replace(
            self,
            last_checked=now,
            consecutive_failures=times,
            paused_until=now + backoff(base, times),
            unreachable=unreachable,
            failures=self.failures + 1,
            last_error=why,
        )

    def without_json(self, now: float) -> "Instance":
        """Return it after it turned out to give pages only."""
        return replace(self, json_off_until=now + JSON_OFF)

    def known_as(self, listed: "Instance") -> "Instance":
        """Return it with what a catalogue says about it; what happened to it stays."""
        return replace(self, grade=listed.grade, uptime=listed.uptime)

    def record(self) -> dict[str, Any]:
        """Return it as JSON-ready data."""
        return asdict(self)

    @classmethod
    def restore(cls, data: Mapping[str, Any]) -> "Instance":
        """Return what `record` gave; `TypeError` for what is none."""
        known = {entry.name for entry in fields(cls)}
        kept = {name: value for name, value in data.items() if name in known}
        if any(isinstance(value, list | dict) for value in kept.values()):
            raise TypeError("not an instance")
        return cls(**kept)


def backoff(base: float, times: int) -> float:
    """Return the pause after so many failures in a row."""
    return min(base * 2.0 ** min(times - 1, 20), LONGEST_PAUSE)


def left_of(until: float | None, now: float) -> float:
    """Return the seconds left until a moment."""
    return 0.0 if until is None else max(0.0, until - now)
