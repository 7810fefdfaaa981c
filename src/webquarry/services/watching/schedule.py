"""Schedules: intervals and cron expressions in a time zone, quiet hours and jitter."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import cached_property
from itertools import pairwise
from zoneinfo import ZoneInfo

from webquarry.errors import BadInputError
from webquarry.models.monitor import MonitorSchedule

_INTERVAL = re.compile(r"(?:(\d{1,4})d)?(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,6})s)?")
_UNITS = (86_400, 3_600, 60, 1)
_CRON_NAMES = {"@hourly", "@daily", "@weekly", "@monthly"}
_HOURS = re.compile(r"([01]?\d|2[0-4]):([0-5]\d)\s?-\s?([01]?\d|2[0-4]):([0-5]\d)")
_MAX_INTERVAL = 366 * 86_400
_MAX_JITTER = 86_400.0
_FIRST_RETRY, _MAX_RETRY = 300.0, 6 * 3600.0  # seconds; doubles with every failure
_MAX_CRON = 200  # characters
_PROBES = 10  # runs that are compared with the minimum interval


@dataclass(frozen=True)
class Planned:
    """The next run: its place in the schedule, and when it starts."""

    slot: float
    due: float


@dataclass(frozen=True)
class RunTimes:
    """The times at which a monitor is checked."""

    schedule: MonitorSchedule

    def first(self, now: float) -> Planned:
        """Return the first run: at once, or after the quiet hours."""
        return Planned(now, self._after_quiet(now))

    def after(self, slot: float, now: float, random: Callable[[], float]) -> Planned:
        """Return the first run after now. Runs that were missed meanwhile are left out."""
        # a check outside the schedule, like a retry, replaces none of it
        following = slot if now < slot else self._next(slot, now)
        due = following + self.schedule.jitter * random()
        return Planned(following, self._after_quiet(due))

    def retry(self, planned: Planned, now: float, failures: int, wait: float | None) -> Planned:
        """Return the run after failed ones: earlier than planned, or when the site allows it."""
        pause = min(_MAX_RETRY, _FIRST_RETRY * 2.0 ** min(failures - 1, 10))
        due = min(planned.due, self._after_quiet(now + pause))
        return Planned(planned.slot, max(due, now + (wait or 0.0)))

    def check(self, min_interval: float, now: float, *, field: str = "schedule") -> None:
        """Raise `BadInputError` for a schedule that cannot be used or runs too often."""
        _ = self._zone, self._quiet
        if not 0 <= self.schedule.jitter <= _MAX_JITTER:
            raise BadInputError("jitter: must be from 0 to 86400 seconds")
        if self.shortest_pause(now, field) < min_interval:
            raise BadInputError(
                f"{field}: {self.schedule.every!r} is more often than every {min_interval:g} "
                "seconds, the shortest interval on this server (MONITOR_MIN_INTERVAL)"
            )

    def shortest_pause(self, now: float, field: str = "schedule") -> float:
        """Return the shortest time between two of the next runs."""
        if interval := _seconds(self.schedule.every):
            return interval
        try:
            times = [now]
            for _ in range(_PROBES):
                times.append(self._cron_after(times[-1]))
        except (ValueError, KeyError, ArithmeticError) as error:
            raise BadInputError(
                f"{field}: {self.schedule.every!r} is neither an interval like 30m, 6h or 1d nor "
                "a cron expression like '0 9 * * 1-5' (minute hour day month weekday)"
            ) from error
        return min(after - before for before, after in pairwise(times[1:]))

    def _next(self, slot: float, now: float) -> float:
        interval = _seconds(self.schedule.every)
        if not interval:
            return self._cron_after(max(slot, now))
        missed = math.floor(max(0.0, now - slot) / interval)
        return slot + (missed + 1) * interval

    def _cron_after(self, moment: float) -> float:
        # imported here: few servers have monitors
        from croniter import croniter

        text = self.schedule.every
        fields = text.split()
        if len(text) > _MAX_CRON or (len(fields) != 5 and text not in _CRON_NAMES):
            raise ValueError("not a cron expression of five fields")
        start = datetime.fromtimestamp(moment, self._zone)
        following: datetime = croniter(text, start).get_next(datetime)
        return following.timestamp()

    def _after_quiet(self, moment: float) -> float:
        """Return the moment, or the end of the quiet hours it lies in."""
        if self._quiet is None:
            return moment
        begin, end = self._quiet
        local = datetime.fromtimestamp(moment, self._zone)
        now = local.time().replace(tzinfo=None)
        if begin <= end:
            is_quiet, next_day = begin <= now < end, False
        else:
            is_quiet, next_day = now >= begin or now < end, now >= begin
        if not is_quiet:
            return moment
        day = local.date() + timedelta(days=1) if next_day else local.date()
        return datetime.combine(day, end, self._zone).timestamp()

    @cached_property
    def _zone(self) -> ZoneInfo:
        try:
            return ZoneInfo(self.schedule.timezone)
        except (KeyError, ValueError, OSError) as error:
            raise BadInputError(
                f"timezone: {self.schedule.timezone!r} is no IANA time zone like Europe/Berlin"
            ) from error

    @cached_property
    def _quiet(self) -> tuple[time, time] | None:
        text = self.schedule.quiet
        if not text:
            return None
        match = _HOURS.fullmatch(text.strip())
        if match is None:
            raise BadInputError(f"quiet: {text!r} must be like 22:00-07:00")
        hour, minute, end_hour, end_minute = map(int, match.groups())
        begin, end = time(hour % 24, minute), time(end_hour % 24, end_minute)
        if begin == end:
            raise BadInputError(f"quiet: {text!r} leaves no time for checks")
        return begin, end


def _seconds(text: str) -> int:
    """Return the length of an interval; 0 for other texts."""
    match = _INTERVAL.fullmatch(text.strip())
    if match is None or not any(match.groups()):
        return 0
    counts = [int(count or 0) for count in match.groups()]
    seconds = sum(count * unit for count, unit in zip(counts, _UNITS, strict=True))
    return min(seconds, _MAX_INTERVAL)
