import pytest

from webquarry.searxng.latency import LatencyWindow, RequestTimer


@pytest.mark.parametrize(
    ("samples", "known", "seconds"),
    [
        ([], [], 1.0),
        ([], [700], 0.7),
        ([600], [800], 0.8),
        ([400] * 8 + [600, 900], [2000], 0.6),
        ([400] * 5, [2000], 0.4),  # enough samples: averages do not count
        ([10] * 5, [], 0.25),
        ([9000] * 5, [], 3.0),
        ([9000] * 5 + [500] * 100, [], 0.5),  # only the latest count
    ],
)
def test_the_wait_is_the_90th_percentile_within_bounds(
    samples: list[int], known: list[int], seconds: float
) -> None:
    window = LatencyWindow()
    for sample in samples:
        window.record(sample)

    assert window.hedge_seconds(known) == seconds


def test_a_request_that_was_not_sent_took_no_time() -> None:
    assert RequestTimer().milliseconds(7.0) == 0
    assert RequestTimer(sent_at=5.0).milliseconds(7.0) == 2000
