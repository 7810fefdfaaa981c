"""World Bank: what is sent, and what becomes of the answers."""

from typing import Any

import pytest

from tests.providers.records_refusals import NoShelf, Refusal, check, playing, refused
from tests.replay import FakeClock, Replay
from webquarry.errors import BadInputError, NotFoundError, PayloadError, WebquarryError
from webquarry.models.records import RecordsFound
from webquarry.models.series import ObservationQuery, SeriesItem, SeriesQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.worldbank import WorldBank

pytestmark = pytest.mark.anyio

PLAIN = "https://api.worldbank.org/v2/country/WLD/indicator/HRN?format=json&per_page=10"
HERON = ObservationQuery(series="HRN")


def answering(body: Any, url: str = PLAIN) -> Upstreams:
    exchange = {"origin": "handwritten", "request": {"url": url}, "status": 200, "body": body}
    return Upstreams(Replay([exchange]), clock=FakeClock().clock())


@pytest.mark.recording("worldbank/catalogue")
async def test_the_catalogue_is_read_to_its_end_and_searched_for_all_words(
    upstreams: Upstreams,
) -> None:
    found = await WorldBank(upstreams, {}).search_series(SeriesQuery(text="total heron"), NoShelf())

    assert found == RecordsFound(
        (
            SeriesItem(
                seriesId="HRN.POP.TOTL",
                title="Heron population, total",
                notes="Counted from boats.",
                source="worldbank",
            ),
        )
    )


@pytest.mark.recording("worldbank/latest")
async def test_the_world_is_meant_when_no_country_is_named(upstreams: Upstreams) -> None:
    asked = ObservationQuery(series="HRN.POP.TOTL", count=2)

    found = await WorldBank(upstreams, {}).observe(asked, NoShelf())

    assert found == RecordsFound(
        (
            SeriesItem(seriesId="HRN.POP.TOTL", date="2025", source="worldbank"),
            SeriesItem(
                seriesId="HRN.POP.TOTL",
                date="2024",
                value=2817414584665.11,
                notes="status: E",
                source="worldbank",
            ),
        ),
        ("2 of 66 observations.",),
    )


@pytest.mark.recording("worldbank/several")
async def test_several_countries_are_named_and_run_forward_from_the_start(
    upstreams: Upstreams,
) -> None:
    asked = ObservationQuery(
        series="HRN.POP.TOTL", country="FR;IT", since="2020-05-01", until="2022", count=3
    )

    found = await WorldBank(upstreams, {}).observe(asked, NoShelf())

    assert [(item.title, item.date, item.value) for item in found.items] == [
        ("France", "2021", 2),
        ("Italy", "2021", 5),
        ("France", "2022", 3),
    ]
    assert found.notes == ("3 of 4 observations.",)


async def test_one_end_of_a_window_is_cut_by_us() -> None:
    url = PLAIN.replace("per_page=10", "per_page=20000")
    rows = [{"date": year, "value": int(year)} for year in ("2023", "2022", "2021")]
    upstreams = answering([{"page": 1, "pages": 1, "total": 3}, rows], url)

    found = await WorldBank(upstreams, {}).observe(
        ObservationQuery(series="HRN", until="2022-03-01"), NoShelf()
    )

    assert [item.date for item in found.items] == ["2022", "2021"]


@pytest.mark.parametrize("rows", [[], None])
async def test_nothing_is_empty(rows: list[Any] | None) -> None:
    upstreams = answering([{"page": 0, "pages": 0, "per_page": 0, "total": 0}, rows])

    assert await WorldBank(upstreams, {}).observe(HERON, NoShelf()) == RecordsFound()


@pytest.mark.parametrize(
    ("number", "error"), [("120", NotFoundError), ("175", NotFoundError), ("150", BadInputError)]
)
async def test_an_error_with_status_200_is_an_error(
    number: str, error: type[WebquarryError]
) -> None:
    message = {"id": number, "key": "Invalid value", "value": "The value is not valid"}

    with pytest.raises(error, match=r"worldbank\): Invalid value: The value is not valid"):
        await WorldBank(answering([{"message": [message]}]), {}).observe(HERON, NoShelf())


async def test_an_answer_without_a_head_is_refused() -> None:
    with pytest.raises(PayloadError, match="no head"):
        await WorldBank(answering([]), {}).observe(HERON, NoShelf())


@refused
async def test_refusals_become_errors(refusal: Refusal) -> None:
    upstreams, replay = playing(refusal, PLAIN)

    with pytest.raises(WebquarryError) as caught:
        await WorldBank(upstreams, {}).observe(HERON, NoShelf())

    check(refusal, caught.value, "worldbank")
    replay.finish()
