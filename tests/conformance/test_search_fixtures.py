"""Search adapters against recorded responses of the real APIs, stored outside this repository."""

import html
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.replay import FakeClock
from webquarry.errors import ProviderError, RateLimitError
from webquarry.models.search import ImageQuery, NewsQuery, WebQuery
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.upstream.http_port import ApiRequest
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.bluesky import Bluesky
from webquarry.providers.brave import Brave
from webquarry.providers.duckduckgo import DuckDuckGo
from webquarry.providers.exa import Exa
from webquarry.providers.github import GitHub
from webquarry.providers.google import Google
from webquarry.providers.hackernews import HackerNews
from webquarry.providers.reddit import Reddit
from webquarry.providers.searchapi import SearchApi
from webquarry.providers.serper import Serper
from webquarry.providers.tavily import Tavily

FIXTURES = Path(__file__).parents[3] / "shared" / "fixtures"
pytestmark = [
    pytest.mark.anyio,
    pytest.mark.skipif(not FIXTURES.is_dir(), reason="the recorded answers are not here"),
]
KEYS: dict[str, str] = {
    "GOOGLE_CUSTOM_SEARCH_API_KEY": "k",
    "GOOGLE_CUSTOM_SEARCH_ID": "k",
    "BRAVE_API_KEY": "k",
    "SERPER_API_KEY": "k",
    "SEARCHAPI_API_KEY": "k",
    "TAVILY_API_KEY": "k",
    "EXA_API_KEY": "k",
}
MANY = 100
Row = tuple[str, str, str | None]  # title, URL, date


@dataclass
class RecordedHttp:
    """Responds to every request with one body."""

    body: bytes
    status: int = 200

    async def send(self, request: ApiRequest) -> FetchedResponse:
        return FetchedResponse(
            status=self.status,
            headers=Headers(),
            content=self.body,
            url=request.full_url,
        )


def upstreams(name: str, status: int = 200) -> Upstreams:
    body = (FIXTURES / name).read_bytes()
    if name.startswith("serper/"):  # recorded in batches: a list of responses
        body = json.dumps(json.loads(body)[0]).encode()
    return Upstreams(RecordedHttp(body, status), clock=FakeClock().clock())


def data(name: str) -> Any:
    found = json.loads((FIXTURES / name).read_text(encoding="utf-8"))
    return found[0] if name.startswith("serper/") else found


def text_of(markup: str | None) -> str:
    """Return the text of an HTML snippet, with another parser than the adapters use."""
    bare = "".join(part.rpartition(">")[2] for part in re.split(r"<(?=[a-z/])", markup or ""))
    return " ".join(html.unescape(bare).split())


def moment_of(text: str | None) -> str | None:
    """Return a date that the standard library can parse, in UTC."""
    if not text:
        return None
    moment = datetime.fromisoformat(text)
    return (
        (moment if moment.tzinfo else moment.replace(tzinfo=UTC))
        .astimezone(UTC)
        .strftime("%Y-%m-%dT%H:%M:%SZ")
    )


def google_rows(found: Any) -> Iterator[Row]:
    for item in found["items"]:
        tags = item.get("pagemap", {}).get("metatags", [{}])[0]
        yield item["title"], item["link"], moment_of(tags.get("article:published_time"))


def brave_rows(found: Any) -> Iterator[Row]:
    for item in found.get("web", found)["results"]:
        yield text_of(item["title"]), item["url"], moment_of(item.get("page_age"))


def plain_rows(key: str, link: str = "url", date: str = "") -> Callable[[Any], Iterator[Row]]:
    def rows(found: Any) -> Iterator[Row]:
        for item in found[key]:
            yield item["title"], item[link], moment_of(item.get(date))

    return rows


def hackernews_rows(found: Any) -> Iterator[Row]:
    for hit in found["hits"]:
        page = f"https://news.ycombinator.com/item?id={hit['objectID']}"
        yield html.unescape(hit["title"]), hit.get("url") or page, moment_of(hit["created_at"])


def bluesky_rows(found: Any) -> Iterator[Row]:
    for post in found["posts"]:
        author, key = post["author"], post["uri"].split("/")[-1]
        title = f"{author['displayName'] or author['handle']} (@{author['handle']}) on Bluesky"
        url = f"https://bsky.app/profile/{author['handle']}/post/{key}"
        yield title, url, moment_of(post["record"]["createdAt"])


