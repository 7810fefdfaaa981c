"""OECD: what is sent, and what becomes of the answers."""

from typing import Any

import pytest

from tests.providers.records_refusals import NoShelf, Refusal, check, playing, refused
from tests.replay import FakeClock, Replay
from webquarry.errors import BadInputError, NotFoundError, PayloadError, WebquarryError
from webquarry.models.records import RecordsFound
from webquarry.models.series import ObservationQuery, SeriesItem, SeriesQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.oecd import Oecd

pytestmark = pytest.mark.anyio

REF = "OECD.BRD,DSD_HRN@DF_HRN,1.1"
BASE = "https://sdmx.oecd.org/public/rest"
ALL = f"{BASE}/data/{REF}/all"
STRUCTURE = f"{BASE}/dataflow/OECD.BRD/DSD_HRN@DF_HRN/1.1?references=datastructure"
PLAIN = f"{ALL}?dimensionAtObservation=TIME_PERIOD&lastNObservations=10"
HERON = ObservationQuery(series=REF)
EMPTY: dict[str, Any] = {"data": {"dataSets": [], "structures": []}}


def playback(*answers: dict[str, Any]) -> tuple[Upstreams, Replay]:
    replay = Replay([{"origin": "handwritten", "status": 200, **answer} for answer in answers])
    return Upstreams(replay, clock=FakeClock().clock()), replay


def row(title: str, date: str, value: float, notes: str | None = None) -> SeriesItem:
    return SeriesItem(
        seriesId=REF, title=title, units="Thousands", date=date, value=value, notes=notes,
        source="oecd",
    )  # fmt: skip


@pytest.mark.recording("oecd/scoped")
async def test_a_country_goes_into_its_place_of_the_key(upstreams: Upstreams) -> None:
    found = await Oecd(upstreams, {}).observe(
        ObservationQuery(series=REF, country="fra", count=2), NoShelf()
    )

    assert found == RecordsFound(
        (
            row("Herons — Male", "2025-Q1", 10.5),
            row("Herons — Female", "2025-Q1", 20, "status: P (Provisional value)"),
        ),
        (
            "All rows: Quarterly, France.",
            "2 of 3 observations in 2 series; raise num_results or narrow country and dates.",
        ),
    )


@pytest.mark.recording("oecd/catalogue")
async def test_data_sets_are_found_by_the_words_of_their_names(upstreams: Upstreams) -> None:
    found = await Oecd(upstreams, {}).search_series(SeriesQuery(text="catch eels"), NoShelf())

    assert found == RecordsFound(
        (
            SeriesItem(
                seriesId="OECD.FSH,DSD_EEL@DF_EEL,1.0",
                title="Eels, quarterly catch",
                source="oecd",
            ),
        )
    )


@pytest.mark.parametrize(
    ("since", "until", "sent"),
    [
        ("2020", None, "startPeriod=2020&dimensionAtObservation=TIME_PERIOD&firstNObservations=10"),
        (None, "2021", "endPeriod=2021&dimensionAtObservation=TIME_PERIOD&lastNObservations=10"),
        (
            "2020-05-01",
            "2021-06",
            "startPeriod=2020&endPeriod=2021&dimensionAtObservation=TIME_PERIOD"
            "&firstNObservations=376",
        ),
    ],
)
async def test_whole_years_are_asked_for_and_enough_to_cut_them(
    since: str | None, until: str | None, sent: str
) -> None:
    upstreams, replay = playback({"request": {"url": f"{ALL}?{sent}"}, "body": EMPTY})

    await Oecd(upstreams, {}).observe(
        ObservationQuery(series=REF, since=since, until=until), NoShelf()
    )

    replay.finish()


async def test_a_data_set_without_areas_says_that_the_country_does_not_apply() -> None:
    dimensions = {"dimensions": [{"id": "FREQ", "position": 0}]}
    structure = {"dataStructureComponents": {"dimensionList": dimensions}}
    upstreams, replay = playback(
        {"request": {"url": STRUCTURE}, "body": {"data": {"dataStructures": [structure]}}},
        {"request": {"url": PLAIN}, "body": EMPTY},
    )

    found = await Oecd(upstreams, {}).observe(
        ObservationQuery(series=REF, country="FRA"), NoShelf()
    )

    assert found == RecordsFound((), ("country does not apply: this data set has no areas.",))
    replay.finish()


