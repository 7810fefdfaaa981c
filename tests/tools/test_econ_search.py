"""`econ_search`: what a client sees."""

import base64
import time
from typing import Any, ClassVar

import pytest

from tests.replay import FakeClock, Replay
from tests.support import CallHarness, override, services
from webquarry.errors import NetworkError, NotFoundError
from webquarry.models.records import RecordsFound
from webquarry.models.result import ImageBlock
from webquarry.models.series import ObservationQuery, SeriesItem, SeriesQuery
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_records import CatalogCache
from webquarry.providers.fred import Fred
from webquarry.providers.provider import Keys, ProviderInfo
from webquarry.providers.worldbank import WorldBank
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.storage.memory_store import MemoryStore
from webquarry.tools.econ_search import econ_search

pytestmark = pytest.mark.anyio

CATALOGUE = "https://api.worldbank.org/v2/indicator?source=2&format=json&per_page=1000&page=1"
SERIES = SeriesItem(seriesId="HRN", title="Herons", source="x")
OBSERVED = (
    SeriesItem(seriesId="HRN", date="2021", value=0, source="x"),
    SeriesItem(seriesId="HRN", date="2020", source="x"),
    SeriesItem(seriesId="HRN", date="2019", value=2.5, source="x"),
)


class Office:
    """A statistical office that remembers what it was asked."""

    about: ClassVar[ProviderInfo] = WorldBank.about
    default_country: ClassVar[str | None] = "WLD"

    def __init__(self, upstreams: Upstreams | None = None, keys: Keys | None = None) -> None:
        self.asked: list[SeriesQuery | ObservationQuery] = []
        self.found: RecordsFound[SeriesItem] | None = None
        self.fails: Exception | None = None

    async def search_series(
        self, query: SeriesQuery, shelf: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        return self._answer(query, RecordsFound((SERIES,), ("1 of 8 matches.",)))

    async def observe(
        self, query: ObservationQuery, shelf: CatalogCache
    ) -> RecordsFound[SeriesItem]:
        return self._answer(query, RecordsFound(OBSERVED))

    def _answer(
        self, query: SeriesQuery | ObservationQuery, usual: RecordsFound[SeriesItem]
    ) -> RecordsFound[SeriesItem]:
        self.asked.append(query)
        if self.fails:
            raise self.fails
        return usual if self.found is None else self.found


class American(Office):
    """One that knows one country."""

    about: ClassVar[ProviderInfo] = Fred.about
    default_country: ClassVar[str | None] = None


@pytest.fixture
def office() -> Office:
    return Office()


@pytest.fixture
def desk(office: Office) -> CallHarness:
    return CallHarness((econ_search,), services=services(office))


async def test_keywords_find_series(desk: CallHarness, office: Office) -> None:
    result = await desk.call("econ_search", {"query": "herons"})

    assert office.asked == [SeriesQuery(text="herons", count=5)]
    assert result.structured == {
        "query": "herons",
        "resultCount": 1,
        "provider": "worldbank",
        "note": "1 of 8 matches.",
        "trust": "untrusted-external-content",
        "mode": "series",
        "results": [{"seriesId": "HRN", "title": "Herons", "source": "x"}],
    }


async def test_a_series_gives_observations_and_a_missing_one_has_no_value(
    desk: CallHarness, office: Office
) -> None:
    result = await desk.call("econ_search", {"series_id": "HRN"})

    assert office.asked == [ObservationQuery(series="HRN", count=10)]
    assert result.structured == {
        "resultCount": 3,
        "provider": "worldbank",
        "trust": "untrusted-external-content",
        "mode": "observations",
        "seriesId": "HRN",
        "country": "WLD",
        "results": [
            {"seriesId": "HRN", "date": "2021", "value": 0, "source": "x"},
            {"seriesId": "HRN", "date": "2020", "source": "x"},
            {"seriesId": "HRN", "date": "2019", "value": 2.5, "source": "x"},
        ],
    }


async def test_every_argument_reaches_the_provider() -> None:
    office = American()
    desk = CallHarness((econ_search,), services=services(office))

    result = await desk.call(
        "econ_search",
        {"series_id": "HRN", "country": "US", "date_from": "2019", "date_to": "2021-06-30",
         "frequency": "q", "units": "pch", "num_results": 200, "provider": "fred"},
    )  # fmt: skip

    assert office.asked == [
        ObservationQuery(
            series="HRN", country="US", since="2019", until="2021-06-30", frequency="q",
            units="pch", count=200,
        )
    ]  # fmt: skip
    assert result.structured is not None
    assert "note" not in result.structured


async def test_arguments_without_effect_are_named(desk: CallHarness) -> None:
    observed = await desk.call("econ_search", {"series_id": "HRN", "units": "pch"})
    found = await desk.call("econ_search", {"query": "x", "date_from": "2020", "chart": True})

    assert observed.structured is not None
    assert found.structured is not None
    assert observed.structured["note"] == "Without effect for worldbank: units."
    assert found.structured["note"] == (
        "1 of 8 matches. Without effect in a keyword search: date_from, chart."
    )


async def test_the_first_configured_provider_answers_and_a_named_one_exclusively() -> None:
    first, second = American(), Office()
    desk = CallHarness((econ_search,), services=services(first, second))
    second.found = RecordsFound()

    unnamed = await desk.call("econ_search", {"query": "herons"})
    named = await desk.call("econ_search", {"query": "herons", "provider": "worldbank"})

    assert unnamed.structured is not None
    assert named.structured is not None
    assert (unnamed.structured["provider"], len(first.asked)) == ("fred", 1)
    assert named.structured["provider"] == "worldbank"
    assert named.structured["hints"]["suggestedActions"] == [
        {"action": "try_different_provider", "target": "fred"},
        {"action": "rephrase_query"},
    ]


async def test_an_unknown_series_is_nothing_found_in_the_upstreams_words(
    desk: CallHarness, office: Office
) -> None:
    office.fails = NotFoundError("Not found (worldbank): no such indicator.")

    result = await desk.call("econ_search", {"series_id": "NO.PE", "country": "FR"})

    assert result.structured is not None
    assert result.structured["results"] == []
    assert result.structured["note"] == "Not found (worldbank): no such indicator."
    assert result.structured["hints"]["filtersApplied"] == ["country"]


async def test_a_provider_without_its_key_says_which_one_it_needs() -> None:
    office = Office()
    known = ProviderDirectory((office,), (Office, American))
    desk = CallHarness((econ_search,), services=override(services(office), providers=known))

    result = await desk.call("econ_search", {"query": "x", "provider": "fred"})

    assert result.problem is not None
    assert result.problem.message == (
        "Provider 'fred' is not configured: set FRED_API_KEY (see .env.example)."
    )
    assert result.problem.block["kind"] == "config"


async def test_a_chart_comes_beside_the_numbers_also_from_the_cache(
    desk: CallHarness, office: Office
) -> None:
    plain = await desk.call("econ_search", {"series_id": "HRN"})
    charted = [
        await desk.call("econ_search", {"series_id": "HRN", "chart": True}) for _ in range(2)
    ]

    assert len(office.asked) == 2
    for result in charted:
        text, image = result.content
        assert (text, result.structured) == (plain.content[0], plain.structured)
        assert isinstance(image, ImageBlock)
        assert base64.b64decode(image.data).startswith(b"\x89PNG")


async def test_nothing_to_chart_is_said(desk: CallHarness, office: Office) -> None:
    office.found = RecordsFound((SeriesItem(seriesId="HRN", date="2020", source="x"),))

    result = await desk.call("econ_search", {"series_id": "HRN", "chart": True})

    assert result.structured is not None
    assert len(result.content) == 1
    assert result.structured["note"] == ("No chart: no observation has both a date and a number.")


async def test_results_are_kept_for_six_hours_and_nothing_is_not(
    desk: CallHarness, office: Office
) -> None:
    await desk.call("econ_search", {"series_id": "HRN"})
    last = await desk.call("econ_search", {"series_id": "HRN"})
    office.found = RecordsFound()
    for _ in range(2):
        await desk.call("econ_search", {"series_id": "EEL"})

    assert len(office.asked) == 3
    assert (last.meta["cached"], last.meta["maxAgeSeconds"]) == (True, 6 * 3600)


async def test_an_old_catalogue_serves_when_the_upstream_is_away_and_that_is_said() -> None:
    three_days_ago = time.time() - 3 * 86_400
    store = MemoryStore(clock=lambda: three_days_ago)
    catalogue = [{"origin": "handwritten", "status": 200, "body": [{"pages": 1}, [
        {"id": "HRN", "name": "Herons"}]], "request": {"url": CATALOGUE}}]  # fmt: skip
    away = [{"origin": "handwritten", "request": {"url": CATALOGUE}, "fails": "timed out"}] * 3
    replay = Replay(catalogue + away)
    bank = WorldBank(Upstreams(replay, clock=FakeClock().clock()), {})
    desk = CallHarness((econ_search,), services=override(services(bank), store=store))

    results = [await desk.call("econ_search", {"query": word}) for word in ("herons", "heron")]

    fresh, stale = (result.structured or {} for result in results)
    assert fresh["results"] == stale["results"]
    assert "note" not in fresh
    assert stale["note"].startswith("The catalogue is 3 days old, because refreshing it failed:")
    replay.finish()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({}, "econ_search: give query or series_id"),
        (
            {"query": "x", "date_from": "last year"},
            "econ_search: date_from: must be a day like 2024-01-31, a month like 2024-01 or a year",
        ),
        (
            {"series_id": "x", "date_from": "2021", "date_to": "2020"},
            "econ_search: date_from 2021 is after date_to 2020",
        ),
        (
            {"query": "x", "num_results": 201},
            "econ_search: num_results: must be at most 200, got 201",
        ),
    ],
)
async def test_wrong_arguments_are_explained(
    desk: CallHarness, arguments: dict[str, Any], complaint: str
) -> None:
    result = await desk.call("econ_search", arguments)

    assert result.problem is not None
    assert result.problem.message == complaint


