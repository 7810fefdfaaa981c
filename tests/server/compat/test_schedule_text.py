"""Schedules in words become cron expressions, or intervals where none can state them."""

import pytest

from webquarry.errors import BadInputError
from webquarry.server.compat.firecrawl.schedule_text import cron_of, schedule_of


@pytest.mark.parametrize(
    ("text", "schedule"),
    [
        ("every 30 minutes", "*/30 * * * *"),
        ("Every  45 minutes", "45m"),
        ("hourly", "0 * * * *"),
        ("every 6 hours", "0 */6 * * *"),
        ("every 5 hours", "5h"),
        ("daily", "0 0 * * *"),
        ("every 3 days", "3d"),
        ("weekly", "0 0 * * 0"),
        ("every 2 weeks", "14d"),
        ("daily at 9:00", "0 9 * * *"),
        ("every day at 12am", "0 0 * * *"),
        ("every monday at 9:30 pm", "30 21 * * 1"),
        ("every weekday at 8", "0 8 * * 1-5"),
    ],
)
def test_words_are_understood(text: str, schedule: str) -> None:
    assert schedule_of(text) == schedule


@pytest.mark.parametrize(
    "text",
    ["", "now and then", "every 0 minutes", "daily at 25:00", "daily at 9:70", "daily at 13pm"],
)
def test_other_words_are_refused_with_examples(text: str) -> None:
    with pytest.raises(BadInputError, match="is not understood; write it like “every 30 minutes”"):
        schedule_of(text)


@pytest.mark.parametrize(
    ("schedule", "cron"),
    [
        ("0 9 * * 1-5", "0 9 * * 1-5"),
        ("60m", "0 * * * *"),
        ("1d", "0 0 * * *"),
        ("90m", None),
        ("7h", None),
        ("0m", None),
        ("1h30m", None),
    ],
)
def test_only_intervals_that_fit_are_shown_as_cron(schedule: str, cron: str | None) -> None:
    assert cron_of(schedule) == cron
