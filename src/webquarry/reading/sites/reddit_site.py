"""Reddit: a post with its best comments and votes (https://www.reddit.com/dev/api)."""

import re
from typing import Any, ClassVar, cast
from urllib.parse import urlsplit

from webquarry.content.text.length import truncate
from webquarry.errors import NotFoundError
from webquarry.models.model import Text
from webquarry.models.page import PageMetadata, StructuredData
from webquarry.models.reading import ForumSignals, Reading
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url, in_domains, parse
from webquarry.reading.sites.site import Keys, Site, SiteInfo, SiteWire, site_reading
from webquarry.reading.sites.site_markdown import (
    count_label,
    join_blocks,
    join_facts,
    markdown_link,
    utc_date,
    visible_text,
)

_POST = re.compile(r"(?:/(?:r|user|u)/[\w-]+)?/comments/(\w{2,12})(?:/.*)?|/(\w{2,12})/?")
_HTML_TIERS = frozenset({"stealth", "html", "browser"})
_MAX_COMMENTS = 10
_MAX_COMMENT_BYTES = 3_000
_MIN_VOTES = 20
_FEW_VOTES_NOTE = (
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
    url: Text = ""
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
    """Reads posts. Reddit refuses many networks; then the tiers try the page."""

    about: ClassVar = SiteInfo(
        name="reddit",
        hosts=("reddit.com", "redd.it"),
        base_url="https://www.reddit.com",
        docs="https://www.reddit.com/dev/api#GET_comments_{article}",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        self._api = upstreams.api(
            self.about.name, self.about.base_url, ApiLimits(timeout=8, deadline=12, tries=2)
        )

    def handles(self, url: Url) -> bool:
        return bool(_post_id(url))

    def fallback_url(self, url: Url) -> Url:
        """Return the URL on the mirror that the operator has configured."""
        if self._api.base_url == self.about.base_url or url.host == "redd.it":
            return url
        parts = urlsplit(url.href)
        query = f"?{parts.query}" if parts.query else ""
        return parse(f"{self._api.base_url}{parts.path}{query}")

    def annotate(self, reading: Reading) -> Reading:
        """Return the page with the votes and comments that its JSON-LD states."""
        if reading.tier not in _HTML_TIERS:
            return reading
        return reading.model_copy(update={"forum": forum_signals(reading.structured)})

    async def read(self, url: Url) -> Reading:
        response = await self._api.get(
            f"comments/{_post_id(url)}.json",
            params={"raw_json": 1, "sort": "top", "limit": 50, "depth": 1},
        )
        listings = self._api.decode(tuple[_Thing, ...], response)
        posts = listings[0].data.children if listings else None
        if not posts:
            raise NotFoundError(f"Not found: Reddit has no post {url.href}. Check the URL.")
        comments = (listings[1].data.children or ()) if len(listings) > 1 else ()
        return _reading(url, posts[0].data, comments)


def forum_signals(structured: StructuredData) -> ForumSignals | None:
    """Return the votes and comments that a post's page states in its JSON-LD."""
    from webquarry.content.html.json_ld import json_ld_nodes, types_of

    for node in json_ld_nodes(list(structured.jsonLd)):
        if "DiscussionForumPosting" not in types_of(node):
            continue
        author = node.get("author")
        authors = cast("list[Any]", author) if isinstance(author, list) else [author]
        names = [cast("dict[str, Any]", a).get("name") for a in authors if isinstance(a, dict)]
        return signals(
            upvotes=_interactions(node, "Like") or _interactions(node, "Vote"),
            comments=_number(node.get("commentCount")) or _interactions(node, "Comment"),
            published=str(node.get("datePublished") or ""),
            author=str(next((name for name in names if name), "")),
        )
    return None


def signals(*, upvotes: int, comments: int, published: str, author: str) -> ForumSignals:
    """Return the signals, with a note when few users have voted."""
    return ForumSignals(
        platform="reddit",
        upvotes=upvotes,
        comments=comments,
        datePublished=published,
        authorName=author,
        credibilityNote=_FEW_VOTES_NOTE if upvotes < _MIN_VOTES else None,
    )


def _interactions(node: dict[str, Any], kind: str) -> int:
    counters = node.get("interactionStatistic")
    entries = cast("list[Any]", counters) if isinstance(counters, list) else [counters]
    for entry in entries:
        if isinstance(entry, dict):
            counter = cast("dict[str, Any]", entry)
            if kind in str(counter.get("interactionType")):
                return _number(counter.get("userInteractionCount"))
    return 0


def _number(value: Any) -> int:
    try:
        return int(value or 0)
    except (TypeError, ValueError):
        return 0


def _post_id(url: Url) -> str:
    """Return the id of the post a URL shows; empty for other pages."""
    match = _POST.fullmatch(urlsplit(url.href).path)
    if match is None:
        return ""
    if url.host == "redd.it":
        return match[2] or ""
    return match[1] or "" if in_domains(url.host, ("reddit.com",)) else ""


def _reading(url: Url, post: _Data, things: tuple[_Thing, ...]) -> Reading:
    comments = [thing.data for thing in things if _is_comment(thing)]
    title = visible_text(post.title) or "Reddit post"
    target = (post.url) if not post.is_self else ""
    text = join_blocks(
        f"# {title}",
        _facts(post),
        markdown_link(target, target) if target else "",
        visible_text(post.selftext),
        "## Top comments" if comments else "",
        *(_comment(comment) for comment in comments[:_MAX_COMMENTS]),
    )
    comment_count = post.num_comments or 0
    return site_reading(
        url,
        "reddit",
        text,
        _metadata(post, title),
        forum=signals(
            upvotes=post.score or 0,
            comments=comment_count,
            published=utc_date(post.created_utc),
            author=post.author or "",
        ),
        truncated=comment_count > min(len(comments), _MAX_COMMENTS),
    )


def _is_comment(thing: _Thing) -> bool:
    return thing.kind == "t1" and bool(visible_text(thing.data.body)) and not thing.data.stickied


def _facts(post: _Data) -> str:
    return join_facts(
        f"r/{post.subreddit}" if post.subreddit else "",
        f"u/{post.author}" if post.author else "",
        utc_date(post.created_utc),
        count_label(post.score, "point"),
        count_label(post.num_comments, "comment"),
    )


def _metadata(post: _Data, title: str) -> PageMetadata:
    return PageMetadata(
        title=title,
        authors=(post.author,) if post.author else (),
        site=f"Reddit r/{post.subreddit}" if post.subreddit else "Reddit",
        published=utc_date(post.created_utc),
        kinds=("DiscussionForumPosting",),
    )


def _comment(comment: _Data) -> str:
    author = f"u/{comment.author}" if comment.author else "deleted"
    points = count_label(comment.score, "point")
    head = f"### {join_facts(author, utc_date(comment.created_utc), points)}"
    return join_blocks(head, truncate(visible_text(comment.body), _MAX_COMMENT_BYTES).text)
