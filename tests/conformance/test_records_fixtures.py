"""Adapters of public records against recorded responses of the real APIs.

Expected values are read from the same body with plain dictionary access.
"""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.replay import FakeClock
from webquarry.errors import NotFoundError, PayloadError
from webquarry.models.records import CaseQuery, FilingQuery, RecordsFound, TrialQuery
from webquarry.models.series import ObservationQuery, SeriesItem, SeriesQuery
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_records import CachedCatalog
from webquarry.providers.clinicaltrials import ClinicalTrials
from webquarry.providers.courtlistener import CourtListener
from webquarry.providers.edgar import Edgar
from webquarry.providers.eurostat import Eurostat
from webquarry.providers.fred import Fred
from webquarry.providers.oecd import Oecd
from webquarry.providers.worldbank import WorldBank

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures"

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FIXTURES.exists(), reason="the recorded answers are not here"),
]


class HttpByUrlPart:
    """`Http` that responds with recorded bodies, by a part of the URL."""

    def __init__(self, bodies: dict[str, str], status: int = 200) -> None:
        self._bodies = bodies
        self._status = status

    async def send(self, request: ApiRequest) -> FetchedResponse:
        for part, name in self._bodies.items():
            if part in request.full_url:
                content = (FIXTURES / name).read_bytes()
                return FetchedResponse(status=self._status, headers=Headers(), content=content)
        raise AssertionError(f"no body for {request.full_url}")


class NoCatalogCache:
    """A catalog cache that stores nothing."""

    async def fetch(self, name: str, load: Any) -> CachedCatalog:
        return CachedCatalog(await load())


def upstreams(bodies: dict[str, str], status: int = 200) -> Upstreams:
    return Upstreams(HttpByUrlPart(bodies, status), clock=FakeClock().clock())


def raw(name: str) -> Any:
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))


def edgar(bodies: dict[str, str], status: int = 200) -> Edgar:
    return Edgar(upstreams(bodies, status), {"EDGAR_CONTACT_EMAIL": "me@example.org"})


AAPL = {
    "company_tickers.json": "sec_edgar/company_tickers_first500.json",
    "submissions-001.json": "sec_edgar/submissions_older_page_001.json",
    "submissions/CIK0000320193": "sec_edgar/submissions_AAPL.json",
    "companyfacts": "sec_edgar/companyfacts_AAPL.json",
}


async def test_edgar_finds_every_company_by_its_ticker_and_by_its_name() -> None:
    listed = raw("sec_edgar/company_tickers_first500.json").values()
    shelf = NoCatalogCache()

    for entry in list(listed)[:150]:
        cik = f"{entry['cik_str']:010d}"
        bodies = {
            "company_tickers.json": "sec_edgar/company_tickers_first500.json",
            f"submissions/CIK{cik}": "sec_edgar/submissions_individual_no_filings.json",
        }
        for query in (
            FilingQuery(ticker=entry["ticker"].lower()),
            FilingQuery(text=entry["title"]),
        ):
            found = await edgar(bodies).search_filings(query, shelf)
            assert [filing.cik for filing in found.items] == [cik]


async def test_edgar_filings_match_the_response() -> None:
    recent = raw("sec_edgar/submissions_AAPL.json")["filings"]["recent"]
    wanted = [at for at, form in enumerate(recent["form"]) if form == "8-K"][:10]

    found = await edgar(AAPL).search_filings(
        FilingQuery(ticker="AAPL", form="8-K", count=10), NoCatalogCache()
    )

    assert [
        (f.accession, f.filingDate, f.periodOfReport, f.formType, f.company) for f in found.items
    ] == [
        (recent["accessionNumber"][at], recent["filingDate"][at], recent["reportDate"][at], "8-K",
         "Apple Inc.")
        for at in wanted
    ]  # fmt: skip
    assert [f.url for f in found.items] == [
        "https://www.sec.gov/Archives/edgar/data/320193/"
        f"{recent['accessionNumber'][at].replace('-', '')}/{recent['primaryDocument'][at]}"
        for at in wanted
    ]


async def test_edgar_finds_older_filings() -> None:
    older = raw("sec_edgar/submissions_older_page_001.json")
    dates = sorted(
        (day for day, form in zip(older["filingDate"], older["form"], strict=True) if form == "4"),
        reverse=True,
    )

    found = await edgar(AAPL).search_filings(
        FilingQuery(ticker="AAPL", form="4", until="2003-12-31", count=10), NoCatalogCache()
    )

    assert [filing.filingDate for filing in found.items] == dates[:10]