async def test_where_a_window_per_series_is_forbidden_the_dates_alone_are_asked_for() -> None:
    dates = f"{ALL}?startPeriod=2020&dimensionAtObservation=TIME_PERIOD"
    upstreams, replay = playback(
        {"request": {"url": f"{dates}&firstNObservations=10"}, "status": 413, "text": "too large"},
        {"request": {"url": dates}, "body": EMPTY},
    )

    assert (
        await Oecd(upstreams, {}).observe(ObservationQuery(series=REF, since="2020"), NoShelf())
        == RecordsFound()
    )
    replay.finish()


async def test_a_data_set_too_large_without_dates_says_what_to_narrow() -> None:
    upstreams, _ = playback({"request": {"url": PLAIN}, "status": 413, "text": "too large"})

    with pytest.raises(BadInputError, match="Name a country and a short span from date_from"):
        await Oecd(upstreams, {}).observe(HERON, NoShelf())


async def test_no_records_is_empty() -> None:
    upstreams, _ = playback({"request": {"url": PLAIN}, "status": 404, "text": "NoRecordsFound"})

    assert await Oecd(upstreams, {}).observe(HERON, NoShelf()) == RecordsFound()


async def test_an_unknown_data_set_is_not_found() -> None:
    upstreams, _ = playback({"request": {"url": STRUCTURE}, "body": {"data": {}}})

    with pytest.raises(NotFoundError, match="has no structure"):
        await Oecd(upstreams, {}).observe(ObservationQuery(series=REF, country="FRA"), NoShelf())


@pytest.mark.parametrize("series", ["UNRATE", "a,b/../c,1", "a,b?x=1,2", "a,b,c,d"])
async def test_what_is_no_data_set_never_becomes_a_path(series: str) -> None:
    upstreams, _ = playback()

    with pytest.raises(BadInputError, match="agency,dataflow,version"):
        await Oecd(upstreams, {}).observe(ObservationQuery(series=series), NoShelf())


async def test_what_is_no_country_never_becomes_a_key() -> None:
    upstreams, _ = playback()

    with pytest.raises(BadInputError, match="a code like USA"):
        await Oecd(upstreams, {}).observe(
            ObservationQuery(series=REF, country="FRA/../x"), NoShelf()
        )


async def test_a_table_that_contradicts_itself_is_refused() -> None:
    broken: dict[str, Any] = {
        "data": {"dataSets": [{"observations": {"0:0": [1]}}], "structures": [{}]}
    }
    upstreams, _ = playback({"request": {"url": PLAIN}, "body": broken})

    with pytest.raises(PayloadError, match="does not have 0 dimensions"):
        await Oecd(upstreams, {}).observe(HERON, NoShelf())


async def test_a_table_too_large_to_look_through_says_what_to_narrow() -> None:
    years = [{"id": str(year)} for year in range(100_001)]
    rows = {str(at): [1] for at in range(100_001)}
    huge = {
        "data": {
            "structures": [
                {"dimensions": {"observation": [{"id": "TIME_PERIOD", "values": years}]}}
            ],
            "dataSets": [{"observations": rows}],
        }
    }
    upstreams, _ = playback({"request": {"url": PLAIN}, "body": huge})

    with pytest.raises(BadInputError, match="has 100001 values; the limit is 100000"):
        await Oecd(upstreams, {}).observe(HERON, NoShelf())


@refused
async def test_refusals_become_errors(refusal: Refusal) -> None:
    upstreams, replay = playing(refusal, PLAIN, tries=2)

    with pytest.raises(WebquarryError) as caught:
        await Oecd(upstreams, {}).observe(HERON, NoShelf())

    check(refusal, caught.value, "oecd")
    replay.finish()
