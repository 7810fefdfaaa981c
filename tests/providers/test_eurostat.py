"""Eurostat: what is sent, and what becomes of the answers."""

from typing import Any

import pytest

from tests.providers.records_refusals import NoShelf, Refusal, check, playing, refused
from tests.replay import FakeClock, Replay
from webquarry.errors import BadInputError, NotFoundError, PayloadError, WebquarryError
from webquarry.models.records import RecordsFound
from webquarry.models.series import ObservationQuery, SeriesItem, SeriesQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.eurostat import Eurostat

pytestmark = pytest.mark.anyio

BASE = "https://ec.europa.eu/eurostat/api/dissemination"
DATA = f"{BASE}/statistics/1.0/data/hrn_rt_m?format=JSON&lang=EN"
PLAIN = f"{DATA}&lastTimePeriod=10"
HERON = ObservationQuery(series="hrn_rt_m")


def playback(*answers: dict[str, Any]) -> tuple[Upstreams, Replay]:
    replay = Replay([{"origin": "handwritten", "status": 200, **answer} for answer in answers])
    return Upstreams(replay, clock=FakeClock().clock()), replay


def dataset(**changed: Any) -> dict[str, Any]:
    """The values of two years."""
    time = {"category": {"index": {"2019": 0, "2020": 1}}}
    return {
        "version": "2.0", "class": "dataset", "label": "Herons", "id": ["time"], "size": [2],
        "value": {"0": 1, "1": 2}, "dimension": {"time": time},
    } | changed  # fmt: skip


def row(title: str, date: str, value: float, notes: str | None = None) -> SeriesItem:
    return SeriesItem(
        seriesId="hrn_rt_m", title=title, units="Percentage of herons", date=date, value=value,
        notes=notes, source="eurostat",
    )  # fmt: skip


@pytest.mark.recording("eurostat/flagged")
async def test_every_dimension_is_recovered_and_flags_become_notes(upstreams: Upstreams) -> None:
    found = await Eurostat(upstreams, {}).observe(
        ObservationQuery(series="hrn_rt_m", country="DE", count=2), NoShelf()
    )

    assert found == RecordsFound(
        (
            row("Heron rate by sex — Females", "2025-12", 3.0, "status: p (provisional)"),
            row("Heron rate by sex — Males", "2025-12", 0),
        ),
        (
            "All rows: Monthly, Germany.",
            "2 of 4 observations in 2 series; raise num_results or narrow country and dates.",
        ),
    )


@pytest.mark.recording("eurostat/catalogue")
async def test_the_table_of_contents_is_searched_without_its_folders(
    upstreams: Upstreams,
) -> None:
    found = await Eurostat(upstreams, {}).search_series(
        SeriesQuery(text="MONTHLY heron"), NoShelf()
    )

    assert found == RecordsFound(
        (
            SeriesItem(
                seriesId="hrn_rt_m",
                title='Heron "rate" by sex - monthly data',
                lastUpdated="06.02.2026",
                notes="1997-01 to 2025-12",
                source="eurostat",
            ),
        )
    )


async def test_a_window_is_asked_for_generously_and_cut_by_us() -> None:
    url = f"{DATA}&sinceTimePeriod=2019&untilTimePeriod=2020"
    upstreams, replay = playback({"request": {"url": url}, "body": dataset()})

    found = await Eurostat(upstreams, {}).observe(
        ObservationQuery(series="hrn_rt_m", since="2019-05-01", until="2019-07-01"), NoShelf()
    )

    assert [(item.date, item.value) for item in found.items] == [("2019", 1)]
    replay.finish()


async def test_a_country_that_stopped_reporting_is_asked_for_all_it_has() -> None:
    upstreams, replay = playback(
        {"request": {"url": f"{DATA}&geo=UK&lastTimePeriod=10"}, "body": dataset(value={})},
        {"request": {"url": f"{DATA}&geo=UK"}, "body": dataset()},
    )

    found = await Eurostat(upstreams, {}).observe(
        ObservationQuery(series="hrn_rt_m", country="uk"), NoShelf()
    )

    assert [item.date for item in found.items] == ["2020", "2019"]
    replay.finish()


async def test_nothing_is_empty() -> None:
    upstreams, _ = playback({"request": {"url": PLAIN}, "body": dataset(value={})})

    assert await Eurostat(upstreams, {}).observe(HERON, NoShelf()) == RecordsFound()


@pytest.mark.parametrize(
    ("status", "body", "error", "says"),
    [
        (
            404,
            {"error": [{"status": 404, "id": 100, "label": "ERR_NOT_FOUND_4: hrn_rt_m"}]},
            NotFoundError,
            "ERR_NOT_FOUND_4: hrn_rt_m",
        ),
        (
            400,
            {"error": [{"status": 400, "id": 150, "label": "geo has no value XX"}]},
            BadInputError,
            "geo has no value XX",
        ),
        (
            413,
            {"error": [{"status": 413, "label": "EXTRACTION_TOO_BIG"}]},
            BadInputError,
            "EXTRACTION_TOO_BIG. Narrow it with country",
        ),
        (
            200,
            {"warning": [{"status": 413, "label": "ASYNCHRONOUS_RESPONSE"}]},
            BadInputError,
            "ASYNCHRONOUS_RESPONSE. Narrow it with country",
        ),
        (
            200,
            dataset(
                size=[100_001],
                value=[1] * 100_001,
                dimension={"time": {"category": {"index": [str(n) for n in range(100_001)]}}},
            ),
            BadInputError,
            "the table has 100001 values",
        ),
        (200, dataset(size=[3]), PayloadError, "time has 2 categories, not 3"),
    ],
)
async def test_what_the_upstream_refuses_is_told_in_its_words(
    status: int, body: dict[str, Any], error: type[WebquarryError], says: str
) -> None:
    upstreams, _ = playback({"request": {"url": PLAIN}, "status": status, "body": body})

    with pytest.raises(error, match=says):
        await Eurostat(upstreams, {}).observe(HERON, NoShelf())


@pytest.mark.parametrize("text", ["<html>Maintenance</html>", "", "code\ttitle\n"])
async def test_a_table_of_contents_with_other_columns_is_refused(text: str) -> None:
    url = f"{BASE}/catalogue/toc/txt?lang=en"
    upstreams, _ = playback({"request": {"url": url}, "text": text})

    with pytest.raises(PayloadError, match="table of contents"):
        await Eurostat(upstreams, {}).search_series(SeriesQuery(text="heron"), NoShelf())


@refused
async def test_refusals_become_errors(refusal: Refusal) -> None:
    upstreams, replay = playing(refusal, PLAIN, tries=2)

    with pytest.raises(WebquarryError) as caught:
        await Eurostat(upstreams, {}).observe(HERON, NoShelf())

    check(refusal, caught.value, "eurostat")
    replay.finish()
