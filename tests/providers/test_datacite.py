"""DataCite, replaying exchanges in `recorded/datacite`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.models.works import Work
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.datacite import DataCite

pytestmark = pytest.mark.anyio


@pytest.mark.recording("datacite/doi")
async def test_a_doi_is_that_work_or_nothing(upstreams: Upstreams) -> None:
    datacite = DataCite(upstreams, {})

    assert await datacite.work_by_doi("10.48550/arXiv.2101.00001") == Work(
        title="Owls hear well",
        url="https://doi.org/10.48550/arxiv.2101.00001",
        source="datacite",
        doi="10.48550/arxiv.2101.00001",
        authors=("Ada Strix", "Owl Group"),
        year=2021,
        published="2021",
        abstract="Owls hear.",
        citationCount=1,
        ids={"arxiv": "2101.00001"},
        type="Preprint",
        publisher="arXiv",
    )
    assert await datacite.work_by_doi("10.1000/none") is None


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    await assert_fails(
        lambda u: DataCite(u, {}).work_by_doi("10.1000/owl.1"),
        {"url": "https://api.datacite.org/dois/10.1000/owl.1"},
        FAILURES[case],
    )
