"""Reddit: a post with its best comments (https://www.reddit.com/dev/api), and what voters say."""

import re
from typing import Any, ClassVar, cast
from urllib.parse import urlsplit

from webquarry.content.text.length import truncate
from webquarry.errors import NotFoundError
from webquarry.models.page import PageMetadata, StructuredData
from webquarry.models.reading import ForumSignals, Reading
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url, parse, under
from webquarry.reading.sites.site import Keys, Site, SiteInfo, SiteWire
from webquarry.reading.sites.site_markdown import counted, day, joined, line, link, plain

_POST = re.compile(r"(?:/(?:r|user|u)/[\w-]+)?/comments/(\w{2,12})(?:/.*)?|/(\w{2,12})/?")
_COMMENTS = 10
_COMMENT_BYTES = 3_000
_FEW_VOTES = 20
_FEW = (
    "Fewer than 20 upvotes: hardly anybody has judged this post, and a few bought votes would "
    "have changed its rank."
)


class _Data(SiteWire):
    id: str | None = None
    title: str | None = None
    selftext: str | None = None
    body: str | None = None
    author: str | None = None
    subreddit: str | None = None
    url: str | None = None
    is_self: bool | None = None
    score: int | None = None
    num_comments: int | None = None
    created_utc: float | None = None
    stickied: bool | None = None
    children: "tuple[_Thing, ...] | None" = None


class _Thing(SiteWire):
    kind: str | None = None
    data: _Data


class RedditSite(Site):
    """Reads posts. Reddit refuses many networks; then the tiers try its page."""

    about: ClassVar = SiteInfo(
        name="reddit",
        base_url="https://www.reddit.com",
        docs="https://www.reddit.com/dev/api#GET_comments_{article}",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        self._api = upstreams.api(
            self.about.name, self.about.base_url, ApiLimits(timeout=8, deadline=12, tries=2)
        )

    def handles(self, url: Url) -> bool:
        return bool(_post(url))

    def page(self, url: Url) -> Url:
        """Return where the page is when the operator has a mirror of the site."""
        if self._api.base_url == self.about.base_url or url.host == "redd.it":
            return url
        parts = urlsplit(url.href)
        query = f"?{parts.query}" if parts.query else ""
        return parse(f"{self._api.base_url}{parts.path}{query}")

    async def read(self, url: Url) -> Reading:
        response = await self._api.get(
            f"comments/{_post(url)}.json",
            params={"raw_json": 1, "sort": "top", "limit": 50, "depth": 1},
        )
        listings = self._api.decode(tuple[_Thing, ...], response)
        posts = listings[0].data.children if listings else None
        if not posts:
            raise NotFoundError(f"Not found: Reddit has no post {url.href}. Check the URL.")
        comments = (listings[1].data.children or ()) if len(listings) > 1 else ()
        return _reading(url, posts[0].data, comments)


def is_reddit(href: str) -> bool:
    """Tell whether an address is on Reddit."""
    return under(parse(href).host, ("reddit.com", "redd.it"))


def forum_signals(structured: StructuredData) -> ForumSignals | None:
    """Return the votes and comments that a post's page states in its JSON-LD."""
    from webquarry.content.html.json_ld import nodes_of, types_of

    for node in nodes_of(list(structured.jsonLd)):
        if "DiscussionForumPosting" not in types_of(node):
            continue
        author = node.get("author")
        people = cast("list[Any]", author) if isinstance(author, list) else [author]
        named = [cast("dict[str, Any]", one).get("name") for one in people if isinstance(one, dict)]
        return signals(
            upvotes=_interactions(node, "Like") or _interactions(node, "Vote"),
            comments=_number(node.get("commentCount")) or _interactions(node, "Comment"),
            published=str(node.get("datePublished") or ""),
            author=str(next((name for name in named if name), "")),
        )
    return None


def signals(*, upvotes: int, comments: int, published: str, author: str) -> ForumSignals:
    """Return the signals with a word of caution where few have voted."""
    return ForumSignals(
        platform="reddit",
        upvotes=upvotes,
        comments=comments,
        datePublished=published or None,
        authorName=author or None,
        credibilityNote=_FEW if upvotes < _FEW_VOTES else None,
    )


def _interactions(node: dict[str, Any], kind: str) -> int:
    counters = node.get("interactionStatistic")
    many = cast("list[Any]", counters) if isinstance(counters, list) else [counters]
    for counter in many:
        if isinstance(counter, dict):
            found = cast("dict[str, Any]", counter)
            if kind in str(found.get("interactionType")):
                return _number(found.get("userInteractionCount"))
    return 0


def _number(value: Any) -> int:
    try:
        return int(value or 0)
    except (TypeError, ValueError):
        return 0


def _post(url: Url) -> str:
    """Return the id of the post a URL shows; empty for other pages."""
    if "redd" not in url.host:  # nearly all others, without a closer look
        return ""
    found = _POST.fullmatch(urlsplit(url.href).path)
    if found is None:
        return ""
    if url.host == "redd.it":
        return found[2] or ""
    return found[1] or "" if under(url.host, ("reddit.com",)) else ""


def _reading(url: Url, post: _Data, things: tuple[_Thing, ...]) -> Reading:
    said = [
        thing.data
        for thing in things
        if thing.kind == "t1" and plain(thing.data.body) and not thing.data.stickied
    ]
    title = plain(post.title) or "Reddit post"
    away = post.url or "" if not post.is_self else ""
    text = joined(
        f"# {title}",
        line(
            f"r/{post.subreddit}" if post.subreddit else "",
            f"u/{post.author}" if post.author else "",
            day(post.created_utc),
            counted(post.score, "point"),
            counted(post.num_comments, "comment"),
        ),
        link(away, away) if away else "",
        plain(post.selftext),
        "## Top comments" if said else "",
        *(_comment(comment) for comment in said[:_COMMENTS]),
    )
    published = day(post.created_utc)
    return Reading(
        url=url.href,
        address=url.href,
        markdown=text,
        kind="reddit",
        metadata=PageMetadata(
            title=title,
            authors=(post.author,) if post.author else (),
            site=f"Reddit r/{post.subreddit}" if post.subreddit else "Reddit",
            published=published,
            kinds=("DiscussionForumPosting",),
        ),
        forum=signals(
            upvotes=post.score or 0,
            comments=post.num_comments or 0,
            published=published,
            author=post.author or "",
        ),
        cut=(post.num_comments or 0) > min(len(said), _COMMENTS),
    )


def _comment(comment: _Data) -> str:
    by = f"u/{comment.author}" if comment.author else "deleted"
    head = f"### {line(by, day(comment.created_utc), counted(comment.score, 'point'))}"
    return joined(head, truncate(plain(comment.body), _COMMENT_BYTES).text)
