"""Bluesky posts and profiles (https://docs.bsky.app/docs/api/app-bsky-feed-get-post-thread)."""

import re
from typing import ClassVar
from urllib.parse import unquote, urlsplit

from pydantic import Field

from webquarry.errors import NotFoundError
from webquarry.models.model import Items, Text
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url
from webquarry.reading.sites.site import Keys, Site, SiteInfo, SiteWire, site_reading
from webquarry.reading.sites.site_markdown import (
    blockquote,
    count_label,
    join_blocks,
    join_facts,
    markdown_link,
    visible_text,
)

_PATH = re.compile(r"/profile/([\w.:%-]{3,300})(?:/post/(\w{1,50}))?/?")
_MAX_REPLIES = 5


class _Author(SiteWire):
    handle: str = ""
    name: str | None = Field(default=None, alias="displayName")
    description: str | None = None
    followers: int | None = Field(default=None, alias="followersCount")
    follows: int | None = Field(default=None, alias="followsCount")
    posts: int | None = Field(default=None, alias="postsCount")
    created: str | None = Field(default=None, alias="createdAt")

    @property
    def label(self) -> str:
        return f"{self.name} (@{self.handle})" if self.name else f"@{self.handle}"


class _Record(SiteWire):
    text: str | None = None
    created: str | None = Field(default=None, alias="createdAt")
    langs: Items[str] = ()


class _Image(SiteWire):
    alt: str | None = None
    fullsize: Text = ""


class _External(SiteWire):
    uri: str | None = None
    title: str | None = None


class _Embed(SiteWire):
    images: Items[_Image] = ()
    external: _External | None = None


class _Post(SiteWire):
    author: _Author
    record: _Record
    embed: _Embed | None = None
    replies: int | None = Field(default=None, alias="replyCount")
    reposts: int | None = Field(default=None, alias="repostCount")
    likes: int | None = Field(default=None, alias="likeCount")

    def facts(self) -> str:
        return join_facts(
            (self.record.created or "")[:10],
            count_label(self.likes, "like"),
            count_label(self.reposts, "repost"),
            count_label(self.replies, "reply", "replies"),
        )


class _Node(SiteWire):
    post: _Post | None = None  # missing when it is blocked or deleted
    parent: "_Node | None" = None
    replies: "tuple[_Node, ...] | None" = None


class _Thread(SiteWire):
    thread: _Node


class BlueskySite(Site):
    """Reads posts with their best replies, and profiles."""

    about: ClassVar = SiteInfo(
        name="bluesky",
        hosts=("bsky.app",),
        base_url="https://api.bsky.app",
        docs="https://docs.bsky.app/docs/category/http-reference",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        limits = ApiLimits(timeout=8, deadline=12, tries=2)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    def handles(self, url: Url) -> bool:
        return url.host == "bsky.app" and _PATH.fullmatch(urlsplit(url.href).path) is not None

    async def read(self, url: Url) -> Reading:
        match = _PATH.fullmatch(urlsplit(url.href).path)
        actor, key = (unquote(match[1]), match[2]) if match else ("", None)
        if key:
            return await self._post(url, f"at://{actor}/app.bsky.feed.post/{key}")
        return await self._profile(url, actor)

    async def _post(self, url: Url, uri: str) -> Reading:
        response = await self._api.get(
            "xrpc/app.bsky.feed.getPostThread",
            params={"uri": uri, "depth": 1, "parentHeight": 1},
            expect=(400,),
        )
        if response.status == 400:
            raise _not_found(url)
        node = self._api.decode(_Thread, response).thread
        if node.post is None:
            raise _not_found(url)
        replies = sorted(
            (reply.post for reply in node.replies or () if reply.post),
            key=lambda reply: -(reply.likes or 0),
        )
        return _thread_reading(url, node.post, node.parent.post if node.parent else None, replies)

    async def _profile(self, url: Url, actor: str) -> Reading:
        response = await self._api.get(
            "xrpc/app.bsky.actor.getProfile", params={"actor": actor}, expect=(400,)
        )
        if response.status == 400:
            raise _not_found(url)
        user = self._api.decode(_Author, response)
        text = join_blocks(
            f"# {user.label} on Bluesky",
            visible_text(user.description),
            join_facts(
                count_label(user.followers, "follower"),
                f"following {user.follows:,}" if user.follows is not None else "",
                count_label(user.posts, "post"),
                f"since {user.created[:10]}" if user.created else "",
            ),
        )
        metadata = PageMetadata(title=f"{user.label} on Bluesky", site="Bluesky")
        return site_reading(url, "bluesky", text, metadata)


def _thread_reading(url: Url, post: _Post, parent: _Post | None, replies: list[_Post]) -> Reading:
    quotation = blockquote(visible_text(parent.record.text)) if parent else ""
    text = join_blocks(
        f"# Post by {post.author.label} on Bluesky",
        f"In reply to {parent.author.label}:\n\n{quotation}" if parent else "",
        _body(post),
        post.facts(),
        "## Replies" if replies else "",
        *(_reply(reply) for reply in replies[:_MAX_REPLIES]),
    )
    first_line = visible_text(post.record.text).partition("\n")[0]
    author = post.author.name or post.author.handle
    metadata = PageMetadata(
        title=f"{author} on Bluesky: {first_line[:120]}".rstrip(": "),
        authors=(author,),
        site="Bluesky",
        published=(post.record.created or "")[:10],
        language=next(iter(post.record.langs), ""),
        kinds=("SocialMediaPosting",),
    )
    truncated = len(replies) > _MAX_REPLIES
    return site_reading(url, "bluesky", text, metadata, truncated=truncated)


def _body(post: _Post) -> str:
    embed = post.embed or _Embed()
    images = [f"- image: {_image_link(image)}" for image in embed.images]
    page = embed.external
    external = (
        markdown_link(visible_text(page.title) or page.uri, page.uri) if page and page.uri else ""
    )
    return join_blocks(visible_text(post.record.text), "\n".join(images), external)


def _image_link(image: _Image) -> str:
    url = image.fullsize
    return markdown_link(visible_text(image.alt) or url, url)


def _reply(post: _Post) -> str:
    return join_blocks(f"### {post.author.label}", _body(post), post.facts())


def _not_found(url: Url) -> NotFoundError:
    return NotFoundError(f"Not found: Bluesky does not show {url.href}. Check the URL.")
