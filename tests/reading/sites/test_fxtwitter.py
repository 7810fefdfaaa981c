"""X through FxTwitter."""

from typing import Any

import pytest

from tests.reading.sites.exchanges import exchange, failure, failures, read
from tests.replay import Replay
from webquarry.errors import NotFoundError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import parse
from webquarry.reading.sites.fxtwitter import FxTwitterSite

pytestmark = pytest.mark.anyio

PAGE = "https://x.com/ada/status/17"
ASKED = "https://api.fxtwitter.com/ada/status/17"
TWEET = {
    "url": PAGE, "id": "17", "text": "Owls are awake.\nGood night.", "lang": "en",
    "author": {"name": "Ada", "screen_name": "ada", "followers": 3},
    "created_timestamp": 1700000000, "replies": 1, "retweets": 2, "likes": 1500, "views": None,
    "replying_to": "bob", "quote": None, "community_note": None,
    "media": {"all": [{"type": "photo", "url": "https://p.example/1.jpg", "altText": "An owl"}]},
}  # fmt: skip


async def test_a_post_is_read_with_its_quote_media_and_community_note() -> None:
    quote = {"text": "Who is awake?\nNobody?", "author": {"name": "Bob", "screen_name": "bob"}}
    note = {"text": "Owls sleep by day."}
    tweet = {**TWEET, "quote": quote, "community_note": note}

    reading = await read(FxTwitterSite, PAGE, exchange(ASKED, body={"code": 200, "tweet": tweet}))

    assert reading == Reading(
        url=PAGE,
        final_url=PAGE,
        kind="twitter",
        markdown=(
            "# Post by Ada (@ada) on X\n\n"
            "Replying to @bob\n\n"
            "Owls are awake.\nGood night.\n\n"
            "- photo: [An owl](https://p.example/1.jpg)\n\n"
            "Quoting Bob (@bob):\n\n> Who is awake?\n> Nobody?\n\n"
            "Readers added context: Owls sleep by day.\n\n"
            "2023-11-14 · 1,500 likes · 2 reposts · 1 reply"
        ),
        metadata=PageMetadata(
            title="Ada on X: Owls are awake.",
            authors=("Ada",),
            site="X",
            published="2023-11-14",
            language="en",
            kinds=("SocialMediaPosting",),
        ),
    )


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        ("https://twitter.com/ada/status/17?s=20", "ada/status/17"),
        ("https://mobile.twitter.com/ada/statuses/17/photo/1", "ada/status/17"),
        ("https://x.com/i/web/status/17", "i/status/17"),
    ],
)
async def test_every_url_form_of_a_post_is_recognised(url: str, asked: str) -> None:
    answer = exchange(
        f"https://api.fxtwitter.com/{asked}", body={"code": 200, "tweet": {"text": "hi"}}
    )

    assert (await read(FxTwitterSite, url, answer)).markdown == "# Post by unknown on X\n\nhi"


async def test_a_profile_is_read() -> None:
    user = {
        "name": "Ada", "screen_name": "ada", "description": "Owls.", "followers": 1234,
        "following": 5, "tweets": 1, "joined": "Thu Aug 14 03:50:42 +0000 2008", "location": None,
    }  # fmt: skip

    reading = await read(
        FxTwitterSite,
        "https://x.com/ada",
        exchange("https://api.fxtwitter.com/ada", body={"code": 200, "user": user}),
    )

    assert reading.markdown == (
        "# Ada (@ada) on X\n\nOwls.\n\n"
        "1,234 followers · following 5 · 1 post · joined Thu Aug 14 03:50:42 +0000 2008"
    )


@pytest.mark.parametrize(
    ("status", "message"), [(404, "NOT_FOUND"), (401, "PRIVATE_TWEET"), (404, None)]
)
async def test_an_unavailable_post_is_not_found(status: int, message: str | None) -> None:
    body = {"code": status, "message": message}

    error = await failure(FxTwitterSite, PAGE, exchange(ASKED, status=status, body=body))

    assert isinstance(error, NotFoundError)


@pytest.mark.parametrize(("exchanges", "kind"), failures(ASKED))
async def test_upstream_failures_have_the_right_error_kind(
    exchanges: list[dict[str, Any]], kind: str
) -> None:
    assert (await failure(FxTwitterSite, PAGE, *exchanges)).advice.kind == kind


@pytest.mark.parametrize(
    "url", ["https://x.com/", "https://x.com/search?q=owl", "https://x.com/i/lists/1",
            "https://notx.com/ada", "https://x.com.evil.example/ada/status/17"],
)  # fmt: skip
def test_other_pages_are_left_to_the_tiers(url: str) -> None:
    assert not FxTwitterSite(Upstreams(Replay([])), {}).handles(parse(url))
