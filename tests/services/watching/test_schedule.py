"""Intervals and cron expressions: the next run, quiet hours, jitter, retries, wrong input."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from webquarry.errors import BadInputError
from webquarry.models.monitor import MonitorSchedule
from webquarry.services.watching.schedule import Planned, RunTimes

HOUR, DAY = 3600.0, 86_400.0
START = 1_700_000_000.0  # 2023-11-14 22:13:20 UTC


def never() -> float:
    return 0.0


def times(every: str, **options: object) -> RunTimes:
    return RunTimes(MonitorSchedule.model_validate({"every": every, **options}))


def local(text: str, zone: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


def test_the_first_run_is_at_once() -> None:
    assert times("1h").first(START) == Planned(START, START)


@pytest.mark.parametrize(
    ("every", "seconds"), [("30m", 1800), ("6h", 6 * HOUR), ("1d12h", 1.5 * DAY), ("90s", 90)]
)
def test_an_interval_counts_from_the_slot_not_from_the_end_of_the_check(
    every: str, seconds: float
) -> None:
    following = times(every).after(START, START + 17, never)

    assert following == Planned(START + seconds, START + seconds)


def test_runs_that_were_missed_are_made_up_once() -> None:
    # the run that was due at START starts ten hours late; the next one is in the future
    following = times("1h").after(START, START + 10 * HOUR + 5, never)

    assert following.slot == START + 11 * HOUR


def test_a_check_outside_the_schedule_replaces_no_run() -> None:
    following = times("1d").after(START + DAY, START + 60, never)

    assert following.slot == START + DAY


def test_cron_follows_the_time_zone_over_the_change_to_summer_time() -> None:
    schedule = times("30 9 * * *", timezone="Europe/Berlin")
    saturday = local("2024-03-30 09:30", "Europe/Berlin")

    sunday = schedule.after(saturday, saturday + 1, never).slot

    assert sunday == local("2024-03-31 09:30", "Europe/Berlin")
    assert sunday - saturday == 23 * HOUR


def test_cron_on_working_days_leaves_out_the_weekend() -> None:
    schedule = times("0 9 * * 1-5", timezone="America/New_York")
    friday = local("2024-05-03 09:00", "America/New_York")

    assert schedule.after(friday, friday + 1, never).slot == local(
        "2024-05-06 09:00", "America/New_York"
    )


def test_a_run_in_the_quiet_hours_starts_when_they_end() -> None:
    schedule = times("1h", timezone="Europe/Berlin", quiet="22:00-07:00")
    evening = local("2024-01-10 21:30", "Europe/Berlin")

    following = schedule.after(evening, evening + 1, never)

    assert following.slot == evening + HOUR
    assert following.due == local("2024-01-11 07:00", "Europe/Berlin")


def test_quiet_hours_within_a_day_end_on_that_day() -> None:
    schedule = times("1h", quiet="12:00-14:00")
    noon = local("2024-01-10 11:30", "UTC")

    assert schedule.after(noon, noon, never).due == local("2024-01-10 14:00", "UTC")


def test_jitter_delays_the_start_and_leaves_the_schedule() -> None:
    following = times("1h", jitter=600.0).after(START, START + 1, lambda: 0.5)

    assert following == Planned(START + HOUR, START + HOUR + 300)


def test_a_failed_check_is_repeated_sooner_and_then_ever_later() -> None:
    schedule = times("1d")
    planned = Planned(START + DAY, START + DAY)

    pauses = [schedule.retry(planned, START, failures, None).due - START for failures in (1, 2, 9)]

    assert pauses == [300, 600, 6 * HOUR]
    assert schedule.retry(planned, START, 1, None).slot == START + DAY


def test_a_failed_check_is_not_repeated_before_the_site_allows_it() -> None:
    planned = Planned(START + HOUR, START + HOUR)

    assert times("1h").retry(planned, START, 1, 2 * HOUR).due == START + 2 * HOUR


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"every": "soon"}, "schedule: 'soon' is neither an interval like 30m"),
        ({"every": "61 * * * *"}, "schedule: '61 \\* \\* \\* \\*' is neither"),
        ({"every": "0 0 31 2 *"}, "schedule: '0 0 31 2 \\*' is neither"),
        ({"every": "* * * * * *"}, "is neither"),
        ({"every": "1m"}, "schedule: '1m' is more often than every 300 seconds"),
        ({"every": "*/2 * * * *"}, "is more often than every 300 seconds"),
        ({"every": "1h", "timezone": "Berlin"}, "timezone: 'Berlin' is no IANA time zone"),
        ({"every": "1h", "timezone": "../etc/passwd"}, "timezone: .* is no IANA time zone"),
        ({"every": "1h", "quiet": "night"}, "quiet: 'night' must be like 22:00-07:00"),
        ({"every": "1h", "quiet": "07:00-07:00"}, "quiet: .* leaves no time"),
        ({"every": "1h", "jitter": -1.0}, "jitter: must be from 0 to 86400"),
    ],
)
def test_a_wrong_schedule_is_refused_with_its_field(
    options: dict[str, object], message: str
) -> None:
    schedule = RunTimes(MonitorSchedule.model_validate(options))

    with pytest.raises(BadInputError, match=message):
        schedule.check(300.0, START)


def test_a_usable_schedule_is_accepted() -> None:
    times("*/5 * * * *", timezone="Asia/Kolkata", quiet="22:00-24:00").check(300.0, START)
