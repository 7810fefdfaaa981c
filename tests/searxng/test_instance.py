from dataclasses import replace

import pytest

from webquarry.searxng.instance import Instance

NOW = 1000.0
WHOLE = Instance(url="https://a.example", grade="A")


def test_failures_in_a_row_double_the_pause_up_to_an_hour() -> None:
    instance, pauses = WHOLE, list[float]()
    for _ in range(8):
        instance = instance.after_failure(NOW, "down", 60)
        pauses.append((instance.paused_until or 0) - NOW)

    assert pauses == [60, 120, 240, 480, 960, 1920, 3600, 3600]


def test_three_failures_are_a_blacklisting_that_says_why() -> None:
    instance = WHOLE
    for _ in range(3):
        instance = instance.after_failure(NOW, "down", 60)

    assert (
        instance.unavailable_reason(NOW, 3)
        == "blacklisted for 240 s more after 3 failure(s) in a row: down"
    )
    assert instance.unavailable_reason(NOW, 4).startswith("backing off for 240 s more")
    assert instance.unavailable_reason(NOW + 240, 3) == ""


def test_retry_after_is_respected_and_a_silent_limit_doubles() -> None:
    told = WHOLE.after_rate_limit(NOW, 17, 60)
    silent = WHOLE.after_rate_limit(NOW, None, 60)

    assert told.rate_limited_until == NOW + 17
    assert told.unavailable_reason(NOW + 10, 3) == "rate limited for 7 s more"
    assert silent.rate_limited_until == NOW + 60
    assert silent.after_rate_limit(NOW, None, 60).rate_limited_until == NOW + 120
    assert WHOLE.after_rate_limit(NOW, 10**9, 60).rate_limited_until == NOW + 86_400


def test_an_answer_clears_everything_held_against_it() -> None:
    bad = WHOLE.after_failure(NOW, "down", 60, unreachable=True).after_rate_limit(NOW, 5, 60)

    assert bad.after_success(NOW + 9, 250) == Instance(
        url=WHOLE.url,
        grade="A",
        response_time=250,
        measured_at=NOW + 9,
        last_checked=NOW + 9,
        answers=1,
        failures=2,
    )


def test_response_times_are_smoothed() -> None:
    assert WHOLE.after_success(NOW, 1000).after_success(NOW, 100).response_time == 730


def test_a_cancelled_search_changes_the_response_time_and_nothing_else() -> None:
    bad = WHOLE.after_success(NOW, 100).after_failure(NOW, "down", 60)

    assert bad.after_cancellation(NOW + 5, 400) == replace(
        bad, response_time=800, measured_at=NOW + 5
    )
    assert bad.after_cancellation(NOW + 5, 10).response_time == 100


def test_an_old_measurement_does_not_count() -> None:
    measured = WHOLE.after_success(NOW, 100)

    assert measured.recent_response_time(NOW + 599) == 100
    assert measured.recent_response_time(NOW + 600) is None
    listed = replace(WHOLE, response_time=400)  # by the catalogue
    assert listed.recent_response_time(NOW + 600) == 400


def test_a_passed_check_ends_the_pause_but_not_a_rate_limit() -> None:
    bad = WHOLE.after_failure(NOW, "down", 60, unreachable=True).after_rate_limit(NOW, 500, 60)
    reached = bad.after_health_check(NOW + 1)

    assert (reached.paused_until, reached.unreachable) == (None, False)
    assert reached.consecutive_failures == 1
    assert reached.unavailable_reason(NOW + 1, 3) == "rate limited for 499 s more"


@pytest.mark.parametrize(
    ("grade", "uptime", "tier"),
    [("own", None, 0), ("A+", 50, 1), ("A", 99.0, 2), ("A", None, 2), ("A", 94.9, 3), ("B", 100, 3),
     ("C", 100, 4), ("", None, 4)],
)  # fmt: skip
def test_preference_follows_the_grade_and_the_uptime(
    grade: str, uptime: float | None, tier: int
) -> None:
    assert Instance(url="u", grade=grade, uptime=uptime).preference == tier


def test_json_that_is_off_is_tried_again_later() -> None:
    instance = WHOLE.without_json(NOW, 86_400)

    assert not instance.offers_json(NOW + 86_399)
    assert instance.offers_json(NOW + 86_400)


def test_a_record_restores_the_instance_and_ignores_what_it_does_not_know() -> None:
    bad = WHOLE.after_failure(NOW, "down", 60)

    assert Instance.restore(bad.record() | {"added_later": 1}) == bad
    with pytest.raises(TypeError):
        Instance.restore({"grade": "A"})
    with pytest.raises(TypeError):
        Instance.restore({"url": ["x"]})
