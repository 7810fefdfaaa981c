"""Bluesky through its public API."""

from typing import Any

import pytest

from tests.reading.sites.exchanges import exchange, failure, failures, read
from tests.replay import Replay
from webquarry.errors import NotFoundError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import parse
from webquarry.reading.sites.bluesky_site import BlueskySite

pytestmark = pytest.mark.anyio

API = "https://api.bsky.app/xrpc"
PAGE = "https://bsky.app/profile/ada.example/post/3kabc"
ASKED = (
    f"{API}/app.bsky.feed.getPostThread?uri=at%3A%2F%2Fada.example%2Fapp.bsky.feed.post%2F3kabc"
    "&depth=1&parentHeight=1"
)
ADA = {"did": "did:plc:1", "handle": "ada.example", "displayName": "Ada"}
BOB = {"did": "did:plc:2", "handle": "bob.example"}


def post(author: dict[str, str], text: str, likes: int = 0, **more: Any) -> dict[str, Any]:
    record = {"text": text, "createdAt": "2024-05-03T10:00:00.000Z", "langs": ["en"]}
    return {"post": {"author": author, "record": record, "likeCount": likes, **more}}


async def test_a_post_is_read_with_its_best_replies() -> None:
    images = {"images": [{"alt": "An owl", "fullsize": "https://i.example/1.jpg"}]}
    thread = {
        **post(ADA, "Owls are awake.", 4, embed=images, replyCount=2, repostCount=1),
        "parent": post(BOB, "Who is awake?"),
        "replies": [
            post(BOB, "Not me."),
            {"uri": "at://x", "notFound": True},
            post(BOB, "They are.", 9),
        ],
    }

    reading = await read(BlueskySite, PAGE, exchange(ASKED, body={"thread": thread}))

    assert reading == Reading(
        url=PAGE,
        final_url=PAGE,
        kind="bluesky",
        markdown=(
            "# Post by Ada (@ada.example) on Bluesky\n\n"
            "In reply to @bob.example:\n\n> Who is awake?\n\n"
            "Owls are awake.\n\n"
            "- image: [An owl](https://i.example/1.jpg)\n\n"
            "2024-05-03 · 4 likes · 1 repost · 2 replies\n\n"
            "## Replies\n\n"
            "### @bob.example\n\nThey are.\n\n2024-05-03 · 9 likes\n\n"
            "### @bob.example\n\nNot me.\n\n2024-05-03 · 0 likes"
        ),
        metadata=PageMetadata(
            title="Ada on Bluesky: Owls are awake.",
            authors=("Ada",),
            site="Bluesky",
            published="2024-05-03",
            language="en",
            kinds=("SocialMediaPosting",),
        ),
    )


async def test_a_profile_is_read() -> None:
    body = {**ADA, "description": "Owls.", "followersCount": 1, "followsCount": 2, "postsCount": 3,
            "createdAt": "2023-09-19T15:47:01.417Z"}  # fmt: skip

    reading = await read(
        BlueskySite,
        "https://bsky.app/profile/ada.example",
        exchange(f"{API}/app.bsky.actor.getProfile?actor=ada.example", body=body),
    )

    assert reading.markdown == (
        "# Ada (@ada.example) on Bluesky\n\nOwls.\n\n"
        "1 follower · following 2 · 3 posts · since 2023-09-19"
    )


@pytest.mark.parametrize(
    "answer",
    [
        exchange(ASKED, status=400, body={"error": "NotFound", "message": "Post not found"}),
        exchange(ASKED, body={"thread": {"uri": "at://x", "blocked": True}}),
    ],
)
async def test_an_unavailable_post_is_not_found(answer: dict[str, Any]) -> None:
    assert isinstance(await failure(BlueskySite, PAGE, answer), NotFoundError)


@pytest.mark.parametrize(("exchanges", "kind"), failures(ASKED))
async def test_upstream_failures_have_the_right_error_kind(
    exchanges: list[dict[str, Any]], kind: str
) -> None:
    assert (await failure(BlueskySite, PAGE, *exchanges)).advice.kind == kind


@pytest.mark.parametrize(
    "url", ["https://bsky.app/", "https://bsky.app/search?q=owl", "https://evil.example/profile/a"]
)
def test_other_pages_are_left_to_the_tiers(url: str) -> None:
    assert not BlueskySite(Upstreams(Replay([])), {}).handles(parse(url))
