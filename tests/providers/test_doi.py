"""doi.org, replaying exchanges in `recorded/doi`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from tests.replay import Replay
from webquarry.errors import ProviderError
from webquarry.models.works import Work
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.doi import Doi

pytestmark = pytest.mark.anyio
HANDLE = "https://doi.org/api/handles/10.1000/owl.1"


@pytest.mark.recording("doi/handles")
async def test_a_doi_is_registered_or_not(upstreams: Upstreams) -> None:
    doi = Doi(upstreams, {})

    assert await doi.is_registered("10.1000/owl.1") is True
    assert await doi.is_registered("10.1000/none") is False


@pytest.mark.recording("doi/records")
async def test_the_agency_describes_the_work(upstreams: Upstreams) -> None:
    doi = Doi(upstreams, {})

    assert await doi.work_by_doi("10.1000/owl.1") == Work(
        title="Owls hear well",
        url="https://doi.org/10.1000/owl.1",
        source="doi",
        doi="10.1000/owl.1",
        authors=("Ada Strix", "Owl Group"),
        journal="Journal of Owls",
        year=2021,
        published="2021-03",
        type="article-journal",
        publisher="Owl Press",
    )
    assert await doi.work_by_doi("10.1000/none") is None


async def test_an_error_of_the_handle_server_is_not_an_answer() -> None:
    exchange = {
        "origin": "handwritten: code 2 is an error of the server",
        "request": {"url": HANDLE},
        "status": 200,
        "body": {"responseCode": 2, "handle": "10.1000/owl.1"},
    }

    with pytest.raises(ProviderError, match="code 2"):
        await Doi(Upstreams(Replay([exchange])), {}).is_registered("10.1000/owl.1")


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    await assert_fails(
        lambda u: Doi(u, {}).is_registered("10.1000/owl.1"), {"url": HANDLE}, FAILURES[case]
    )
    await assert_fails(
        lambda u: Doi(u, {}).work_by_doi("10.1000/owl.1"),
        {"url": "https://doi.org/10.1000/owl.1"},
        FAILURES[case],
    )
