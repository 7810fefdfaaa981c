"""FRED: what is sent, and what becomes of the answers."""

from typing import Any

import pytest

from tests.providers.records_refusals import NoShelf, Refusal, check, playing, refused
from tests.replay import FakeClock, Replay
from webquarry.errors import AccessError, BadInputError, NotFoundError, WebquarryError
from webquarry.models.records import RecordsFound
from webquarry.models.series import ObservationQuery, SeriesItem, SeriesQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.fred import Fred

pytestmark = pytest.mark.anyio

KEYS = {"FRED_API_KEY": "k3y"}
PLAIN = (
    "https://api.stlouisfed.org/fred/series/observations?api_key=k3y&file_type=json"
    "&series_id=HERON&sort_order=desc&limit=10"
)
HERON = ObservationQuery(series="HERON")


def seen(date: str, value: str | None) -> SeriesItem:
    return SeriesItem(seriesId="HERON", date=date, value=value, source="fred")


@pytest.mark.recording("fred/search")
async def test_series_are_found_by_keyword(upstreams: Upstreams) -> None:
    found = await Fred(upstreams, KEYS).search_series(
        SeriesQuery(text="heron rate", count=2), NoShelf()
    )

    assert found == RecordsFound(
        (
            SeriesItem(
                seriesId="HERON",
                title="Heron Rate",
                units="Percent",
                frequency="Monthly",
                lastUpdated="2026-01-09 07:46:03-06",
                notes="Seasonally Adjusted; 1950-01-01 to 2025-12-01; Counted at dawn.",
                source="fred",
            ),
            SeriesItem(seriesId="HERONNSA", title="Heron Rate", source="fred"),
        ),
        ("2 of 40 series.",),
    )


@pytest.mark.recording("fred/observations")
async def test_the_latest_observations_come_as_they_were_written(upstreams: Upstreams) -> None:
    asked = ObservationQuery(series="heron", country="US", count=4)

    found = await Fred(upstreams, KEYS).observe(asked, NoShelf())

    assert found == RecordsFound(
        (
            seen("2025-12-01", "4.10"),
            seen("2025-11-01", None),
            seen("2025-10-01", "27811517000000"),
            seen("2025-09-01", "0.12345678901234567891"),
        ),
        ("4 of 912 observations.", "country does not apply to fred."),
    )


@pytest.mark.recording("fred/transformed")
async def test_a_window_with_a_start_runs_forward(upstreams: Upstreams) -> None:
    asked = ObservationQuery(
        series="HERON", since="2020", until="2021-06", frequency="q", units="pch"
    )

    found = await Fred(upstreams, KEYS).observe(asked, NoShelf())

    assert found == RecordsFound((seen("2020-01-01", "-0.25"), seen("2020-04-01", "0")))


@pytest.mark.parametrize(
    ("said", "error", "shown"),
    [
        ("Bad Request.  The series does not exist.", NotFoundError, "does not exist"),
        (
            "Bad Request.  The value for variable api_key (k3y) is not registered.",
            AccessError,
            "Check FRED_API_KEY",
        ),
        (
            "Bad Request.  Value of frequency is not one of: 'd', 'w'.",
            BadInputError,
            "Value of frequency is not one of",
        ),
    ],
)
async def test_a_400_is_sorted_out(said: str, error: type[WebquarryError], shown: str) -> None:
    body = {"error_code": 400, "error_message": said}
    replay = Replay(
        [{"origin": "handwritten", "request": {"url": PLAIN}, "status": 400, "body": body}]
    )

    with pytest.raises(error, match=shown) as caught:
        await Fred(Upstreams(replay), KEYS).observe(HERON, NoShelf())

    assert "k3y" not in str(caught.value)


async def test_nothing_is_empty() -> None:
    body: dict[str, Any] = {"count": 0, "observations": []}
    replay = Replay(
        [{"origin": "handwritten", "request": {"url": PLAIN}, "status": 200, "body": body}]
    )

    upstreams = Upstreams(replay, clock=FakeClock().clock())

    assert await Fred(upstreams, KEYS).observe(HERON, NoShelf()) == RecordsFound()


@refused
async def test_refusals_become_errors_without_the_key(refusal: Refusal) -> None:
    upstreams, replay = playing(refusal, PLAIN)

    with pytest.raises(WebquarryError) as caught:
        await Fred(upstreams, KEYS).observe(HERON, NoShelf())

    check(refusal, caught.value, "fred")
    assert "k3y" not in str(caught.value)
    replay.finish()
