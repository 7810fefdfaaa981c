"""Hacker News through its API (https://github.com/HackerNews/API)."""

import asyncio
import re
from collections.abc import Sequence
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

from webquarry.errors import NotFoundError, ProviderError
from webquarry.models.model import Text
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.client.response import FetchedResponse
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url, path_segment
from webquarry.reading.sites.site import Keys, Site, SiteInfo, SiteWire, site_reading
from webquarry.reading.sites.site_markdown import (
    count_label,
    html_to_markdown,
    join_blocks,
    join_facts,
    markdown_link,
    utc_date,
    visible_text,
)

_SEARCH_API = "https://hn.algolia.com"
_ITEMS_API = "https://hacker-news.firebaseio.com"
_HOST = "news.ycombinator.com"
_SITE = f"https://{_HOST}"
_LISTS = {
    "": ("topstories", "Top stories"),
    "news": ("topstories", "Top stories"),
    "newest": ("newstories", "New stories"),
    "best": ("beststories", "Best stories"),
    "ask": ("askstories", "Ask HN"),
    "show": ("showstories", "Show HN"),
    "jobs": ("jobstories", "Jobs"),
}
_PATH = re.compile(r"/(item|user)(?:/([\w-]+))?/?")
_MAX_COMMENTS = 10
_MAX_STORIES = 20


class _Item(SiteWire):
    id: int
    type: str | None = None
    by: str | None = None
    time: float | None = None
    title: str | None = None
    url: Text = ""
    text: str | None = None
    score: int | None = None
    descendants: int | None = None
    kids: tuple[int, ...] | None = None
    parent: int | None = None
    dead: bool | None = None
    deleted: bool | None = None

    @property
    def page_url(self) -> str:
        return f"{_SITE}/item?id={self.id}"

    def facts(self) -> str:
        """Return points, author, day and number of comments on one line."""
        by = f"by {self.by}" if self.by else ""
        return join_facts(
            count_label(self.score, "point"),
            by,
            utc_date(self.time),
            count_label(self.descendants, "comment"),
        )


class _User(SiteWire):
    id: str
    created: float | None = None
    karma: int | None = None
    about: str | None = None


