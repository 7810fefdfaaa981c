"""Europe PMC, replaying exchanges in `recorded/europepmc`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.models.paper_text import FullTextFile, PaperIds
from webquarry.models.reading import RetractionStatus
from webquarry.models.works import Work, WorkQuery, Works
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.europepmc import EuropePmc

pytestmark = pytest.mark.anyio


@pytest.mark.recording("europepmc/pmcid")
async def test_an_article_is_found_by_its_pmc_number(upstreams: Upstreams) -> None:
    europepmc = EuropePmc(upstreams, {})

    found = await europepmc.work_by_identifier("pmcid", "PMC456")

    assert (found and found.title) == "Owls hear well."
    assert await europepmc.work_by_identifier("pmcid", "PMC999") is None


@pytest.mark.recording("europepmc/filters")
async def test_every_filter_is_a_term_of_the_query(upstreams: Upstreams) -> None:
    query = WorkQuery(
        text="owls",
        count=3,
        year_from=2020,
        open_access=True,
        pdf_only=True,
        source="pubmed",
        newest=True,
    )

    found = await EuropePmc(upstreams, {}).search_works(query)

    assert found == Works(
        items=(
            Work(
                title="Owls hear well.",
                url="https://doi.org/10.1000/owl.1",
                source="europepmc",
                doi="10.1000/owl.1",
                authors=("Ada Strix", "Owl Group"),
                journal="Journal of owls",
                year=2021,
                published="2021-03-04",
                abstract="Aims Owls hear.",
                citationCount=4,
                openAccess=True,
                pdfUrl="https://europepmc.org/articles/PMC456?pdf=render",
                ids={"pmid": "123", "pmcid": "PMC456"},
                type="Journal Article",
                volume="3",
                issue="2",
                pages="7-9",
                retraction=RetractionStatus(retracted=True, kind="retraction", source="europepmc"),
            ),
            Work(
                title="A preprint",
                url="https://doi.org/10.1101/2024.01.02.123456",
                source="europepmc",
                doi="10.1101/2024.01.02.123456",
                authors=("Strix A", "Tyto B"),
                journal="bioRxiv",
                year=2024,
                openAccess=False,
                ids={"biorxiv": "2024.01.02.123456", "europepmc": "PPR:PPR9"},
            ),
        ),
        total=8,
    )


@pytest.mark.recording("europepmc/empty")
async def test_nothing_found_is_empty(upstreams: Upstreams) -> None:
    assert await EuropePmc(upstreams, {}).search_works(WorkQuery(text="owls")) == Works(total=0)


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    url = (
        "https://www.ebi.ac.uk/europepmc/webservices/rest/search?query=owls&format=json"
        "&resultType=core&pageSize=10"
    )

    await assert_fails(
        lambda u: EuropePmc(u, {}).search_works(WorkQuery(text="owls")),
        {"url": url},
        FAILURES[case],
    )


@pytest.mark.recording("europepmc/full_text")
async def test_the_text_is_found_by_any_identifier(upstreams: Upstreams) -> None:
    europepmc = EuropePmc(upstreams, {})
    page = "https://pmc.ncbi.nlm.nih.gov/articles/PMC456"
    article = FullTextFile(content=b"<article/>", format="jats", url=page)

    assert await europepmc.full_text(PaperIds(pmcid="PMC456")) == article
    assert await europepmc.full_text(PaperIds(pmcid="PMC999")) is None
    assert await europepmc.full_text(PaperIds(doi="10.1000/owl.1")) == article
    assert await europepmc.full_text(PaperIds(doi="10.1101/2024.01.02.123456")) == FullTextFile(
        content=b"<article/>",
        format="jats",
        url="https://europepmc.org/article/PPR/PPR9",
        version="preprint",
    )
    assert await europepmc.full_text(PaperIds(pmid="7")) is None