async def test_edgar_handles_a_filer_with_one_filing_and_an_unknown_filer() -> None:
    one = edgar({"submissions": "sec_edgar/submissions_individual_no_filings.json"})
    none = edgar({"submissions": "sec_edgar/submissions_not_found_404.xml"}, status=404)

    found = await one.search_filings(FilingQuery(text="1800903"), NoCatalogCache())
    nothing = await none.search_filings(FilingQuery(text="1"), NoCatalogCache())

    assert [(f.company, f.formType, f.url) for f in found.items] == [
        (
            "&VEST Domestic Fund II LP",
            "D",
            "https://www.sec.gov/Archives/edgar/data/1800903/000180090320000001/xslFormDX01/"
            "primary_doc.xml",
        )
    ]
    assert nothing == RecordsFound((), ("The SEC knows no filer with CIK 0000000001.",))


async def test_edgar_facts_match_the_response() -> None:
    facts = raw("sec_edgar/companyfacts_AAPL.json")["facts"]

    found = await edgar(AAPL).search_filings(
        FilingQuery(ticker="AAPL", facts=True, count=10), NoCatalogCache()
    )

    assert [fact.concept for fact in found.items] == [
        "RevenueFromContractWithCustomerExcludingAssessedTax", "NetIncomeLoss", "Assets",
        "StockholdersEquity", "EarningsPerShareBasic", "EntityCommonStockSharesOutstanding",
    ]  # fmt: skip
    for fact in found.items:
        taxonomy = "dei" if str(fact.concept).startswith("Entity") else "us-gaap"
        points = facts[taxonomy][fact.concept]["units"][fact.unit]
        same = [
            p for p in points
            if (p.get("start"), p["end"], p["val"], p["accn"], p["form"], p["filed"])
            == (fact.periodStart, fact.periodOfReport, fact.value, fact.accession, fact.formType,
                fact.filingDate)
        ]  # fmt: skip
        assert len(same) == 1
        assert fact.periodOfReport == max(point["end"] for point in points)


async def test_edgar_full_text_hits_match_the_response() -> None:
    hit = raw("sec_efts/fulltext_1_hit.json")["hits"]["hits"][0]
    shelf, query = NoCatalogCache(), FilingQuery(text='"technology"')

    tickers = {"company_tickers.json": "sec_edgar/company_tickers_first500.json"}
    found = await edgar(tickers | {"search-index": "sec_efts/fulltext_1_hit.json"}).search_filings(
        query, shelf
    )
    nothing = await edgar(
        tickers | {"search-index": "sec_efts/fulltext_0_hits.json"}
    ).search_filings(query, shelf)

    (filing,) = found.items
    assert (filing.accession, filing.filingDate, filing.periodOfReport, filing.cik) == (
        hit["_source"]["adsh"], hit["_source"]["file_date"], hit["_source"]["period_ending"],
        hit["_source"]["ciks"][0],
    )  # fmt: skip
    assert filing.url == (
        "https://www.sec.gov/Archives/edgar/data/1865782/000095017025055890/btsg-2025_ars.pdf"
    )
    assert nothing == RecordsFound()


async def test_courtlistener_cases_match_the_response() -> None:
    name = "courtlistener/v4_search_recap_bears_ears.json"
    body = raw(name)

    found = await CourtListener(upstreams({"search": name}), {}).search_cases(
        CaseQuery(text="Bears Ears", count=20)
    )

    assert [
        (c.caseName, c.court, c.courtId, c.dateFiled, c.docketNumber, c.url) for c in found.items
    ] == [
        (r["caseName"], r["court"], r["court_id"], r["dateFiled"], r["docketNumber"],
         "https://www.courtlistener.com" + r["docket_absolute_url"])
        for r in body["results"]
    ]  # fmt: skip
    for case, result in zip(found.items, body["results"], strict=True):
        assert str(case.citation).startswith(f"{case.caseName}, No. {case.docketNumber} (")
        assert result["court_citation_string"] in str(case.citation)


async def test_fred_observations_and_series_match_the_response() -> None:
    fred = Fred(
        upstreams({"observations": "fred/series_observations_200.json",
                   "search": "fred/series_search_200.json"}),
        {"FRED_API_KEY": "k"},
    )  # fmt: skip
    told = raw("fred/series_observations_200.json")["observations"]
    listed = raw("fred/series_search_200.json")["seriess"]

    observed = await fred.observe(ObservationQuery(series="GDP", count=400), NoCatalogCache())
    found = await fred.search_series(SeriesQuery(text="monetary", count=100), NoCatalogCache())

    expected = [
        (row["date"], None if row["value"] == "." else row["value"]) for row in reversed(told)
    ]
    assert [(item.date, item.value) for item in observed.items] == expected
    assert [(s.seriesId, s.title, s.units, s.frequency, s.lastUpdated) for s in found.items] == [
        (s["id"], s["title"], s["units"], s["frequency"], s["last_updated"]) for s in listed
    ]
    assert found.notes == ("60 of 885 series.",)


