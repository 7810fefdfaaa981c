"""PubMed, replaying exchanges in `recorded/pubmed`."""

from typing import Any

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from tests.replay import FakeClock, Replay
from webquarry.errors import PayloadError, ProviderError, RateLimitError, WebquarryError
from webquarry.models.paper_text import FullTextFile, PaperIds
from webquarry.models.reading import RetractionStatus
from webquarry.models.works import Work, WorkQuery, Works
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.pubmed import PubMed

pytestmark = pytest.mark.anyio
KEYS = {"PUBMED_API_KEY": "the-key", "PUBMED_EMAIL": "me@example.org"}
HOST = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
SEARCH = (
    f"{HOST}/esearch.fcgi?db=pubmed&term=owls&retmode=json&retmax=10&sort=relevance&tool=webquarry"
)
FETCH = f"{HOST}/efetch.fcgi?db=pubmed&id=12&retmode=xml&tool=webquarry"
SUMMARY = f"{HOST}/esummary.fcgi?db=pubmed&id=12&retmode=json&tool=webquarry"
ONE = {
    "origin": "handwritten",
    "request": {"url": SEARCH},
    "status": 200,
    "body": {"esearchresult": {"count": "1", "idlist": ["12"]}},
}


@pytest.mark.recording("pubmed/filters")
async def test_articles_and_books_come_with_abstracts_in_ranked_order(upstreams: Upstreams) -> None:
    query = WorkQuery(text="owls", count=4, year_to=2022, open_access=True, newest=True)

    found = await PubMed(upstreams, KEYS).search_works(query)

    assert found == Works(
        items=(
            Work(
                title="The Owl Book",
                url="https://doi.org/10.1000/book",
                source="pubmed",
                doi="10.1000/book",
                journal="The Owl Book",
                year=2019,
                published="2019",
                openAccess=True,
                ids={"pmid": "13"},
                type="Book",
                publisher="Owl Press",
            ),
            Work(
                title="Owls hear well.",
                url="https://doi.org/10.1000/owl.1",
                source="pubmed",
                doi="10.1000/owl.1",
                authors=("Ada Strix", "Owl Group"),
                journal="Journal of owls",
                year=2021,
                published="2020-12-05",
                abstract="AIMS: Owls & ears. They hear.",
                openAccess=True,
                ids={"pmid": "12", "pmcid": "PMC456"},
                type="Journal Article",
                volume="3",
                issue="2",
                pages="7-9",
                retraction=RetractionStatus(retracted=True, kind="retraction", source="pubmed"),
            ),
            Work(
                title="Old owls.",
                url="https://pubmed.ncbi.nlm.nih.gov/11/",
                source="pubmed",
                year=1998,
                published="1998",
                openAccess=True,
                ids={"pmid": "11"},
            ),
        ),
        total=321,
    )


@pytest.mark.recording("pubmed/empty")
async def test_nothing_found_is_empty(upstreams: Upstreams) -> None:
    assert await PubMed(upstreams, {}).search_works(WorkQuery(text="owls")) == Works(total=0)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ({"body": {"error": "API rate limit exceeded", "limit": "3"}}, RateLimitError),
        ({"body": {"error": "database is not supported"}}, ProviderError),
        ({"body": {"esearchresult": {"ERROR": "Invalid db name"}}}, ProviderError),
    ],
)
async def test_errors_inside_a_success_are_errors(
    answer: dict[str, Any], error: type[WebquarryError]
) -> None:
    exchange = {"origin": "handwritten", "request": {"url": SEARCH}, "status": 200} | answer
    upstreams = Upstreams(Replay([exchange]), clock=FakeClock().clock())

    with pytest.raises(error):
        await PubMed(upstreams, {}).search_works(WorkQuery(text="owls"))


def played(*more: dict[str, Any]) -> Upstreams:
    return Upstreams(Replay([ONE, *more]), clock=FakeClock().clock())


def fetched(**answer: Any) -> dict[str, Any]:
    return {"origin": "handwritten", "request": {"url": FETCH}, "status": 200} | answer


async def test_a_limit_on_the_records_is_an_error() -> None:
    upstreams = played(fetched(body={"error": "API rate limit exceeded"}))

    with pytest.raises(RateLimitError):
        await PubMed(upstreams, {}).search_works(WorkQuery(text="owls"))


NO_RECORDS = pytest.mark.parametrize(
    "answer",
    [
        {"text": "<html><body>Maintenance</body></html>"},
        {"text": "not xml"},
        {"text": ""},
        {"status": 404, "text": "gone"},
        {"body": {"error": "cannot get document summary"}},
    ],
)


@NO_RECORDS
async def test_summaries_stand_in_for_records_that_do_not_come(answer: dict[str, Any]) -> None:
    summary = {
        "uid": "12",
        "title": "Owls hear well.",
        "authors": [{"name": "Strix A", "authtype": "Author"}],
        "fulljournalname": "Journal of owls",
        "sortpubdate": "2021/03/04 00:00",
        "volume": "3",
        "issue": "",
        "pages": "7-9",
        "articleids": [
            {"idtype": "doi", "value": "10.1000/owl.1"},
            {"idtype": "pmc", "value": "PMC456"},
        ],
        "pubtype": ["Journal Article"],
    }
    told = {
        "origin": "handwritten in the shape of the API",
        "request": {"url": SUMMARY},
        "status": 200,
        "body": {"header": {}, "result": {"uids": ["12"], "12": summary}},
    }

    found = await PubMed(played(fetched(**answer), told), {}).search_works(WorkQuery(text="owls"))

    assert found.items == (
        Work(
            title="Owls hear well.",
            url="https://doi.org/10.1000/owl.1",
            source="pubmed",
            doi="10.1000/owl.1",
            authors=("Strix A",),
            journal="Journal of owls",
            year=2021,
            published="2021-03-04",
            ids={"pmid": "12", "pmcid": "PMC456"},
            type="Journal Article",
            volume="3",
            pages="7-9",
        ),
    )


@NO_RECORDS
async def test_neither_records_nor_summaries_is_an_error(answer: dict[str, Any]) -> None:
    told = {"origin": "handwritten", "request": {"url": SUMMARY}, "status": 200, "text": "<html>"}

    with pytest.raises(PayloadError):
        await PubMed(played(fetched(**answer), told), {}).search_works(WorkQuery(text="owls"))


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    url = f"{SEARCH}&api_key=the-key"

    await assert_fails(
        lambda u: PubMed(u, {"PUBMED_API_KEY": "the-key"}).search_works(WorkQuery(text="owls")),
        {"url": url},
        FAILURES[case],
    )


@pytest.mark.recording("pubmed/full_text")
async def test_the_text_of_pubmed_central_is_asked_for_by_its_number(upstreams: Upstreams) -> None:
    assert await PubMed(upstreams, {}).full_text(PaperIds(pmcid="PMC456")) == FullTextFile(
        content=b"<pmc-articleset/>",
        format="jats",
        url="https://pmc.ncbi.nlm.nih.gov/articles/PMC456",
    )
