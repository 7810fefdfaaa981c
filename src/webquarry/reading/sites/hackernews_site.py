"""Hacker News through its own interface (https://github.com/HackerNews/API)."""

import asyncio
import re
from collections.abc import Sequence
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

from webquarry.errors import NotFoundError, ProviderError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.http_port import Response
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url, segment
from webquarry.reading.sites.site import Keys, Site, SiteInfo, SiteWire
from webquarry.reading.sites.site_markdown import counted, day, from_html, joined, line, link, plain

_SEARCH = "https://hn.algolia.com"
_ITEMS = "https://hacker-news.firebaseio.com"
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
_PAGE = re.compile(r"/(item|user)(?:/([\w-]+))?/?")
_COMMENTS = 10
_STORIES = 20


class _Item(SiteWire):
    id: int
    type: str | None = None
    by: str | None = None
    time: float | None = None
    title: str | None = None
    url: str | None = None
    text: str | None = None
    score: int | None = None
    descendants: int | None = None
    kids: tuple[int, ...] | None = None
    parent: int | None = None
    dead: bool | None = None
    deleted: bool | None = None

    @property
    def place(self) -> str:
        return f"{_SITE}/item?id={self.id}"

    def facts(self) -> str:
        """Return points, author, day and number of comments on one line."""
        by = f"by {self.by}" if self.by else ""
        return line(
            counted(self.score, "point"), by, day(self.time), counted(self.descendants, "comment")
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
        base_url=_ITEMS,
        docs="https://github.com/HackerNews/API",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        # an address given for the search serves the items too, unless these have one of their own
        search = upstreams.api("hackernews", _SEARCH).base_url
        usual = _ITEMS if search == _SEARCH else search
        limits = ApiLimits(timeout=8, deadline=15, tries=2)
        self._api = upstreams.api(self.about.name, usual, limits)

    def handles(self, url: Url) -> bool:
        if url.host != _HOST:
            return False
        path = urlsplit(url.href).path
        return path.strip("/") in _LISTS or bool(_PAGE.fullmatch(path) and _wanted(url)[1])

    async def read(self, url: Url) -> Reading:
        kind, name = _wanted(url)
        if kind == "item":
            return await self._item(url, name)
        if kind == "user":
            return await self._user(url, name)
        return await self._list(url, name)

    async def _item(self, url: Url, name: str) -> Reading:
        item = await self._get(name)
        if item is None:
            raise NotFoundError(f"Not found: Hacker News has no item {name}. Check the URL.")
        kids = item.kids or ()
        comments, lost = await self._all(kids[:_COMMENTS])
        shown = [_comment(found) for found in comments]
        title = plain(item.title) or f"Comment by {item.by or 'nobody'}"
        head = f"# {title}"
        above = link("Parent", f"{_SITE}/item?id={item.parent}") if item.parent else ""
        text = joined(
            head,
            item.url or "",
            item.facts(),
            above,
            from_html(item.text, _SITE),
            "## Top comments" if shown else "",
            *shown,
        )
        about = PageMetadata(
            title=title,
            authors=(item.by,) if item.by else (),
            site="Hacker News",
            published=day(item.time),
            kinds=("DiscussionForumPosting",),
        )
        return _reading(url, text, about, cut=len(kids) > _COMMENTS, lost=lost)

    async def _list(self, url: Url, name: str) -> Reading:
        path, title = _LISTS[name]
        response = await self._api.get(f"v0/{path}.json")
        ids = self._api.decode(tuple[int, ...], response)
        stories, lost = await self._all(ids[:_STORIES])
        rows = [f"{number}. {_row(story)}" for number, story in enumerate(stories, 1)]
        text = joined(f"# Hacker News: {title}", "\n".join(rows))
        about = PageMetadata(title=f"Hacker News: {title}", site="Hacker News")
        return _reading(url, text, about, cut=len(ids) > _STORIES, lost=lost)

    async def _user(self, url: Url, name: str) -> Reading:
        response = await self._api.get(f"v0/user/{segment(name)}.json")
        if _is_null(response):
            raise NotFoundError(f"Not found: Hacker News has no user {name}. Check the URL.")
        user = self._api.decode(_User, response)
        text = joined(
            f"# {user.id} on Hacker News",
            line(
                f"{user.karma:,} karma" if user.karma is not None else "",
                f"since {day(user.created)}" if user.created else "",
            ),
            from_html(user.about, _SITE),
        )
        about = PageMetadata(title=f"{user.id} on Hacker News", site="Hacker News")
        return _reading(url, text, about)

    async def _all(self, ids: Sequence[int]) -> tuple[list[_Item], int]:
        """Return the items that can be shown, and how many could not be had."""
        found = await asyncio.gather(*(self._get(str(n)) for n in ids), return_exceptions=True)
        lost = [item for item in found if isinstance(item, BaseException)]
        if foreign := [error for error in lost if not isinstance(error, ProviderError)]:
            raise foreign[0]
        items = [item for item in found if isinstance(item, _Item) and _readable(item)]
        return items, len(lost)

    async def _get(self, name: str) -> _Item | None:
        response = await self._api.get(f"v0/item/{segment(name)}.json")
        return None if _is_null(response) else self._api.decode(_Item, response)


def _wanted(url: Url) -> tuple[str, str]:
    """Return what kind of page it is and the name of the item, user or list."""
    parts = urlsplit(url.href)
    found = _PAGE.fullmatch(parts.path)
    if found is None:
        return "list", parts.path.strip("/")
    return found[1], found[2] or parse_qs(parts.query).get("id", [""])[0]


def _is_null(response: Response) -> bool:
    """Tell whether the answer says that there is nothing of that name."""
    return response.content.strip() == b"null"


def _readable(item: _Item) -> bool:
    return not item.dead and not item.deleted


def _row(story: _Item) -> str:
    title = link(plain(story.title) or "untitled", story.url or story.place)
    talk = link("discussion", story.place) if story.url else ""
    return line(title, story.facts(), talk)


def _comment(item: _Item) -> str:
    replies = counted(len(item.kids), "reply", "replies") if item.kids else ""
    head = f"### {line(item.by or 'nobody', day(item.time), replies)}"
    return joined(head, from_html(item.text, _SITE))


def _reading(
    url: Url, text: str, about: PageMetadata, *, cut: bool = False, lost: int = 0
) -> Reading:
    return Reading(
        url=url.href,
        address=url.href,
        markdown=text,
        kind="hn",
        metadata=about,
        cut=cut,
        complete=not lost,
        notes=(f"{lost} of the items could not be read.",) if lost else (),
    )
