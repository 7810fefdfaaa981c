"""Semantic Scholar, replaying exchanges in `recorded/semanticscholar`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from tests.replay import FakeClock, Replay
from webquarry.models.works import CitationLinks, Work, WorkQuery, Works
from webquarry.net.upstream.rate_limiter import SharedRateLimiter
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.semanticscholar import PER_SECOND, SemanticScholar
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio
KEYS = {"SEMANTIC_SCHOLAR_API_KEY": "the-key"}
OWLS = Work(
    title="Owls hear well",
    url="https://doi.org/10.1000/owl.1",
    source="semanticscholar",
    doi="10.1000/owl.1",
    authors=("Ada Strix",),
    journal="J. Owls",
    year=2021,
    published="2021-03-04",
    abstract="Owls hear.",
    citationCount=14,
    openAccess=True,
    pdfUrl="https://example.org/o.pdf",
    tldr="Owls hear.",
    isInfluential=True,
    ids={"s2": "abc", "arxiv": "2101.00001", "pmid": "123", "pmcid": "PMC456"},
    type="JournalArticle",
    volume="3",
    pages="7 - 9",
)
BOOK = Work(title="An old book on owls", url="", source="semanticscholar")
FIELDS = (
    "title%2Cabstract%2Cyear%2Cvenue%2Cjournal%2CcitationCount%2CinfluentialCitationCount"
    "%2CisOpenAccess%2CopenAccessPdf%2CexternalIds%2CpublicationDate%2CpublicationTypes%2Cauthors"
    "%2Curl%2Ctldr"
)
SEARCH = (
    f"https://api.semanticscholar.org/graph/v1/paper/search?query=owls&limit=10&fields={FIELDS}"
)


@pytest.mark.recording("semanticscholar/filters")
async def test_hyphens_are_dropped_and_filters_sent(upstreams: Upstreams) -> None:
    query = WorkQuery(text="barn-owl hearing", count=3, year_from=2020, year_to=2022, pdf_only=True)

    found = await SemanticScholar(upstreams, KEYS).search_works(query)

    assert found == Works(items=(OWLS, BOOK), total=30)


@pytest.mark.recording("semanticscholar/empty")
async def test_an_answer_without_data_is_empty(upstreams: Upstreams) -> None:
    found = await SemanticScholar(upstreams, {}).search_works(WorkQuery(text="owls"))

    assert found == Works(total=0)


@pytest.mark.recording("semanticscholar/seeds")
async def test_a_seed_is_found_by_doi_arxiv_number_or_title(upstreams: Upstreams) -> None:
    scholar = SemanticScholar(upstreams, {})

    assert await scholar.seed("https://doi.org/10.1000/owl.1") == OWLS
    assert await scholar.seed("arXiv:2101.00001v2") == OWLS
    assert await scholar.seed("PMID: 123") == OWLS
    assert await scholar.seed("10.1000/gone") is None
    assert await scholar.seed("Owls hear well") == OWLS
    assert await scholar.seed("Nothing") is None


@pytest.mark.recording("semanticscholar/edges")
async def test_edges_say_why_and_how_much(upstreams: Upstreams) -> None:
    scholar = SemanticScholar(upstreams, {})
    why = {"isInfluential": True, "citationIntents": ("methodology", "background")}

    assert await scholar.citing(OWLS, 2) == CitationLinks(
        items=(
            OWLS.model_copy(update=why),
            BOOK.model_copy(update={"isInfluential": False}),
        )
    )
    assert await scholar.cited(OWLS, 2, influential=True) == CitationLinks(
        items=(OWLS.model_copy(update={"isInfluential": True, "citationIntents": ("result",)}),),
        notes=("Only the first 500 references were searched.",),
    )
    assert await scholar.cited(OWLS, 2) == CitationLinks(
        notes=("The publisher withholds the references.",)
    )


async def test_two_processes_share_one_request_a_second() -> None:
    store, still = MemoryStore(), FakeClock()
    exchange = {
        "origin": "handwritten",
        "request": {"url": SEARCH},
        "status": 200,
        "body": {"total": 0, "offset": 0},
    }
    replay = Replay([exchange] * 4)
    clock = still.clock()
    servers = [
        SemanticScholar(
            Upstreams(replay, clock=clock),
            {},
            rate_limiter=SharedRateLimiter(store, "semanticscholar", PER_SECOND, clock=clock),
        )
        for _ in range(2)
    ]

    for server in servers * 2:
        await server.search_works(WorkQuery(text="owls"))

    replay.finish()
    assert [round(pause, 2) for pause in still.slept] == [1.05, 1.05, 1.05]


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    request = {"url": SEARCH, "headers": {"x-api-key": "the-key"}}

    await assert_fails(
        lambda u: SemanticScholar(u, KEYS).search_works(WorkQuery(text="owls")),
        request,
        FAILURES[case],
    )
