"""Reddit's search feed, replaying exchanges in `recorded/reddit`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.errors import ProviderError, RateLimitError
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.reddit import Reddit

pytestmark = pytest.mark.anyio
OWLS = WebQuery(text="owls")


@pytest.mark.recording("reddit/web")
async def test_posts_come_with_their_community(upstreams: Upstreams) -> None:
    query = WebQuery(text="owls", count=3, time_range="week", safe="off")

    assert await Reddit(upstreams, {}).search_web(query) == [
        WebResult(
            title="Owl & barn",
            url="https://www.reddit.com/r/owls/comments/1/barn/",
            snippet="r/owls by ana. An owl in my barn.",
            published="2024-03-05T08:00:00Z",
        )
    ]


@pytest.mark.recording("reddit/empty")
async def test_nothing_found_is_an_empty_list(upstreams: Upstreams) -> None:
    assert await Reddit(upstreams, {}).search_web(OWLS) == []


@pytest.mark.recording("reddit/verification")
async def test_a_page_that_wants_a_browser_is_a_rate_limit(upstreams: Upstreams) -> None:
    with pytest.raises(RateLimitError) as caught:
        await Reddit(upstreams, {}).search_web(OWLS)

    assert caught.value.retry_after == 300
    assert upstreams.health()["reddit"].state == "open"


@pytest.mark.recording("reddit/blocked")
async def test_a_blocked_network_is_not_blamed_on_a_key(upstreams: Upstreams) -> None:
    with pytest.raises(ProviderError) as caught:
        await Reddit(upstreams, {}).search_web(OWLS)

    assert (caught.value.advice.kind, caught.value.provider) == ("upstream_unavailable", "reddit")


# pages and refusals are tested above: they mean something else here
@pytest.mark.parametrize("case", sorted(FAILURES.keys() - {"a page", "forbidden"}))
async def test_failures_are_told_apart(case: str) -> None:
    url = "https://www.reddit.com/search.rss?q=owls&sort=relevance&t=all&limit=10"

    await assert_fails(lambda u: Reddit(u, {}).search_web(OWLS), {"url": url}, FAILURES[case])
