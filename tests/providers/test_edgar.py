"""EDGAR: what is sent, and what becomes of the answers."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.providers.records_refusals import NoShelf, Refusal, check, playing, refused
from tests.replay import RECORDED, FakeClock, Replay
from webquarry.errors import AccessError, PayloadError, RateLimitError, WebquarryError
from webquarry.models.records import Filing, FilingQuery, RecordsFound
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.edgar import Edgar
from webquarry.settings.load import load

pytestmark = pytest.mark.anyio

KEYS = {"EDGAR_CONTACT_EMAIL": "me@example.org"}
ARCHIVES = "https://www.sec.gov/Archives/edgar/data"
HERON = "0000001111"
SUBMISSIONS = "https://data.sec.gov/submissions/CIK0000001111.json"
READ_AS = "Read as Heron Holdings, Inc. (CIK 0000001111); quote the query to search all filings."


def recorded(*names: str) -> tuple[Upstreams, Replay]:
    """Play several recordings one after the other."""
    texts = [(RECORDED / "edgar" / f"{name}.json").read_text(encoding="utf-8") for name in names]
    replay = Replay([exchange for text in texts for exchange in json.loads(text)])
    return Upstreams(replay, clock=FakeClock().clock()), replay


def answer(url: str, **answered: Any) -> tuple[Upstreams, Replay]:
    replay = Replay([{"origin": "handwritten", "request": {"url": url}, "status": 200, **answered}])
    return Upstreams(replay, clock=FakeClock().clock()), replay


def annual(
    accession: str, filed: str, period: str | None, document: str, told: str | None
) -> Filing:
    return Filing(
        company="Heron Holdings, Inc.",
        cik=HERON,
        formType="10-K",
        filingDate=filed,
        periodOfReport=period,
        accession=accession,
        url=f"{ARCHIVES}/1111/{accession.replace('-', '')}/{document}",
        description=told,
        source="edgar",
    )


K2024 = annual("0000001111-25-000004", "2025-02-20", "2024-12-31", "hrn-20241231.htm", None)
K2023 = annual("0000001111-24-000002", "2024-02-21", None, "0000001111-24-000002-index.htm", "10-K")
K2022 = annual("0000001111-23-000003", "2023-02-19", "2022-12-31", "hrn-20221231.htm", "10-K")
K2009 = annual("0000001111-10-000001", "2010-02-20", "2009-12-31", "form10k.txt", "FORM 10-K")


async def test_a_name_lists_its_filings_newest_first_and_reads_older_pages() -> None:
    upstreams, replay = recorded("tickers", "submissions")

    found = await Edgar(upstreams, KEYS).search_filings(
        FilingQuery(text="Heron annual report", form="10-k", count=4), NoShelf()
    )

    assert found == RecordsFound((K2024, K2023, K2022, K2009), (READ_AS,))
    replay.finish()


@pytest.mark.parametrize(
    ("text", "form", "notes"),
    [
        ("Heron 10-K", None, (READ_AS, "Read as form 10-K.")),
        ("Heron annual report", None, (READ_AS, "Read as form 10-K.")),
        ("Heron", "10K", (READ_AS,)),
    ],
)
async def test_a_form_is_understood_in_the_query_and_in_other_spellings(
    text: str, form: str | None, notes: tuple[str, ...]
) -> None:
    upstreams, replay = recorded("tickers", "submissions")

    found = await Edgar(upstreams, KEYS).search_filings(
        FilingQuery(text=text, form=form, count=4), NoShelf()
    )

    assert found == RecordsFound((K2024, K2023, K2022, K2009), notes)
    replay.finish()


async def test_older_pages_outside_the_dates_are_not_read() -> None:
    upstreams, replay = recorded("submissions")

    found = await Edgar(upstreams, KEYS).search_filings(
        FilingQuery(text="CIK1111", form="10-K", since="2010-01-01", until="2024-12-31"), NoShelf()
    )

    assert found == RecordsFound((K2023, K2022, K2009))
    replay.finish()


async def test_words_in_quotes_are_searched_in_all_filings() -> None:
    upstreams, replay = recorded("tickers", "full_text")

    found = await Edgar(upstreams, KEYS).search_filings(
        FilingQuery(text='"reed beds"', form="10-K", since="2024-01-01"), NoShelf()
    )

    assert found == RecordsFound(
        (
            annual("0000001111-25-000004", "2025-02-20", "2024-12-31", "hrn-20241231.htm",
                   "ANNUAL REPORT"),
            # the amendment in between is another form
            Filing(
                company="S&P Otters Group",
                cik="0000003333",
                formType="10-K",
                filingDate="2024-06-01",
                accession="0000003333-24-000001",
                url=f"{ARCHIVES}/3333/000000333324000001/xslF345X05/doc.xml",
                description="EX-99",
                source="edgar",
            ),
        ),
        ("2 of at least 10000 documents found in the full text.",),
    )  # fmt: skip
    replay.finish()


async def test_facts_are_the_newest_of_each_figure_exactly_as_filed() -> None:
    upstreams, replay = recorded("tickers", "facts")

    found = await Edgar(upstreams, KEYS).search_filings(
        FilingQuery(ticker="hrn", facts=True), NoShelf()
    )

    index = f"{ARCHIVES}/1111/000000111125000009/0000001111-25-000009-index.htm"
    revenue = Filing(
        company="Heron Holdings, Inc.",
        cik=HERON,
        formType="10-Q",
        filingDate="2025-08-01",
        periodOfReport="2025-06-30",
        accession="0000001111-25-000009",
        url=index,
        description="Revenues",
        source="edgar",
        concept="Revenues",
        unit="USD",
        value=107.25,  # the quarter, not the half-year that ends on the same day
        periodStart="2025-04-01",
    )
    assets = revenue.model_copy(
        update={"formType": "10-Q/A", "description": None, "concept": "Assets", "value": 900,
                "periodStart": None}
    )  # fmt: skip
    # liabilities of 2019 are history
    assert found == RecordsFound((revenue, assets))
    replay.finish()


async def test_facts_of_annual_reports_are_those_of_the_whole_year() -> None:
    upstreams, _ = recorded("facts")

    found = await Edgar(upstreams, KEYS).search_filings(
        FilingQuery(text=HERON, facts=True, form="10-K", count=1), NoShelf()
    )

    assert [(fact.value, fact.periodStart, fact.periodOfReport) for fact in found.items] == [
        (400, "2024-01-01", "2024-12-31")
    ]


async def test_a_huge_number_keeps_its_digits() -> None:
    upstreams, _ = recorded("facts")

    found = await Edgar(upstreams, KEYS).search_filings(
        FilingQuery(text=HERON, facts=True, until="2025-07-31", since="2025-07-01"), NoShelf()
    )

    assert [fact.value for fact in found.items] == [12345678901234567890]


@pytest.mark.parametrize(
    ("words", "cik"),
    [
        ("HRN.B", "0000002222"),
        ("heron marsh", "0000002222"),
        ("S&P Otters", "0000003333"),
        ("Eels of America", "0000004444"),
        ("eels", "0000004444"),  # the only name that begins so
    ],
)
async def test_tickers_and_names_are_recognised_in_every_spelling(words: str, cik: str) -> None:
    tickers = json.loads((RECORDED / "edgar" / "tickers.json").read_text(encoding="utf-8"))
    listing: dict[str, Any] = {
        "origin": "handwritten",
        "request": {"url": f"https://data.sec.gov/submissions/CIK{cik}.json"},
        "status": 200,
        "body": {"name": "x", "filings": {"recent": {}, "files": []}},
    }
    replay = Replay([*tickers, listing])

    found = await Edgar(Upstreams(replay), KEYS).search_filings(FilingQuery(text=words), NoShelf())

    assert not found.items
    replay.finish()


async def test_a_name_of_several_companies_is_searched_and_the_companies_are_named() -> None:
    tickers = json.loads((RECORDED / "edgar" / "tickers.json").read_text(encoding="utf-8"))
    search: dict[str, Any] = {
        "origin": "handwritten: nothing has the words",
        "request": {"url": "https://efts.sec.gov/LATEST/search-index?q=marsh"},
        "status": 200,
        "body": {"hits": {"total": {"value": 0, "relation": "eq"}, "hits": []}},
    }
    replay = Replay([*tickers, search])

    found = await Edgar(Upstreams(replay), KEYS).search_filings(
        FilingQuery(text="marsh"), NoShelf()
    )

    assert found == RecordsFound(
        (),
        (
            "Searched the full text; companies of that name: Marsh One Co (CIK 0000005555),"
            " Marsh Two Co (CIK 0000006666).",
        ),
    )
    replay.finish()


async def test_an_unknown_ticker_is_said_to_be_unknown() -> None:
    upstreams, replay = recorded("tickers")

    found = await Edgar(upstreams, KEYS).search_filings(
        FilingQuery(ticker="NOPE", text="Heron"), NoShelf()
    )

    assert found == RecordsFound((), ("NOPE is not among the SEC's tickers; try a name or a CIK.",))
    replay.finish()


async def test_a_ticker_decides_and_that_the_query_did_not_is_said() -> None:
    upstreams, replay = recorded("tickers", "submissions")

    found = await Edgar(upstreams, KEYS).search_filings(
        FilingQuery(ticker="HRN", text="Eels", form="10-K", count=4), NoShelf()
    )

    assert found.notes == ("The ticker decides; query was not used.",)
    replay.finish()


async def test_facts_without_a_company_say_what_is_missing() -> None:
    upstreams, _ = recorded("tickers")

    found = await Edgar(upstreams, KEYS).search_filings(
        FilingQuery(text="wetland drainage", facts=True), NoShelf()
    )

    assert found == RecordsFound((), ("facts needs a company; give its ticker or CIK.",))


@pytest.mark.parametrize(
    ("facts", "url", "note"),
    [
        (False, SUBMISSIONS, "The SEC knows no filer with CIK 0000001111."),
        (
            True,
            "https://data.sec.gov/api/xbrl/companyfacts/CIK0000001111.json",
            "CIK 0000001111 has filed no XBRL facts.",
        ),
    ],
)
async def test_an_unknown_filer_is_no_failure(*, facts: bool, url: str, note: str) -> None:
    upstreams, _ = answer(url, status=404, text="<Error><Code>NoSuchKey</Code></Error>")

    found = await Edgar(upstreams, KEYS).search_filings(
        FilingQuery(text="1111", facts=facts), NoShelf()
    )

    assert found == RecordsFound((), (note,))


@pytest.mark.parametrize(
    ("page", "error", "says"),
    [
        ("<p>Request Rate Threshold Exceeded", RateLimitError, "ten minutes"),
        ("<p>Your Request Originates from an Undeclared Automated Tool", AccessError,
         "EDGAR_CONTACT_EMAIL"),
    ],
)  # fmt: skip
async def test_the_two_reasons_of_a_403_are_told_apart(
    page: str, error: type[WebquarryError], says: str
) -> None:
    upstreams, _ = answer(SUBMISSIONS, status=403, text=page)

    with pytest.raises(error, match=says):
        await Edgar(upstreams, KEYS).search_filings(FilingQuery(text=HERON), NoShelf())


async def test_an_empty_list_of_companies_is_refused() -> None:
    upstreams, _ = answer("https://www.sec.gov/files/company_tickers.json", body={})

    with pytest.raises(PayloadError, match="list of companies is empty"):
        await Edgar(upstreams, KEYS).search_filings(FilingQuery(ticker="HRN"), NoShelf())


async def test_another_address_serves_all_three_hosts() -> None:
    exchanges: list[dict[str, Any]] = [
        {"origin": "handwritten", "request": {"url": f"http://localhost:9/{path}"}, "status": 404,
         "body": {}}
        for path in ("submissions/CIK0000001111.json", "api/xbrl/companyfacts/CIK0000001111.json")
    ]  # fmt: skip
    exchanges.append(
        {"origin": "handwritten", "request": {"url": "http://localhost:9/LATEST/search-index?q=%22x%22"},
         "status": 200, "body": {"hits": {"hits": []}}}
    )  # fmt: skip
    exchanges.append(
        {"origin": "handwritten", "request": {"url": "http://localhost:9/files/company_tickers.json"},
         "status": 200, "body": {"0": {"cik_str": 1, "ticker": "A", "title": "A"}}}
    )  # fmt: skip
    replay = Replay(exchanges)
    moved = Upstreams(replay, base_urls={"edgar": "http://localhost:9"}, clock=FakeClock().clock())
    edgar = Edgar(moved, KEYS)

    await edgar.search_filings(FilingQuery(text="1111"), NoShelf())
    await edgar.search_filings(FilingQuery(text="1111", facts=True), NoShelf())
    await edgar.search_filings(FilingQuery(text='"x"'), NoShelf())

    replay.finish()


async def test_requests_keep_the_pace_the_sec_asks_for() -> None:
    clock = FakeClock()
    replay = Replay(
        [{"origin": "handwritten", "request": {"url": SUBMISSIONS}, "status": 404, "body": {}}] * 3
    )
    edgar = Edgar(Upstreams(replay, clock=clock.clock()), KEYS)

    for _ in range(3):
        await edgar.search_filings(FilingQuery(text=HERON), NoShelf())

    assert clock.slept == pytest.approx([0.1, 0.1])


async def test_very_long_histories_are_read_in_part_and_that_is_said() -> None:
    pages = [{"name": f"CIK0000001111-submissions-{at:03}.json"} for at in range(1, 11)]
    body: dict[str, Any] = {"name": "x", "filings": {"recent": {}, "files": pages}}
    exchanges: list[dict[str, Any]] = [
        {"origin": "handwritten", "request": {"url": SUBMISSIONS}, "status": 200, "body": body},
        *(
            {"origin": "handwritten", "status": 200, "body": {},
             "request": {"url": f"https://data.sec.gov/submissions/{page['name']}"}}
            for page in pages[:8]
        ),
    ]  # fmt: skip
    replay = Replay(exchanges)
    upstreams = Upstreams(replay, clock=FakeClock().clock())

    found = await Edgar(upstreams, KEYS).search_filings(FilingQuery(text=HERON), NoShelf())

    assert found == RecordsFound((), ("Older filings were not read; set date_to to reach them.",))
    replay.finish()


@refused
async def test_refusals_become_errors(refusal: Refusal) -> None:
    upstreams, replay = playing(refusal, SUBMISSIONS)

    with pytest.raises(WebquarryError) as caught:
        await Edgar(upstreams, KEYS).search_filings(FilingQuery(text=HERON), NoShelf())

    check(refusal, caught.value, "edgar")
    replay.finish()


def test_the_contact_address_is_required_and_has_a_fallback(tmp_path: Path) -> None:
    environ = {"OPENALEX_EMAIL": "me@example.org"}
    settings = load(environ=environ, directory=tmp_path, declared=Edgar.about.all_variables())

    assert Edgar.about.missing_variables({}) == ("EDGAR_CONTACT_EMAIL",)
    assert Edgar.about.missing_variables(settings.keys) == ()
    assert settings.keys["EDGAR_CONTACT_EMAIL"] == "me@example.org"
