"""CORE, replaying exchanges in `recorded/core`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.models.works import Work, WorkQuery, Works
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.core import Core

pytestmark = pytest.mark.anyio
KEYS = {"CORE_API_KEY": "the-key"}


@pytest.mark.recording("core/filters")
async def test_years_and_order_are_sent_and_placeholder_dois_dropped(upstreams: Upstreams) -> None:
    query = WorkQuery(text="owls", count=3, year_from=2020, year_to=2022, newest=True)

    found = await Core(upstreams, KEYS).search_works(query)

    assert found == Works(
        items=(
            Work(
                title="Owls hear well",
                url="https://doi.org/10.1000/owl.1",
                source="core",
                doi="10.1000/owl.1",
                authors=("Strix, Ada",),
                journal="Journal of Owls",
                year=2021,
                published="2021-03-04",
                abstract="Owls hear.",
                citationCount=3,
                openAccess=True,
                pdfUrl="https://core.ac.uk/download/77.pdf",
                ids={"core": "77", "arxiv": "2101.00001", "pmid": "123"},
                type="research",
                publisher="Owl Press",
            ),
            Work(
                title="Sparse",
                url="https://core.ac.uk/works/78",
                source="core",
                openAccess=True,
                ids={"core": "78"},
            ),
        ),
        total=9,
    )


@pytest.mark.recording("core/empty")
async def test_nothing_found_is_empty(upstreams: Upstreams) -> None:
    assert await Core(upstreams, {}).search_works(WorkQuery(text="owls")) == Works(total=0)


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    request = {
        "url": "https://api.core.ac.uk/v3/search/works/?q=owls&limit=10&exclude=fullText",
        "headers": {"authorization": "Bearer the-key"},
    }

    await assert_fails(
        lambda u: Core(u, KEYS).search_works(WorkQuery(text="owls")), request, FAILURES[case]
    )