class HackerNewsSite(Site):
    """Reads stories with their comments, lists of stories, and users."""

    about: ClassVar = SiteInfo(
        name="hackernews_items",
        hosts=(_HOST,),
        base_url=_ITEMS_API,
        docs="https://github.com/HackerNews/API",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        # a mirror configured for the search API also serves the items, unless they have their own
        search = upstreams.api("hackernews", _SEARCH_API).base_url
        default = _ITEMS_API if search == _SEARCH_API else search
        limits = ApiLimits(timeout=8, deadline=15, tries=2)
        self._api = upstreams.api(self.about.name, default, limits)

    def handles(self, url: Url) -> bool:
        if url.host != _HOST:
            return False
        path = urlsplit(url.href).path
        return path.strip("/") in _LISTS or bool(_PATH.fullmatch(path) and _page_kind(url)[1])

    async def read(self, url: Url) -> Reading:
        kind, name = _page_kind(url)
        if kind == "item":
            return await self._item(url, name)
        if kind == "user":
            return await self._user(url, name)
        return await self._list(url, name)

    async def _item(self, url: Url, name: str) -> Reading:
        item = await self._get(name)
        if item is None:
            raise NotFoundError(f"Not found: Hacker News has no item {name}. Check the URL.")
        comment_ids = item.kids or ()
        comments, failed = await self._items(comment_ids[:_MAX_COMMENTS])
        title = visible_text(item.title) or f"Comment by {item.by or 'nobody'}"
        parent = f"{_SITE}/item?id={item.parent}" if item.parent else ""
        text = join_blocks(
            f"# {title}",
            item.url,
            item.facts(),
            markdown_link("Parent", parent) if parent else "",
            html_to_markdown(item.text, _SITE),
            "## Top comments" if comments else "",
            *(_comment(comment) for comment in comments),
        )
        metadata = PageMetadata(
            title=title,
            authors=(item.by,) if item.by else (),
            site="Hacker News",
            published=utc_date(item.time),
            kinds=("DiscussionForumPosting",),
        )
        truncated = len(comment_ids) > _MAX_COMMENTS
        return _reading(url, text, metadata, truncated=truncated, failed=failed)

    async def _list(self, url: Url, name: str) -> Reading:
        path, title = _LISTS[name]
        response = await self._api.get(f"v0/{path}.json")
        ids = self._api.decode(tuple[int, ...], response)
        stories, failed = await self._items(ids[:_MAX_STORIES])
        rows = [f"{number}. {_row(story)}" for number, story in enumerate(stories, 1)]
        text = join_blocks(f"# Hacker News: {title}", "\n".join(rows))
        metadata = PageMetadata(title=f"Hacker News: {title}", site="Hacker News")
        truncated = len(ids) > _MAX_STORIES
        return _reading(url, text, metadata, truncated=truncated, failed=failed)

    async def _user(self, url: Url, name: str) -> Reading:
        response = await self._api.get(f"v0/user/{path_segment(name)}.json")
        if _is_null(response):
            raise NotFoundError(f"Not found: Hacker News has no user {name}. Check the URL.")
        user = self._api.decode(_User, response)
        text = join_blocks(
            f"# {user.id} on Hacker News",
            join_facts(
                f"{user.karma:,} karma" if user.karma is not None else "",
                f"since {utc_date(user.created)}" if user.created else "",
            ),
            html_to_markdown(user.about, _SITE),
        )
        metadata = PageMetadata(title=f"{user.id} on Hacker News", site="Hacker News")
        return _reading(url, text, metadata)

    async def _items(self, ids: Sequence[int]) -> tuple[list[_Item], int]:
        """Return the items that are shown, and how many could not be fetched."""
        results = await asyncio.gather(*(self._get(str(n)) for n in ids), return_exceptions=True)
        errors = [result for result in results if isinstance(result, BaseException)]
        for error in errors:
            if not isinstance(error, ProviderError):
                raise error
        items = [item for item in results if isinstance(item, _Item) and _is_shown(item)]
        return items, len(errors)

    async def _get(self, name: str) -> _Item | None:
        response = await self._api.get(f"v0/item/{path_segment(name)}.json")
        return None if _is_null(response) else self._api.decode(_Item, response)


def _page_kind(url: Url) -> tuple[str, str]:
    """Return the kind of page and the id of its item, user or list."""
    parts = urlsplit(url.href)
    match = _PATH.fullmatch(parts.path)
    if match is None:
        return "list", parts.path.strip("/")
    return match[1], match[2] or parse_qs(parts.query).get("id", [""])[0]


def _is_null(response: FetchedResponse) -> bool:
    """Return whether the response says that the item or user does not exist."""
    return response.content.strip() == b"null"


def _is_shown(item: _Item) -> bool:
    return not item.dead and not item.deleted


def _row(story: _Item) -> str:
    title = markdown_link(visible_text(story.title) or "untitled", story.url or story.page_url)
    discussion = markdown_link("discussion", story.page_url) if story.url else ""
    return join_facts(title, story.facts(), discussion)


def _comment(item: _Item) -> str:
    replies = count_label(len(item.kids), "reply", "replies") if item.kids else ""
    head = f"### {join_facts(item.by or 'nobody', utc_date(item.time), replies)}"
    return join_blocks(head, html_to_markdown(item.text, _SITE))


def _reading(
    url: Url, text: str, metadata: PageMetadata, *, truncated: bool = False, failed: int = 0
) -> Reading:
    notes = (f"{failed} of the items could not be read.",) if failed else ()
    return site_reading(
        url, "hn", text, metadata, truncated=truncated, complete=not failed, notes=notes
    )
