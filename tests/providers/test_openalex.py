"""OpenAlex, replaying exchanges in `recorded/openalex`."""

import json
from typing import Any

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from tests.replay import FakeClock
from webquarry.models.reading import RetractionStatus
from webquarry.models.works import CitationLinks, Work, WorkQuery, Works
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.openalex import OpenAlex

pytestmark = pytest.mark.anyio
ADDRESS = {"OPENALEX_EMAIL": "me@example.org"}
OWLS = Work(
    title="Owls hear well",
    url="https://doi.org/10.1000/Owl.1",
    source="openalex",
    doi="10.1000/Owl.1",
    authors=("Ada Strix", "Tyto, Bo"),
    journal="Journal of Owls",
    year=2021,
    published="2021-03-04",
    abstract="Owls hear well. Owls do.",
    citationCount=12,
    openAccess=True,
    pdfUrl="https://arxiv.org/pdf/2101.00001",
    ids={"openalex": "W1", "pmid": "123", "pmcid": "PMC456"},
    type="article",
    publisher="Owl Press",
    volume="3",
    pages="7-9",
    retraction=RetractionStatus(retracted=True, kind="retraction", source="openalex"),
)
NOTE = Work(
    title="A note on owls",
    url="https://openalex.org/W2",
    source="openalex",
    citationCount=0,
    ids={"openalex": "W2"},
    type="other",
)


@pytest.mark.recording("openalex/filters")
async def test_every_filter_is_sent_and_sparse_records_survive(upstreams: Upstreams) -> None:
    keys = ADDRESS | {"OPENALEX_API_KEY": "the-key"}
    query = WorkQuery(
        text="owls, hearing",
        count=3,
        year_from=2020,
        year_to=2022,
        open_access=True,
        source="arxiv",
        newest=True,
    )

    found = await OpenAlex(upstreams, keys).search_works(query)

    assert found == Works(items=(OWLS, NOTE), total=41)


@pytest.mark.recording("openalex/empty")
async def test_nothing_found_is_empty(upstreams: Upstreams) -> None:
    found = await OpenAlex(upstreams, ADDRESS).search_works(WorkQuery(text="owls"))

    assert found == Works(total=0)


@pytest.mark.recording("openalex/doi")
async def test_a_doi_is_that_work_or_nothing(upstreams: Upstreams) -> None:
    openalex = OpenAlex(upstreams, ADDRESS)

    assert await openalex.work_by_doi("10.1000/owl.1") == OWLS
    assert await openalex.work_by_doi("10.1000/none") is None
    assert await openalex.seed("PMID:123") == OWLS


@pytest.mark.recording("openalex/graph")
async def test_the_most_cited_work_with_that_title_is_the_seed(upstreams: Upstreams) -> None:
    openalex = OpenAlex(upstreams, ADDRESS)

    seed = await openalex.seed("Owls hear well: a study!")

    assert seed is not None
    assert (seed.title, seed.ids["openalex"]) == ("Owls Hear Well, A Study", "W1")
    assert await openalex.citing(seed, 2) == CitationLinks(items=(NOTE,), total=12)
    assert await openalex.cited(seed, 2) == CitationLinks(items=(NOTE,), total=2)
    assert await openalex.cited(NOTE, 2) == CitationLinks(total=0)


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    keys = ADDRESS | {"OPENALEX_API_KEY": "the-key"}
    fields = (
        "id%2Cdoi%2Cdisplay_name%2Cpublication_year%2Cpublication_date%2Cids%2Cprimary_location"
        "%2Cbest_oa_location%2Copen_access%2Cauthorships%2Ccited_by_count%2Ctype%2Cis_retracted"
        "%2Cbiblio%2Cabstract_inverted_index"
    )
    url = (
        f"https://api.openalex.org/works?search=owls&per_page=10&select={fields}"
        "&mailto=me%40example.org&api_key=the-key"
    )

    await assert_fails(
        lambda u: OpenAlex(u, keys).search_works(WorkQuery(text="owls")),
        {"url": url},
        FAILURES[case],
    )


@pytest.mark.recording("openalex/dois")
async def test_many_dois_are_looked_up_with_one_request(upstreams: Upstreams) -> None:
    found = await OpenAlex(upstreams, ADDRESS).works_by_dois(["10.1000/owl.1", "10.1000/none"])

    assert {doi: work.title for doi, work in found.items()} == {"10.1000/owl.1": "Owls"}


async def test_the_most_cited_of_all_references_come_first() -> None:
    listed = [f"https://openalex.org/W{number}" for number in range(250)]

    class Catalogue:
        """Answers with the works of a filter; the last reference is the most cited."""

        async def send(self, request: ApiRequest) -> FetchedResponse:
            ids = str(request.params.get("filter", "")).removeprefix("openalex:")
            if not ids:
                body: Any = {"id": "https://openalex.org/W1", "referenced_works": listed}
            else:
                ranked = sorted((int(each[1:]) for each in ids.split("|")), reverse=True)
                assert len(ranked) <= 100
                rows = [{"id": f"https://openalex.org/W{n}", "display_name": f"Work {n}",
                         "cited_by_count": n} for n in ranked[:2]]  # fmt: skip
                body = {"results": rows, "meta": {"count": len(ranked)}}
            content = json.dumps(body).encode()
            return FetchedResponse(url=request.url, status=200, content=content)

    seed = Work(title="x", url="https://x.test", source="openalex", ids={"openalex": "W1"})
    openalex = OpenAlex(Upstreams(Catalogue(), clock=FakeClock().clock()), {})

    found = await openalex.cited(seed, 2)

    assert [work.citationCount for work in found.items] == [249, 248]
    assert found.total == 250
