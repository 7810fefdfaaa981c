"""Bluesky posts and profiles (https://docs.bsky.app/docs/api/app-bsky-feed-get-post-thread)."""

import re
from typing import ClassVar
from urllib.parse import unquote, urlsplit

from pydantic import Field

from webquarry.errors import NotFoundError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url
from webquarry.reading.sites.site import Keys, Site, SiteInfo, SiteWire
from webquarry.reading.sites.site_markdown import counted, joined, line, link, plain, quoted

_PAGE = re.compile(r"/profile/([\w.:%-]{3,300})(?:/post/(\w{1,50}))?/?")
_REPLIES = 5


class _Author(SiteWire):
    handle: str = ""
    name: str | None = Field(default=None, alias="displayName")
    description: str | None = None
    followers: int | None = Field(default=None, alias="followersCount")
    follows: int | None = Field(default=None, alias="followsCount")
    posts: int | None = Field(default=None, alias="postsCount")
    created: str | None = Field(default=None, alias="createdAt")

    @property
    def shown(self) -> str:
        return f"{self.name} (@{self.handle})" if self.name else f"@{self.handle}"


class _Record(SiteWire):
    text: str | None = None
    created: str | None = Field(default=None, alias="createdAt")
    langs: tuple[str, ...] | None = None


class _Image(SiteWire):
    alt: str | None = None
    fullsize: str | None = None


class _External(SiteWire):
    uri: str | None = None
    title: str | None = None


class _Embed(SiteWire):
    images: tuple[_Image, ...] | None = None
    external: _External | None = None


class _Post(SiteWire):
    author: _Author
    record: _Record
    embed: _Embed | None = None
    replies: int | None = Field(default=None, alias="replyCount")
    reposts: int | None = Field(default=None, alias="repostCount")
    likes: int | None = Field(default=None, alias="likeCount")

    def facts(self) -> str:
        return line(
            (self.record.created or "")[:10],
            counted(self.likes, "like"),
            counted(self.reposts, "repost"),
            counted(self.replies, "reply", "replies"),
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
        base_url="https://api.bsky.app",
        docs="https://docs.bsky.app/docs/category/http-reference",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        limits = ApiLimits(timeout=8, deadline=12, tries=2)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    def handles(self, url: Url) -> bool:
        return url.host == "bsky.app" and _PAGE.fullmatch(urlsplit(url.href).path) is not None

    async def read(self, url: Url) -> Reading:
        found = _PAGE.fullmatch(urlsplit(url.href).path)
        who, key = (unquote(found[1]), found[2]) if found else ("", None)
        if key:
            return await self._post(url, f"at://{who}/app.bsky.feed.post/{key}")
        return await self._profile(url, who)

    async def _post(self, url: Url, uri: str) -> Reading:
        response = await self._api.get(
            "xrpc/app.bsky.feed.getPostThread",
            params={"uri": uri, "depth": 1, "parentHeight": 1},
            expect=(400,),
        )
        if response.status == 400:
            raise _absent(url)
        node = self._api.decode(_Thread, response).thread
        if node.post is None:
            raise _absent(url)
        post, above = node.post, node.parent.post if node.parent else None
        answers = sorted(
            (reply.post for reply in node.replies or () if reply.post),
            key=lambda reply: -(reply.likes or 0),
        )
        text = joined(
            f"# Post by {post.author.shown} on Bluesky",
            f"In reply to {above.author.shown}:\n\n{quoted(plain(above.record.text))}"
            if above
            else "",
            _body(post),
            post.facts(),
            "## Replies" if answers else "",
            *(_reply(answer) for answer in answers[:_REPLIES]),
        )
        first = plain(post.record.text).partition("\n")[0]
        who = post.author.name or post.author.handle
        about = PageMetadata(
            title=f"{who} on Bluesky: {first[:120]}".rstrip(": "),
            authors=(who,),
            site="Bluesky",
            published=(post.record.created or "")[:10],
            language=next(iter(post.record.langs or ()), ""),
            kinds=("SocialMediaPosting",),
        )
        return _reading(url, text, about, cut=len(answers) > _REPLIES)

    async def _profile(self, url: Url, who: str) -> Reading:
        response = await self._api.get(
            "xrpc/app.bsky.actor.getProfile", params={"actor": who}, expect=(400,)
        )
        if response.status == 400:
            raise _absent(url)
        user = self._api.decode(_Author, response)
        text = joined(
            f"# {user.shown} on Bluesky",
            plain(user.description),
            line(
                counted(user.followers, "follower"),
                f"following {user.follows:,}" if user.follows is not None else "",
                counted(user.posts, "post"),
                f"since {user.created[:10]}" if user.created else "",
            ),
        )
        about = PageMetadata(title=f"{user.shown} on Bluesky", site="Bluesky")
        return _reading(url, text, about)


def _body(post: _Post) -> str:
    embed = post.embed or _Embed()
    images = [
        f"- image: {link(plain(image.alt) or image.fullsize or '', image.fullsize or '')}"
        for image in embed.images or ()
    ]
    page = embed.external
    linked = link(plain(page.title) or page.uri, page.uri) if page and page.uri else ""
    return joined(plain(post.record.text), "\n".join(images), linked)


def _reply(post: _Post) -> str:
    return joined(f"### {post.author.shown}", _body(post), post.facts())


def _absent(url: Url) -> NotFoundError:
    return NotFoundError(f"Not found: Bluesky does not show {url.href}. Check the URL.")


def _reading(url: Url, text: str, about: PageMetadata, *, cut: bool = False) -> Reading:
    return Reading(
        url=url.href, address=url.href, markdown=text, kind="bluesky", metadata=about, cut=cut
    )
