"""Reddit: posts through the API, forum signals from the page."""

from typing import Any

import pytest

from tests.reading.sites.exchanges import exchange, failure, failures, read
from tests.replay import Replay
from webquarry.errors import NotFoundError
from webquarry.models.page import PageMetadata, StructuredData
from webquarry.models.reading import ForumSignals, Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import parse
from webquarry.reading.sites.reddit_site import RedditSite, forum_signals

pytestmark = pytest.mark.anyio

PAGE = "https://www.reddit.com/r/owls/comments/1abcde/why_owls/"
ASKED = "https://www.reddit.com/comments/1abcde.json?raw_json=1&sort=top&limit=50&depth=1"
NOTE = (
    "Fewer than 20 upvotes: hardly anybody has judged this post, and a few bought votes would "
    "have changed its rank."
)
POST = {
    "id": "1abcde", "title": "Why owls?", "selftext": "They are *quiet*.", "author": "ada",
    "subreddit": "owls", "url": PAGE, "is_self": True, "score": 11, "num_comments": 3,
    "created_utc": 1700000000.0,
}  # fmt: skip


def listing(*children: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "Listing", "data": {"children": list(children), "after": None}}


def comment(body: str, **more: Any) -> dict[str, Any]:
    data = {"author": "bob", "body": body, "score": 5, "created_utc": 1700003600, "replies": ""}
    return {"kind": "t1", "data": {**data, **more}}


async def test_a_post_is_read_with_its_comments_and_signals() -> None:
    body = [
        listing({"kind": "t3", "data": POST}),
        listing(
            comment("I am a bot.", stickied=True),
            comment("Soft feathers."),
            {"kind": "more", "data": {"count": 2, "children": []}},
        ),
    ]

    reading = await read(RedditSite, PAGE, exchange(ASKED, body=body))

    assert reading == Reading(
        url=PAGE,
        final_url=PAGE,
        kind="reddit",
        markdown=(
            "# Why owls?\n\n"
            "r/owls · u/ada · 2023-11-14 · 11 points · 3 comments\n\n"
            "They are *quiet*.\n\n"
            "## Top comments\n\n"
            "### u/bob · 2023-11-14 · 5 points\n\nSoft feathers."
        ),
        metadata=PageMetadata(
            title="Why owls?",
            authors=("ada",),
            site="Reddit r/owls",
            published="2023-11-14",
            kinds=("DiscussionForumPosting",),
        ),
        forum=ForumSignals(
            platform="reddit",
            upvotes=11,
            comments=3,
            datePublished="2023-11-14",
            authorName="ada",
            credibilityNote=NOTE,
        ),
        truncated=True,
    )


async def test_a_post_about_another_page_links_to_it() -> None:
    post = {**POST, "is_self": False, "url": "https://owls.example/", "selftext": "", "score": 20}

    reading = await read(
        RedditSite,
        "https://redd.it/1abcde",
        exchange(ASKED, body=[listing({"kind": "t3", "data": post}), listing()]),
    )

    assert "[https://owls.example/](https://owls.example/)" in reading.markdown
    assert reading.forum
    assert reading.forum.credibilityNote is None


async def test_an_empty_listing_is_not_found() -> None:
    error = await failure(RedditSite, PAGE, exchange(ASKED, body=[listing(), listing()]))

    assert isinstance(error, NotFoundError)


@pytest.mark.parametrize(("exchanges", "kind"), failures(ASKED))
async def test_upstream_failures_have_the_right_error_kind(
    exchanges: list[dict[str, Any]], kind: str
) -> None:
    assert (await failure(RedditSite, PAGE, *exchanges)).advice.kind == kind


@pytest.mark.parametrize(
    "url", ["https://www.reddit.com/r/owls/", "https://www.reddit.com/", "https://redd.it/",
            "https://evil.example/r/owls/comments/1abcde/x", "https://notreddit.com/comments/ab"],
)  # fmt: skip
def test_other_pages_are_left_to_the_tiers(url: str) -> None:
    assert not RedditSite(Upstreams(Replay([])), {}).handles(parse(url))


@pytest.mark.parametrize(
    "host", ["www.reddit.com", "old.reddit.com", "reddit.com", "new.reddit.com", "np.reddit.com"]
)
def test_every_host_of_reddit_is_recognised(host: str) -> None:
    url = parse(f"https://{host}/r/owls/comments/1abcde/x/k2/?context=3")

    assert RedditSite(Upstreams(Replay([])), {}).handles(url)


def test_a_configured_base_url_is_used_for_the_page_too() -> None:
    mirrored = RedditSite(Upstreams(Replay([]), base_urls={"reddit": "http://mirror.test"}), {})
    usual = RedditSite(Upstreams(Replay([])), {})

    assert mirrored.fallback_url(parse(f"{PAGE}?a=b")).href == (
        "http://mirror.test/r/owls/comments/1abcde/why_owls/?a=b"
    )
    assert usual.fallback_url(parse(PAGE)).href == PAGE


def posting(**more: Any) -> StructuredData:
    likes = {"interactionType": "https://schema.org/LikeAction", "userInteractionCount": 1500}
    said = {"interactionType": {"@type": "CommentAction"}, "userInteractionCount": "42"}
    node = {
        "@type": "DiscussionForumPosting",
        "headline": "Why owls?",
        "author": {"@type": "Person", "name": "ada"},
        "datePublished": "2024-05-03T10:00:00.000Z",
        "interactionStatistic": [likes, said],
        **more,
    }
    return StructuredData(jsonLd=({"@context": "https://schema.org", "@graph": [node]},))


def test_forum_signals_come_from_the_page_attributes() -> None:
    assert forum_signals(posting()) == ForumSignals(
        platform="reddit",
        upvotes=1500,
        comments=42,
        datePublished="2024-05-03T10:00:00.000Z",
        authorName="ada",
    )


def test_few_votes_add_a_caution_note() -> None:
    one = {"interactionType": "https://schema.org/LikeAction", "userInteractionCount": 19}

    found = forum_signals(posting(interactionStatistic=one, commentCount=7, author=None))

    assert found == ForumSignals(
        platform="reddit",
        upvotes=19,
        comments=7,
        datePublished="2024-05-03T10:00:00.000Z",
        credibilityNote=NOTE,
    )


@pytest.mark.parametrize(
    "structured",
    [StructuredData(), StructuredData(jsonLd=({"@type": "NewsArticle"}, [], "x", None))],
)
def test_a_page_without_these_attributes_has_no_forum_signals(structured: StructuredData) -> None:
    assert forum_signals(structured) is None


@pytest.mark.parametrize(
    ("tier", "upvotes"), [("stealth", 1500), ("browser", 1500), ("markdown", None)]
)
def test_a_page_read_by_a_tier_has_forum_signals(tier: str, upvotes: int | None) -> None:
    site = RedditSite(Upstreams(Replay([])), {})
    reading = Reading(
        url=PAGE, final_url=PAGE, markdown="", kind="html", tier=tier, structured=posting()
    )

    found = site.annotate(reading).forum

    assert (found.upvotes if found else None) == upvotes