@pytest.mark.parametrize("name", ["category_children_empty_200", "series_categories_200"])
async def test_fred_responses_of_another_kind_are_rejected(name: str) -> None:
    fred = Fred(upstreams({"fred": f"fred/{name}.json"}), {"FRED_API_KEY": "k"})

    with pytest.raises(PayloadError):
        await fred.observe(ObservationQuery(series="GDP"), NoCatalogCache())


@pytest.mark.parametrize("name", ["gdp_us_2026_200", "indicator_values_all_200"])
async def test_world_bank_observations_match_the_response(name: str) -> None:
    rows = raw(f"worldbank/{name}.json")[1]
    bank = WorldBank(upstreams({"indicator": f"worldbank/{name}.json"}), {})

    found = await bank.observe(
        ObservationQuery(series="NY.GDP.MKTP.CD", country="US", count=100), NoCatalogCache()
    )

    assert [(item.date, item.value) for item in found.items] == sorted(
        ((row["date"], row["value"]) for row in rows), key=lambda pair: pair[0], reverse=True
    )


async def test_world_bank_indicators_match_the_response() -> None:
    listed = raw("worldbank/indicators_list_200.json")[1]
    bank = WorldBank(upstreams({"indicator?": "worldbank/indicator_meta_200.json"}), {})
    whole = WorldBank(upstreams({"indicator?": "worldbank/indicators_list_200.json"}), {})

    one = await bank.search_series(SeriesQuery(text="poverty headcount"), NoCatalogCache())
    both = await whole.search_series(SeriesQuery(text="a day"), NoCatalogCache())

    assert one.items == (
        SeriesItem(
            seriesId=listed[0]["id"],
            title=listed[0]["name"],
            notes=listed[0]["sourceNote"],
            source="worldbank",
        ),
    )
    assert sorted(item.seriesId for item in both.items) == [row["id"] for row in listed]


async def test_a_world_bank_error_with_status_200_is_not_found() -> None:
    bank = WorldBank(upstreams({"indicator": "worldbank/indicator_invalid_200_error.json"}), {})

    with pytest.raises(NotFoundError, match="The provided parameter value is not valid"):
        await bank.observe(ObservationQuery(series="INVALID"), NoCatalogCache())


async def test_a_world_bank_response_of_another_kind_is_rejected() -> None:
    bank = WorldBank(upstreams({"indicator": "worldbank/country_200.json"}), {})

    with pytest.raises(PayloadError):
        await bank.observe(ObservationQuery(series="X"), NoCatalogCache())


@pytest.mark.parametrize(
    "name", ["jsonstat_prc_hicp_manr_2026_200", "jsonstat_nama_gdp_c_IT_FR_legacy"]
)
async def test_eurostat_observations_match_the_response(name: str) -> None:
    body = raw(f"eurostat/{name}.json")
    data = body.get("nama_gdp_c", body)
    geo = data["dimension"]["geo"]["category"]
    times = data["dimension"]["time"]["category"]["index"]

    found = await Eurostat(upstreams({"data": f"eurostat/{name}.json"}), {}).observe(
        ObservationQuery(series="x", count=200), NoCatalogCache()
    )

    # geo and time are the last two dimensions, the others have one category
    told = data["value"]
    values: dict[str, Any] = (
        {str(at): value for at, value in enumerate(told)} if "nama_gdp_c" in body else told
    )
    expected: dict[tuple[str, str], Any] = {}
    for code, place in geo["index"].items():
        for period, at in times.items():
            value = values.get(str(place * len(times) + at))
            if value is not None:
                expected[geo["label"][code], period] = value
    seen = {
        (str(item.title).rpartition(" — ")[2], item.date): item.value
        for item in found.items
        if item.value is not None
    }
    assert seen == expected
    assert {item.units for item in found.items} == set(
        data["dimension"]["unit"]["category"]["label"].values()
    )


