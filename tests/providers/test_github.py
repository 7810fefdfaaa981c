"""GitHub's search for issues, replaying exchanges in `recorded/github`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from tests.replay import FakeClock, Replay
from webquarry.errors import RateLimitError
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.github import GitHub

pytestmark = pytest.mark.anyio
OWLS = WebQuery(text="owls")


@pytest.mark.recording("github/web")
async def test_sites_become_owners_and_repositories(upstreams: Upstreams) -> None:
    query = WebQuery(
        text="owls",
        count=3,
        time_range="day",
        exact_terms="barn owl",
        sites=("github.com/birds/owls", "github.com/nest", "example.org"),
    )

    assert await GitHub(upstreams, {"GITHUB_TOKEN": "the-key"}).search_web(query) == [
        WebResult(
            title="Owl crashes",
            url="https://github.com/birds/owls/issues/2",
            snippet="open, 4 comments. It crashes at night.",
            published="2024-03-05T08:00:00Z",
        ),
        WebResult(
            title="Fix",
            url="https://github.com/birds/owls/pull/3",
            snippet="closed, 0 comments.",
            published="2024-03-06T08:00:00Z",
        ),
    ]


@pytest.mark.recording("github/empty")
async def test_all_of_github_needs_no_qualifier(upstreams: Upstreams) -> None:
    query = WebQuery(text="owls", sites=("github.com", "github.com/birds"))

    assert await GitHub(upstreams, {}).search_web(query) == []


async def test_other_sites_are_not_asked_for() -> None:
    nobody = Upstreams(Replay([]), clock=FakeClock().clock())

    assert await GitHub(nobody, {}).search_web(WebQuery(text="owls", sites=("example.org",))) == []


@pytest.mark.recording("github/limited")
async def test_a_spent_allowance_says_when_it_returns(upstreams: Upstreams) -> None:
    with pytest.raises(RateLimitError) as caught:
        await GitHub(upstreams, {}).search_web(OWLS)

    assert caught.value.retry_after == 1090


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    request = {"url": "https://api.github.com/search/issues?q=owls&per_page=10"}

    await assert_fails(lambda u: GitHub(u, {}).search_web(OWLS), request, FAILURES[case])
