"""Schedules in words, like "every 30 minutes" or "daily at 9:00", and intervals as cron."""

import re

from webquarry.errors import BadInputError

_UNITS = {"minute": "m", "hour": "h", "day": "d", "week": "w"}
_EVERY = re.compile(r"every(?: (\d{1,4}))? (minute|hour|day|week)s?")
_NAMED = {"hourly": "every hour", "daily": "every day", "weekly": "every week"}
_DAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_NAMED_DAYS = {"day": "*", "weekday": "1-5", **{day: str(n) for n, day in enumerate(_DAYS)}}
_AT = re.compile(
    rf"(daily|every (?:{'|'.join(_NAMED_DAYS)})s?) at (\d{{1,2}})(?::(\d\d))? ?(am|pm)?"
)
_INTERVAL = re.compile(r"(\d{1,5})([mhd])")
_HELP = (
    "is not understood; write it like “every 30 minutes”, “hourly”, “daily at 9:00” or "
    "“every monday at 9:00”, or give schedule.cron"
)


def schedule_of(text: str) -> str:
    """Return a cron expression, or an interval like 45m that no such expression can state."""
    words = " ".join(text.lower().split())
    if at := _AT.fullmatch(words):
        return _cron_at(at, text)
    every = _EVERY.fullmatch(_NAMED.get(words, words))
    count = int(every[1] or 1) if every else 0
    if every is None or not count:
        raise _unclear(text)
    unit = _UNITS[every[2]]
    if (count, unit) == (1, "w"):
        return "0 0 * * 0"
    interval = f"{count * 7}d" if unit == "w" else f"{count}{unit}"
    return cron_of(interval) or interval


def cron_of(schedule: str) -> str | None:
    """Return a schedule as cron expression; None for an interval that does not fit into one."""
    interval = _INTERVAL.fullmatch(schedule)
    if interval is None:
        return schedule if len(schedule.split()) == 5 else None
    count, unit = int(interval[1]), interval[2]
    if unit == "m" and count and 60 % count == 0:
        return "0 * * * *" if count == 60 else f"*/{count} * * * *"
    if unit == "h" and count and 24 % count == 0:
        return {1: "0 * * * *", 24: "0 0 * * *"}.get(count, f"0 */{count} * * *")
    return "0 0 * * *" if (count, unit) == (1, "d") else None


def _cron_at(at: "re.Match[str]", text: str) -> str:
    hour, minute, half = int(at[2]), int(at[3] or 0), at[4]
    if half and not 1 <= hour <= 12:
        raise _unclear(text)
    hour = hour % 12 + 12 * (half == "pm") if half else hour
    if hour > 23 or minute > 59:
        raise _unclear(text)
    day = "day" if at[1] == "daily" else at[1].removeprefix("every ").removesuffix("s")
    return f"{minute} {hour} * * {_NAMED_DAYS[day]}"


def _unclear(text: str) -> BadInputError:
    return BadInputError(f"schedule.text: {text[:100]!r} {_HELP}")
