"""Site readers against recorded responses, compared with an independent reading of the body."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.replay import FakeClock
from webquarry.content.html.read_html import read_html
from webquarry.errors import (
    AccessError,
    BlockedError,
    NotFoundError,
    RateLimitError,
    WebquarryError,
)
from webquarry.models.reading import Reading
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import parse
from webquarry.providers.crossref import Crossref
from webquarry.reading.sites.arxiv_site import ArxivSite
from webquarry.reading.sites.bluesky_site import BlueskySite
from webquarry.reading.sites.fxtwitter import FxTwitterSite
from webquarry.reading.sites.github_site import GitHubSite
from webquarry.reading.sites.hackernews_site import HackerNewsSite
from webquarry.reading.sites.reddit_site import RedditSite
from webquarry.reading.sites.site import Site
from webquarry.reading.sites.youtube import YouTubeSite
from webquarry.reading.sites.youtube_captions import parse_captions
from webquarry.reading.sites.youtube_player import Player, find_player
from webquarry.reading.tiers.read_errors import LoginWallError

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures"
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FIXTURES.is_dir(), reason="the recorded answers are not here"),
]
VIDEO = "https://www.youtube.com/watch?v=GJLlxj_dtq8"


class HttpByUrlPart:
    """`Http` that responds by a part of the URL; every other URL is 404."""

    def __init__(self, **responses: tuple[int, bytes]) -> None:
        self.responses = responses

    async def send(self, request: ApiRequest) -> FetchedResponse:
        for part, (status, content) in self.responses.items():
            if part in request.full_url:
                return FetchedResponse(status=status, headers=Headers(), content=content, url="")
        return FetchedResponse(status=404, headers=Headers(), content=b"", url="")


def body(name: str) -> bytes:
    return (FIXTURES / name).read_bytes()


def data(name: str) -> Any:
    return json.loads(body(name))


async def read(cls: type[Site], url: str, **responses: tuple[int, bytes]) -> Reading:
    upstreams = Upstreams(HttpByUrlPart(**responses), clock=FakeClock().clock())
    return await cls(upstreams, {}).read(parse(url))


async def failure(cls: type[Site], url: str, **responses: tuple[int, bytes]) -> WebquarryError:
    with pytest.raises(WebquarryError) as caught:
        await read(cls, url, **responses)
    return caught.value


async def test_a_post_on_x_is_read() -> None:
    raw = body("fxtwitter/status_photo.json").decode()

    reading = await read(FxTwitterSite, "https://x.com/TheEllenShow/status/440322224407314432",
                         status=(200, raw.encode()))  # fmt: skip

    text = re.search(r'"text":"([^"]+)"', raw)
    likes = re.search(r'"likes":(\d+),"bookmarks"', raw)
    assert text
    assert likes
    assert text[1] in reading.markdown
    assert f"{int(likes[1]):,} likes" in reading.markdown
    assert "https://pbs.twimg.com/media/BhxWutnCEAAtEQ6.jpg?name=orig" in reading.markdown
    assert reading.metadata.published == "2014-03-03"


@pytest.mark.parametrize("name", ["item_job_192327", "item_story_8863"])
async def test_items_of_hacker_news_are_read(name: str) -> None:
    raw = body(f"hackernews/firebase_{name}.json").decode()
    number = name.rpartition("_")[2]

    reading = await read(HackerNewsSite, f"https://news.ycombinator.com/item?id={number}",
                         **{f"item/{number}.json": (200, raw.encode()),
                            "item/": (200, b"null")})  # fmt: skip

    title = re.search(r'"title" : "([^"]+)"', raw)
    by = re.search(r'"by" : "([^"]+)"', raw)
    score = re.search(r'"score" : (\d+)', raw)
    assert title
    assert by
    assert score
    assert reading.metadata.title == title[1]
    assert reading.metadata.authors == (by[1],)
    assert f"{score[1]} points" in reading.markdown
    words = re.findall(r"[A-Za-z]{5,}", re.sub(r"<[^>]+>|\\n", " ", html.unescape(raw)))
    prose = set(words) - {"title", "score", "descendants", "story", "rel", "nofollow"}
    missing = {word for word in prose if word not in reading.markdown}
    assert missing <= {"screencast", "getdropbox"} or "job" in name
    assert "* Contribute to product design" in reading.markdown or "story" in name


async def test_a_post_on_bluesky_is_read() -> None:
    (post,) = data("bluesky/getPosts.json")["posts"]
    thread = json.dumps({"thread": {"post": post, "replies": []}}).encode()

    reading = await read(BlueskySite, "https://bsky.app/profile/soubhikbarari.bsky.social/post/3k7",
                         getPostThread=(200, thread))  # fmt: skip

    assert post["record"]["text"] in reading.markdown
    assert f"{post['likeCount']} likes" in reading.markdown
    assert reading.metadata.published == post["record"]["createdAt"][:10]
    assert reading.metadata.authors == (post["author"]["displayName"],)


async def test_every_post_found_on_bluesky_can_be_read() -> None:
    posts = data("bluesky/searchPosts_redistricting.json")["posts"]
    replies = [{"post": post} for post in posts]
    assert len(posts) > 5
    for post in posts:
        thread = json.dumps({"thread": {"post": post, "replies": replies}}).encode()
        reading = await read(BlueskySite, f"https://bsky.app/profile/{post['author']['handle']}/post/1",
                             getPostThread=(200, thread))  # fmt: skip
        assert post["record"]["text"].strip() in reading.markdown
        assert reading.truncated


async def test_a_profile_on_bluesky_is_read() -> None:
    (profile,) = data("bluesky/getProfiles.json")["profiles"]

    reading = await read(BlueskySite, "https://bsky.app/profile/chriskenny.bsky.social",
                         getProfile=(200, json.dumps(profile).encode()))  # fmt: skip

    assert profile["description"] in reading.markdown
    assert f"{profile['followersCount']} followers" in reading.markdown


async def test_a_thread_on_reddit_is_read() -> None:
    post, comments = (
        listing["data"]["children"] for listing in data("reddit/thread_comments_2gmzqe.json")
    )

    reading = await read(RedditSite, "https://www.reddit.com/r/redditdev/comments/2gmzqe/x/",
                         comments=(200, body("reddit/thread_comments_2gmzqe.json")))  # fmt: skip

    said = post[0]["data"]
    assert reading.metadata.title == said["title"]
    assert said["selftext"] in reading.markdown
    assert comments[0]["data"]["body"] in reading.markdown
    assert reading.forum
    assert (reading.forum.upvotes, reading.forum.comments) == (said["ups"], said["num_comments"])
    assert reading.forum.credibilityNote


async def test_a_thread_with_a_deleted_comment_on_reddit_is_read() -> None:
    reading = await read(RedditSite, "https://www.reddit.com/comments/52o2fl/_/",
                         comments=(200, body("reddit/thread_deleted_comment.json")))  # fmt: skip

    assert reading.metadata.title


async def test_a_blocked_reddit_page_is_an_error() -> None:
    quarantined = body("reddit/listing_quarantined_403.json")
    url = "https://www.reddit.com/r/ferguson/comments/abc/"

    assert isinstance(await failure(RedditSite, url, comments=(403, quarantined)), AccessError)
    shell = body("reddit/page_js_verification_shell.html")
    assert not isinstance(await failure(RedditSite, url, comments=(200, shell)), NotFoundError)


@pytest.mark.parametrize(
    "name", ["reddit/page_js_verification_shell.html", "reddit/page_network_policy_block.html",
             "youtube/consent_page.html", "youtube/too_many_requests_429.html"],
)  # fmt: skip
def test_walls_are_recognised(name: str) -> None:
    page = read_html(body(name), url="https://a.test/", content_type="text/html")

    assert page.wall is not None or page.word_count == 0


@pytest.mark.parametrize("name", ["id_old_style_astro-ph_200", "id_list_two_one_bad_200"])
async def test_abstracts_of_arxiv_are_read(name: str) -> None:
    raw = body(f"arxiv/{name}.xml").decode()

    reading = await read(
        ArxivSite, "https://arxiv.org/abs/astro-ph/0601001", query=(200, raw.encode())
    )

    entry = raw[raw.index("<entry>") :]
    title = re.search(r"<title>(.*?)</title>", entry, re.DOTALL)
    assert title
    assert reading.metadata.title == " ".join(html.unescape(title[1]).split())
    names = re.findall(r"<name>(.*?)</name>", entry.partition("</entry>")[0])
    assert reading.metadata.authors == tuple(map(html.unescape, names))
    summary = re.search(r"<summary>(.*?)</summary>", entry, re.DOTALL)
    assert summary
    assert " ".join(html.unescape(summary[1]).split()) in reading.markdown


@pytest.mark.parametrize(
    ("name", "status"), [("id_withdrawn_or_missing_200", 200), ("id_bad_format_400", 400)]
)
async def test_papers_that_arxiv_does_not_have_are_not_found(name: str, status: int) -> None:
    error = await failure(
        ArxivSite, "https://arxiv.org/abs/0808.05394", query=(status, body(f"arxiv/{name}.xml"))
    )

    assert isinstance(error, NotFoundError)


async def test_the_latest_release_of_a_repository_is_shown() -> None:
    newest = data("github/releases_claude_code.json")[0]
    repository = json.dumps({"full_name": "anthropics/claude-code"}).encode()

    reading = await read(GitHubSite, "https://github.com/anthropics/claude-code",
                         releases=(200, json.dumps(newest).encode()), readme=(200, b"# Hi"),
                         contributors=(200, b"[]"), claude=(200, repository))  # fmt: skip

    assert f"- Latest release: {newest['tag_name']} · {newest['published_at'][:10]}" in (
        reading.markdown
    )


@pytest.mark.parametrize("name", ["watch_page_captions", "watch_page_2lAe1cqCOXo_2022"])
def test_watch_pages_contain_the_video_title(name: str) -> None:
    raw = body(f"youtube/{name}.html").decode()

    player = find_player(raw)

    title = re.search(r'<meta (?:name|property)="(?:og:)?title" content="([^"]+)"', raw)
    assert title
    assert player.details.title == html.unescape(title[1])
    assert player.details.shortDescription
    assert len(player.tracks) <= raw.count('"languageCode"')


async def test_captions_come_from_the_app_api_when_the_page_requires_a_po_token() -> None:
    player = data("youtube/player_captions.json")
    captions = body("youtube/json3_manual_captions.json")

    reading = await read(YouTubeSite, VIDEO, watch=(200, b"<html></html>"),
                         youtubei=(200, json.dumps(player).encode()),
                         timedtext=(200, captions))  # fmt: skip

    assert reading.metadata.title == player["videoDetails"]["title"]
    assert reading.metadata.language == "en"
    for event in data("youtube/json3_manual_captions.json")["events"][:50]:
        caption = "".join(part["utf8"] for part in event.get("segs", []))
        assert " ".join(caption.split()) in reading.markdown
    assert "## Highlights" in reading.markdown


def test_every_caption_is_read() -> None:
    events = data("youtube/json3_manual_captions.json")["events"]
    lines = parse_captions(body("youtube/json3_manual_captions.json").decode())

    assert len(lines) == sum(1 for event in events if event.get("segs"))
    assert lines[0].seconds == events[0]["tStartMs"] / 1000


def test_caption_tracks_that_require_a_po_token_are_not_used() -> None:
    proof = Player.model_validate(data("youtube/player_captions_po_token_required.json"))
    plain = Player.model_validate(data("youtube/player_captions.json"))

    assert len(proof.tracks) < len(plain.tracks)
    assert not any("exp=xpe" in track.baseUrl for track in proof.tracks)
    assert plain.tracks[0].languageCode == "en"
    assert not plain.tracks[0].automatic


@pytest.mark.parametrize(
    ("name", "error"),
    [("player_age_restricted", LoginWallError), ("player_video_unavailable", NotFoundError)],
)
async def test_unavailable_and_restricted_videos_are_errors(
    name: str, error: type[WebquarryError]
) -> None:
    found = await failure(YouTubeSite, VIDEO, watch=(200, b"<html></html>"),
                          youtubei=(200, body(f"youtube/{name}.json")))  # fmt: skip

    assert isinstance(found, error)
    assert data(f"youtube/{name}.json")["playabilityStatus"]["reason"] in str(found)


async def test_consent_and_rate_limit_pages_of_youtube_are_errors() -> None:
    consent = await failure(YouTubeSite, VIDEO, watch=(200, body("youtube/consent_page.html")))
    limited = await failure(
        YouTubeSite, VIDEO, watch=(429, body("youtube/too_many_requests_429.html"))
    )

    assert isinstance(consent, BlockedError)
    assert isinstance(limited, RateLimitError)


@pytest.mark.parametrize(
    ("name", "kind", "retracted"),
    [
        ("retraction_watch_wakefield_lancet", "retraction", True),
        ("retraction_watch_eoc_only", "expression_of_concern", False),
    ],
)
async def test_crossref_notices_are_reported(name: str, kind: str, *, retracted: bool) -> None:
    raw = body(f"crossref_retraction/{name}.json")
    upstreams = Upstreams(HttpByUrlPart(works=(200, raw)), clock=FakeClock().clock())

    found = await Crossref(upstreams, {}).status(
        data(f"crossref_retraction/{name}.json")["message"]["DOI"]
    )

    assert found
    assert (found.kind, found.retracted, found.source) == (kind, retracted, "retraction-watch")
    notices = data(f"crossref_retraction/{name}.json")["message"]["updated-by"]
    assert found.noticeDoi in {notice["DOI"] for notice in notices if notice["type"] == kind}


async def test_a_crossref_work_without_notices_is_not_retracted() -> None:
    raw = body("crossref_retraction/no_update_numpy.json")
    upstreams = Upstreams(HttpByUrlPart(works=(200, raw)), clock=FakeClock().clock())

    assert await Crossref(upstreams, {}).status("10.1038/s41586-020-2649-2") is None
