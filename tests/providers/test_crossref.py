"""Crossref, replaying exchanges in `recorded/crossref`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.models.reading import RetractionStatus
from webquarry.models.works import Work, WorkQuery, Works
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.crossref import Crossref

pytestmark = pytest.mark.anyio
OWLS = Work(
    title="Owls hear well & far",
    url="https://doi.org/10.1000/owl.1",
    source="crossref",
    doi="10.1000/owl.1",
    authors=("Ada Strix", "The Owl Group"),
    journal="Journal of Owls",
    year=2021,
    published="2021-03",
    abstract="Owls hear. Well.",
    citationCount=5,
    openAccess=True,
    pdfUrl="https://example.org/owl.pdf",
    type="journal-article",
    publisher="Owl Press",
    volume="3",
    issue="2",
    pages="7-9",
    retraction=RetractionStatus(
        retracted=True,
        kind="retraction",
        date="2023-05-01",
        noticeDoi="10.1000/notice",
        source="retraction-watch",
    ),
    noticesKnown=True,
)
PREPRINT = Work(
    title="A preprint on owls",
    url="https://doi.org/10.1101/2024.01.02.123456",
    source="crossref",
    doi="10.1101/2024.01.02.123456",
    ids={"biorxiv": "2024.01.02.123456"},
    type="posted-content",
    noticesKnown=True,
)


@pytest.mark.recording("crossref/filters")
async def test_years_prefix_and_order_are_sent(upstreams: Upstreams) -> None:
    query = WorkQuery(
        text="owls", count=3, year_from=2020, year_to=2022, source="ieee", newest=True
    )

    found = await Crossref(upstreams, {"CROSSREF_EMAIL": "me@example.org"}).search_works(query)

    assert found == Works(items=(OWLS, PREPRINT), total=77)


@pytest.mark.recording("crossref/empty")
async def test_nothing_found_is_empty(upstreams: Upstreams) -> None:
    assert await Crossref(upstreams, {}).search_works(WorkQuery(text="owls")) == Works(total=0)


@pytest.mark.recording("crossref/doi")
async def test_a_doi_is_that_work_or_nothing(upstreams: Upstreams) -> None:
    crossref = Crossref(upstreams, {})

    found = await crossref.work_by_doi("10.1000/owl.1")

    assert found == OWLS.model_copy(update={"journal": "bioRxiv"})
    assert await crossref.work_by_doi("10.1000/none") is None


@pytest.mark.recording("crossref/title")
async def test_titles_are_matched_as_titles(upstreams: Upstreams) -> None:
    assert await Crossref(upstreams, {}).works_by_title("Owls hear well") == (PREPRINT,)


@pytest.mark.recording("crossref/notices")
async def test_notices_come_in_one_request_and_the_unknown_stay_unchecked(
    upstreams: Upstreams,
) -> None:
    dois = ["10.1000/Owl.1", "10.1000/owl.2", "10.1000/owl.3", "10.1000/a,b", "10.1000/c,d"]

    assert await Crossref(upstreams, {}).notices([*dois, "10.1000/OWL.2"]) == {
        "10.1000/owl.1": RetractionStatus(
            retracted=True,
            kind="retraction",
            date="2024-01-02",
            noticeDoi="10.1000/n1",
            source="publisher",
        ),
        "10.1000/owl.2": None,
        "10.1000/a,b": RetractionStatus(
            retracted=False,
            kind="expression_of_concern",
            noticeDoi="10.1000/n2",
            source="publisher",
        ),
    }


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    fields = (
        "DOI%2Ctitle%2Csubtitle%2Cauthor%2Ccontainer-title%2Cissued%2Cpublished%2Cabstract"
        "%2Cis-referenced-by-count%2Clink%2Clicense%2Cupdated-by%2Ctype%2Cpublisher%2Cvolume"
        "%2Cissue%2Cpage"
    )

    await assert_fails(
        lambda u: Crossref(u, {}).search_works(WorkQuery(text="owls")),
        {"url": f"https://api.crossref.org/works?query=owls&rows=10&select={fields}"},
        FAILURES[case],
    )


@pytest.mark.recording("crossref/dois")
async def test_many_dois_are_looked_up_with_one_request(upstreams: Upstreams) -> None:
    found = await Crossref(upstreams, {}).works_by_dois(["10.1000/Owl.1", "10.1000/none"])

    assert {doi: (work.title, work.subtitle) for doi, work in found.items()} == {
        "10.1000/owl.1": ("Owls", "how they hear")
    }