WEB: list[tuple[str, type[Any], Callable[[Any], Iterator[Row]]]] = [
    ("google_cse/search_legacy_2011.json", Google, google_rows),
    ("google_cse/search_metagpt_num8.json", Google, google_rows),
    ("brave/web_hello_world.json", Brave, brave_rows),
    ("brave/web_recipe.json", Brave, brave_rows),
    ("serper/search_ai_agent_batch.json", Serper, plain_rows("organic", "link")),
    ("serper/search_metagpt_num8_batch.json", Serper, plain_rows("organic", "link")),
    ("searchapi/google_ceo_of_microsoft.json", SearchApi, plain_rows("organic_results", "link")),
    ("serpapi/google_metagpt_num8.json", SearchApi, plain_rows("organic_results", "link")),
    ("tavily/search_basic.json", Tavily, plain_rows("results")),
    ("tavily/search_include_domains.json", Tavily, plain_rows("results")),
    ("exa/search_contents_a.json", Exa, plain_rows("results", date="publishedDate")),
    ("exa/search_contents_c.json", Exa, plain_rows("results", date="publishedDate")),
    ("hackernews/algolia_search_by_date.json", HackerNews, hackernews_rows),
    ("bluesky/searchPosts_redistricting.json", Bluesky, bluesky_rows),
    ("github/search_issues.json", GitHub, plain_rows("items", "html_url", "created_at")),
]


@pytest.mark.parametrize(("name", "adapter", "rows"), WEB, ids=[case[0] for case in WEB])
async def test_titles_urls_and_dates_match_the_response(
    name: str, adapter: type[Any], rows: Callable[[Any], Iterator[Row]]
) -> None:
    found = await adapter(upstreams(name), KEYS).search_web(
        WebQuery(text="x", count=MANY, safe="off")
    )

    expected = list(rows(data(name)))
    assert expected
    assert [(r.title, r.url) for r in found] == [(title, url) for title, url, _ in expected]
    for result, (_, _, date) in zip(found, expected, strict=True):
        # the adapters parse more date formats than the standard library
        assert date is None or result.published == date
    assert any(result.snippet for result in found)


async def test_brave_news_match_the_response() -> None:
    name = "brave/news_hello_world.json"
    found = await Brave(upstreams(name), KEYS).search_news(NewsQuery(text="x", count=MANY))

    assert [(a.title, a.url, a.publishedAt) for a in found] == list(brave_rows(data(name)))
    assert [a.source for a in found] == [r["meta_url"]["hostname"] for r in data(name)["results"]]


async def test_brave_images_match_the_response() -> None:
    name = "brave/images_2.json"
    found = await Brave(upstreams(name), KEYS).search_images(ImageQuery(text="x", count=MANY))

    assert [(i.link, i.contextLink, i.thumbnailLink) for i in found] == [
        (r["properties"]["url"], r["url"], r["thumbnail"]["src"]) for r in data(name)["results"]
    ]


async def test_duckduckgo_results_match_the_page() -> None:
    name = "duckduckgo/html_rust_results.html"
    found = await DuckDuckGo(upstreams(name), {}).search_web(WebQuery(text="x", count=MANY))

    page = (FIXTURES / name).read_text(encoding="utf-8")
    anchors = re.findall(r'class="result__a" href="([^"]+)">(.*?)</a>', page, re.DOTALL)
    targets = [
        (text_of(title), parse_qs(urlsplit(html.unescape(href)).query).get("uddg", [href])[0])
        for href, title in anchors
        if "/y.js" not in href
    ]
    assert targets
    assert [(r.title, r.url) for r in found] == targets


@pytest.mark.parametrize("status", [200, 202])
async def test_duckduckgo_captcha_is_a_rate_limit(status: int) -> None:
    name = "duckduckgo/html_captcha_challenge.html"

    with pytest.raises(RateLimitError):
        await DuckDuckGo(upstreams(name, status), {}).search_web(WebQuery(text="x"))


def _inside(tag: str, entry: str) -> str | None:
    found = re.search(rf"<{tag}>(.*?)</{tag}>", entry, re.DOTALL)
    return found[1] if found else None


async def test_reddit_results_match_the_feed() -> None:
    name = "reddit/thread_rss.xml"
    found = await Reddit(upstreams(name), {}).search_web(WebQuery(text="x", count=MANY))

    feed = (FIXTURES / name).read_text(encoding="utf-8")
    entries = re.findall(r"<entry>.*?</entry>", feed, re.DOTALL)
    rows = [
        (
            html.unescape(_inside("title", entry) or ""),
            html.unescape(re.findall(r'<link href="([^"]+)"', entry)[0]),
            moment_of(_inside("published", entry) or _inside("updated", entry)),
        )
        for entry in entries
    ]
    assert rows
    assert [(r.title, r.url, r.published) for r in found] == rows


async def test_reddit_walls_are_errors() -> None:
    query = WebQuery(text="x")

    with pytest.raises(RateLimitError):
        await Reddit(upstreams("reddit/page_js_verification_shell.html"), {}).search_web(query)
    with pytest.raises(ProviderError):
        await Reddit(upstreams("reddit/page_network_policy_block.html", 403), {}).search_web(query)
