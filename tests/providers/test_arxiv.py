"""arXiv, replaying exchanges in `recorded/arxiv`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from tests.replay import FakeClock, Replay
from webquarry.errors import ProviderError
from webquarry.models.works import Work, WorkQuery, Works
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.arxiv import Arxiv

pytestmark = pytest.mark.anyio
URL = (
    "https://export.arxiv.org/api/query?search_query=all%3Aowls&start=0&max_results=10"
    "&sortBy=relevance&sortOrder=descending"
)


@pytest.mark.recording("arxiv/filters")
async def test_phrases_years_and_order_are_sent(upstreams: Upstreams) -> None:
    query = WorkQuery(text='"barn owl" hearing', count=3, year_from=2020, newest=True)

    found = await Arxiv(upstreams, {}).search_works(query)

    assert found == Works(
        items=(
            Work(
                title="Owls hear well",
                url="https://arxiv.org/abs/2101.00001",
                source="arxiv",
                doi="10.1000/owl.1",
                authors=("Ada Strix", "Bo Tyto"),
                journal="J. Owls 3 (2021)",
                year=2021,
                published="2021-01-01",
                abstract="Owls hear.",
                openAccess=True,
                pdfUrl="https://arxiv.org/pdf/2101.00001v3",
                ids={"arxiv": "2101.00001"},
                type="preprint",
            ),
            Work(
                title="Old stars",
                url="https://arxiv.org/abs/astro-ph/0601001",
                source="arxiv",
                journal="arXiv",
                openAccess=True,
                pdfUrl="https://arxiv.org/pdf/astro-ph/0601001",
                ids={"arxiv": "astro-ph/0601001"},
                type="preprint",
            ),
        ),
        total=57,
    )


@pytest.mark.recording("arxiv/empty")
async def test_nothing_found_is_empty(upstreams: Upstreams) -> None:
    assert await Arxiv(upstreams, {}).search_works(WorkQuery(text="owls")) == Works(total=0)


async def test_an_error_that_looks_like_a_work_is_an_error() -> None:
    feed = (
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry>'
        "<id>https://arxiv.org/api/errors#max_results</id><title>Error</title>"
        "<summary>max_results must be non-negative</summary></entry></feed>"
    )
    exchange = {"origin": "handwritten", "request": {"url": URL}, "status": 200, "text": feed}

    with pytest.raises(ProviderError, match="max_results must be non-negative"):
        await Arxiv(Upstreams(Replay([exchange])), {}).search_works(WorkQuery(text="owls"))


async def test_requests_are_three_seconds_apart() -> None:
    empty = '<feed xmlns="http://www.w3.org/2005/Atom"></feed>'
    exchange = {"origin": "handwritten", "request": {"url": URL}, "status": 200, "text": empty}
    still = FakeClock()
    arxiv = Arxiv(Upstreams(Replay([exchange] * 3), clock=still.clock()), {})

    for _ in range(3):  # of which two may go at once
        await arxiv.search_works(WorkQuery(text="owls"))

    assert [round(pause, 3) for pause in still.slept] == [3.0]


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    await assert_fails(
        lambda u: Arxiv(u, {}).search_works(WorkQuery(text="owls")), {"url": URL}, FAILURES[case]
    )


@pytest.mark.recording("arxiv/id")
async def test_a_number_is_that_work_or_nothing(upstreams: Upstreams) -> None:
    arxiv = Arxiv(upstreams, {})
    found = await arxiv.work_by_identifier("arxiv", "2101.00001")

    assert found
    assert (found.title, found.ids) == ("Owls hear well", {"arxiv": "2101.00001"})
    assert await arxiv.work_by_identifier("arxiv", "2101.99999") is None
