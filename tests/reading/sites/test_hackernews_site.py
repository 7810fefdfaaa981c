"""Hacker News through its API."""

from typing import Any

import pytest

from tests.reading.sites.exchanges import exchange, failure, failures, read
from tests.replay import FakeClock, Replay
from webquarry.errors import NotFoundError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import parse
from webquarry.reading.sites.hackernews_site import HackerNewsSite

pytestmark = pytest.mark.anyio

API = "https://hacker-news.firebaseio.com/v0"
PAGE = "https://news.ycombinator.com/item?id=100"
STORY = {
    "id": 100, "type": "story", "by": "ada", "time": 1700000000, "title": "Owls, explained",
    "url": "https://owls.example/", "score": 1234, "descendants": 2, "kids": [101, 102, 103],
}  # fmt: skip


def item(number: int, body: Any) -> dict[str, Any]:
    return exchange(f"{API}/item/{number}.json", body=body)


async def test_a_story_is_read_with_its_comments() -> None:
    text = 'I saw <i>one</i>.<p>See <a href="https:&#x2F;&#x2F;a.example&#x2F;b">this</a>.'
    first = {"id": 101, "by": "bob", "time": 1700003600, "text": text, "kids": [9]}

    reading = await read(
        HackerNewsSite,
        PAGE,
        item(100, STORY),
        item(101, first),
        item(102, {"id": 102, "by": "eve", "text": "spam", "dead": True}),
        item(103, {"id": 103, "deleted": True}),
    )

    assert reading == Reading(
        url=PAGE,
        final_url=PAGE,
        kind="hn",
        markdown=(
            "# Owls, explained\n\n"
            "https://owls.example/\n\n"
            "1,234 points · by ada · 2023-11-14 · 2 comments\n\n"
            "## Top comments\n\n"
            "### bob · 2023-11-14 · 1 reply\n\n"
            "I saw *one*.\n\n"
            "See [this](https://a.example/b)."
        ),
        metadata=PageMetadata(
            title="Owls, explained",
            authors=("ada",),
            site="Hacker News",
            published="2023-11-14",
            kinds=("DiscussionForumPosting",),
        ),
    )


async def test_more_than_ten_comments_are_cut() -> None:
    kids = list(range(201, 213))
    comments = [item(n, {"id": n, "by": f"u{n}", "text": "yes"}) for n in kids[:10]]

    reading = await read(HackerNewsSite, PAGE, item(100, {**STORY, "kids": kids}), *comments)

    assert reading.truncated
    assert reading.markdown.count("### u") == 10


async def test_a_comment_that_cannot_be_fetched_is_skipped_with_a_note() -> None:
    lost = exchange(f"{API}/item/102.json", status=500, text="")

    reading = await read(
        HackerNewsSite,
        PAGE,
        item(100, {**STORY, "kids": [101, 102]}),
        item(101, {"id": 101, "by": "bob", "text": "Yes."}),
        lost,
        lost,
    )

    assert reading.markdown.endswith("### bob\n\nYes.")
    assert reading.notes == ("1 of the items could not be read.",)
    assert not reading.complete


async def test_a_question_is_read_with_its_text_and_no_comments() -> None:
    asked = {"id": 100, "type": "story", "by": "ada", "title": "Ask HN: Owls?", "text": "Why?"}

    reading = await read(HackerNewsSite, "https://news.ycombinator.com/item/100", item(100, asked))

    assert reading.markdown == "# Ask HN: Owls?\n\nby ada\n\nWhy?"
    assert not reading.truncated


@pytest.mark.parametrize(
    ("path", "name", "title"),
    [
        ("", "topstories", "Top stories"),
        ("newest", "newstories", "New stories"),
        ("best", "beststories", "Best stories"),
        ("ask", "askstories", "Ask HN"),
        ("show", "showstories", "Show HN"),
        ("jobs", "jobstories", "Jobs"),
    ],
)
async def test_lists_contain_their_stories(path: str, name: str, title: str) -> None:
    reading = await read(
        HackerNewsSite,
        f"https://news.ycombinator.com/{path}",
        exchange(f"{API}/{name}.json", body=[100, 101]),
        item(100, STORY),
        item(101, {"id": 101, "title": "A [b] c", "by": "bob", "score": 1}),
    )

    assert reading.markdown == (
        f"# Hacker News: {title}\n\n"
        "1. [Owls, explained](https://owls.example/) · 1,234 points · by ada · 2023-11-14 · "
        "2 comments · [discussion](https://news.ycombinator.com/item?id=100)\n"
        "2. [A \\[b\\] c](https://news.ycombinator.com/item?id=101) · 1 point · by bob"
    )


async def test_a_user_is_read() -> None:
    body = {"id": "ada", "created": 1160418092, "karma": 5000, "about": "Owls &amp; more"}

    reading = await read(
        HackerNewsSite,
        "https://news.ycombinator.com/user?id=ada",
        exchange(f"{API}/user/ada.json", body=body),
    )

    assert reading.markdown == (
        "# ada on Hacker News\n\n5,000 karma · since 2006-10-09\n\nOwls & more"
    )


@pytest.mark.parametrize(
    ("url", "asked"),
    [
        (PAGE, f"{API}/item/100.json"),
        ("https://news.ycombinator.com/user?id=nobody", f"{API}/user/nobody.json"),
    ],
)
async def test_a_null_item_is_not_found(url: str, asked: str) -> None:
    error = await failure(HackerNewsSite, url, exchange(asked, text="null"))

    assert isinstance(error, NotFoundError)


@pytest.mark.parametrize(("exchanges", "kind"), failures(f"{API}/item/100.json"))
async def test_upstream_failures_have_the_right_error_kind(
    exchanges: list[dict[str, Any]], kind: str
) -> None:
    assert (await failure(HackerNewsSite, PAGE, *exchanges)).advice.kind == kind


@pytest.mark.parametrize(
    "url",
    [
        "https://news.ycombinator.com/submit",
        "https://news.ycombinator.com/item",
        "https://news.ycombinator.com/item?id=",
        "https://ycombinator.com/item?id=1",
        "https://news.ycombinator.com.evil.example/item?id=1",
    ],
)
def test_other_pages_are_left_to_the_tiers(url: str) -> None:
    assert not HackerNewsSite(Upstreams(Replay([])), {}).handles(parse(url))


async def test_a_configured_base_url_is_used_for_items_too() -> None:
    replay = Replay([exchange("http://mirror.test/v0/item/1.json", text="null")])
    upstreams = Upstreams(
        replay, base_urls={"hackernews": "http://mirror.test"}, clock=FakeClock().clock()
    )

    with pytest.raises(NotFoundError):
        await HackerNewsSite(upstreams, {}).read(parse("https://news.ycombinator.com/item?id=1"))