@pytest.mark.parametrize("series", ["UNRATE", "unrate"])
async def test_a_series_of_fred_names_the_key_that_would_answer(
    office: Office, series: str
) -> None:
    office.fails = NotFoundError("Not found (worldbank): no such indicator.")
    made = services(office)  # pyright: ignore[reportArgumentType]

    result = await CallHarness((econ_search,), services=made).call(
        "econ_search", {"series_id": series}
    )

    assert result.problem is not None
    assert result.problem.message == (
        f"{series} is unknown to worldbank; it looks like a FRED series: set FRED_API_KEY "
        "(free, https://fred.stlouisfed.org/docs/api/api_key.html)."
    )
    assert result.problem.block["suggestedAction"] == "check_api_key"


async def test_a_series_of_fred_names_the_key_if_another_provider_fails(office: Office) -> None:
    office.fails = NetworkError("Could not reach worldbank.", provider="worldbank")
    made = services(office)  # pyright: ignore[reportArgumentType]

    result = await CallHarness((econ_search,), services=made).call(
        "econ_search", {"series_id": "UNRATE"}
    )

    assert result.problem is not None
    assert result.problem.message == (
        "Could not reach worldbank. UNRATE looks like a FRED series: set FRED_API_KEY "
        "(free, https://fred.stlouisfed.org/docs/api/api_key.html)."
    )
    assert result.problem.block["suggestedAction"] == "check_api_key"