@pytest.mark.parametrize("name", ["sdmx_async_footer", "sdmx_dataflow_structure_GOV_10Q_GGNFA"])
async def test_eurostat_xml_is_rejected(name: str) -> None:
    eurostat = Eurostat(upstreams({"data": f"eurostat/{name}.xml"}), {})

    with pytest.raises(PayloadError, match="XML instead of JSON"):
        await eurostat.observe(ObservationQuery(series="x"), NoCatalogCache())


async def test_oecd_observations_of_a_flat_message_match_the_response() -> None:
    name = "oecd/sdmx_json_v1_PART2.json"
    body = raw(name)
    dimensions = body["structure"]["dimensions"]["observation"]

    found = await Oecd(upstreams({"data": name}), {}).observe(
        ObservationQuery(series="OECD,PART2,1.0", count=200), NoCatalogCache()
    )

    expected = {
        ", ".join(
            dimension["values"][int(at)]["name"]
            for dimension, at in zip(dimensions, key.split(":"), strict=True)
        ): row[0]
        for key, row in body["dataSets"][0]["observations"].items()
    }
    assert {str(item.title).partition(" — ")[2]: item.value for item in found.items} == expected
    assert sum(item.notes is not None for item in found.items) == 3


async def test_oecd_observations_of_a_csv_are_sorted_latest_first() -> None:
    with (FIXTURES / "oecd/data_csv_kei_gbr_irlt.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    periods = [row["TIME_PERIOD"] for row in rows]
    message = {
        "data": {
            "structures": [
                {"dimensions": {"observation": [
                    {"id": "REF_AREA", "values": [{"id": "GBR", "name": "United Kingdom"}]},
                    {"id": "TIME_PERIOD", "values": [{"id": period} for period in periods]},
                ]}}
            ],
            "dataSets": [
                {"observations": {f"0:{at}": [float(row["OBS_VALUE"])]
                                  for at, row in enumerate(rows)}}
            ],
        }
    }  # fmt: skip

    class Made:
        async def send(self, request: ApiRequest) -> FetchedResponse:
            return FetchedResponse(status=200, content=json.dumps(message).encode())

    found = await Oecd(Upstreams(Made()), {}).observe(
        ObservationQuery(series="OECD.SDD.STES,DSD_KEI@DF_KEI,4.0", count=5), NoCatalogCache()
    )

    latest = sorted(rows, key=lambda row: row["TIME_PERIOD"], reverse=True)[:5]
    assert [(item.date, item.value) for item in found.items] == [
        (row["TIME_PERIOD"], float(row["OBS_VALUE"])) for row in latest
    ]


async def test_an_oecd_xml_listing_is_rejected() -> None:
    oecd = Oecd(upstreams({"dataflow": "oecd/nsi_ws_dataflow_with_dsd_ISTAT.xml"}), {})

    with pytest.raises(PayloadError, match="XML instead of JSON"):
        await oecd.search_series(SeriesQuery(text="x"), NoCatalogCache())


@pytest.mark.parametrize(
    "name",
    ["search_count_only_200", "search_keytruda_200", "search_melanoma_recruiting_200",
     "search_phelan_page1_200"],
)  # fmt: skip
async def test_clinical_trials_match_the_response(name: str) -> None:
    body = raw(f"clinicaltrials/{name}.json")
    registry = ClinicalTrials(upstreams({"studies": f"clinicaltrials/{name}.json"}), {})
    studies = [study["protocolSection"] for study in body["studies"]]

    found = await registry.search_trials(TrialQuery(text="x", count=len(studies)))

    assert [
        (t.nctId, t.title, t.status, list(t.phases), list(t.conditions), t.sponsor, t.startDate)
        for t in found.items
    ] == [
        (
            s["identificationModule"]["nctId"],
            s["identificationModule"]["briefTitle"],
            s["statusModule"]["overallStatus"],
            s["designModule"].get("phases", []),
            s["conditionsModule"]["conditions"],
            s["sponsorCollaboratorsModule"]["leadSponsor"]["name"],
            s["statusModule"].get("startDateStruct", {}).get("date"),
        )
        for s in studies
    ]
    assert [list(t.interventions) for t in found.items] == [
        [i["name"] for i in s.get("armsInterventionsModule", {}).get("interventions", [])]
        for s in studies
    ]
    assert found.notes == (f"{len(studies)} of {body['totalCount']} studies.",)


async def test_a_single_study_in_place_of_a_list_is_rejected() -> None:
    one = upstreams({"studies": "clinicaltrials/study_NCT06604689_200.json"})

    with pytest.raises(PayloadError):
        await ClinicalTrials(one, {}).search_trials(TrialQuery(text="x"))
