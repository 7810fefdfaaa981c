"""Bluesky's search for posts, replaying exchanges in `recorded/bluesky`."""

import pytest

from tests.providers.search_failures import FAILURES, assert_fails
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.bluesky import Bluesky

pytestmark = pytest.mark.anyio


@pytest.mark.recording("bluesky/web")
async def test_filters_are_sent_and_unsafe_posts_left_out(upstreams: Upstreams) -> None:
    query = WebQuery(
        text="owls", count=3, safe="medium", language="de", time_range="day", exact_terms="barn owl"
    )

    assert await Bluesky(upstreams, {}).search_web(query) == [
        WebResult(
            title="Ana (@ana.example.org) on Bluesky",
            url="https://bsky.app/profile/ana.example.org/post/aa",
            snippet="An owl in my barn. (3 likes, 2 reposts)",
            published="2024-03-05T08:00:00Z",
        ),
        WebResult(
            title="did:plc:1 (@did:plc:1) on Bluesky",
            url="https://bsky.app/profile/did:plc:1/post/bb",
            snippet="Owls! (2 reposts)",
            published="2024-03-05T08:00:00Z",
        ),
    ]


@pytest.mark.recording("bluesky/unsafe")
async def test_safe_search_can_be_turned_off(upstreams: Upstreams) -> None:
    found = await Bluesky(upstreams, {}).search_web(WebQuery(text="owls", safe="off"))

    assert [result.url for result in found] == ["https://bsky.app/profile/bad.example.org/post/cc"]


@pytest.mark.recording("bluesky/empty")
async def test_nothing_found_is_an_empty_list(upstreams: Upstreams) -> None:
    assert await Bluesky(upstreams, {}).search_web(WebQuery(text="owls")) == []


@pytest.mark.parametrize("case", FAILURES)
async def test_failures_are_told_apart(case: str) -> None:
    url = "https://api.bsky.app/xrpc/app.bsky.feed.searchPosts?q=owls&limit=10&sort=top"

    await assert_fails(
        lambda u: Bluesky(u, {}).search_web(WebQuery(text="owls")), {"url": url}, FAILURES[case]
    )
