"""Bluesky's search for posts (https://docs.bsky.app/docs/api/app-bsky-feed-search-posts)."""

from typing import ClassVar

from pydantic import Field

from webquarry.content.text.query_operators import compose
from webquarry.content.text.snippets import shorten_snippet
from webquarry.content.text.timestamps import SECONDS, to_rfc3339
from webquarry.models.model import Items
from webquarry.models.search import WebQuery, WebResult
from webquarry.net.upstream.http_port import Scalar
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.capabilities_search import SearchSupport
from webquarry.providers.provider import Keys, ProviderInfo, Wire
from webquarry.providers.search_wire import SEARCH_LIMITS, SearchPayload

_UNSAFE = frozenset(
    {"porn", "sexual", "nudity", "graphic-media", "gore", "nsfl", "sexual-figurative"}
)


class Bluesky:
    """Searches public posts."""

    # public.api.bsky.app needs no key either, but refuses searches
    about: ClassVar = ProviderInfo(
        name="bluesky",
        docs="https://docs.bsky.app/docs/api/app-bsky-feed-search-posts",
        base_url="https://api.bsky.app",
    )
    web_support: ClassVar = SearchSupport(
        max_results=100,
        filters=frozenset(("time_range", "language", "safe", "exact_terms")),
        approximated=frozenset({"language=zh-hant", "language=pt-br"}),  # posts have plain codes
        general=False,
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        self._api = upstreams.api(self.about.name, self.about.base_url, SEARCH_LIMITS)
        self._now = upstreams.clock.time

    async def search_web(self, query: WebQuery) -> list[WebResult]:
        now = self._now()
        since = now - SECONDS[query.time_range] if query.time_range else None
        params: dict[str, Scalar | None] = {
            "q": compose(query.text, exact=query.exact_terms),
            "limit": query.count,
            "sort": "top",
            "since": to_rfc3339(since, now),
            "lang": (query.language or "").partition("-")[0] or None,
        }
        response = await self._api.get("xrpc/app.bsky.feed.searchPosts", params=params)
        posts = self._api.decode(_Results, response).posts
        allowed = [post for post in posts if query.safe == "off" or not post.unsafe]
        return [post.to_web(now) for post in allowed if post.link]


class _Author(Wire):
    did: str = ""
    handle: str | None = None
    name: str | None = Field(default=None, alias="displayName")


class _Record(Wire):
    text: str | None = None
    created: str | None = Field(default=None, alias="createdAt")


class _Label(Wire):
    val: str = ""


class _Post(Wire):
    uri: str = ""
    author: _Author
    record: _Record
    likes: int | None = Field(default=None, alias="likeCount")
    replies: int | None = Field(default=None, alias="replyCount")
    reposts: int | None = Field(default=None, alias="repostCount")
    labels: Items[_Label] = ()

    @property
    def unsafe(self) -> bool:
        return any(label.val in _UNSAFE for label in self.labels)

    @property
    def handle(self) -> str:
        # an invalid handle no longer belongs to the account
        handle = self.author.handle
        return handle if handle and handle != "handle.invalid" else self.author.did

    @property
    def link(self) -> str:
        key = self.uri.rpartition("/")[2]
        return f"https://bsky.app/profile/{self.handle}/post/{key}" if key and self.handle else ""

    def to_web(self, now: float) -> WebResult:
        counts = ((self.likes, "likes"), (self.replies, "replies"), (self.reposts, "reposts"))
        numbers = ", ".join(f"{count} {what}" for count, what in counts if count)
        return WebResult(
            title=f"{self.author.name or self.handle} (@{self.handle}) on Bluesky",
            url=self.link,
            snippet=shorten_snippet(self.record.text) + (f" ({numbers})" if numbers else ""),
            published=to_rfc3339(self.record.created, now),
        )


class _Results(SearchPayload):
    expected_keys = ("posts",)
    posts: tuple[_Post, ...]
