"""X and Twitter through FxTwitter, which needs no account (https://docs.fxtwitter.com)."""

import re
from typing import ClassVar
from urllib.parse import urlsplit

from pydantic import Field

from webquarry.errors import NotFoundError
from webquarry.models.model import Items, Text
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url, path_segment
from webquarry.reading.sites.site import Keys, Site, SiteInfo, SiteWire, site_reading
from webquarry.reading.sites.site_markdown import (
    blockquote,
    count_label,
    join_blocks,
    join_facts,
    markdown_link,
    utc_date,
    visible_text,
)

_HOSTS = frozenset(
    {"x.com", "www.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com", "mobile.x.com"}
)
_STATUS = re.compile(r"/(\w{1,20}|i/web)/status(?:es)?/(\d{1,25})(?:/.*)?")
_PROFILE = re.compile(r"/(\w{1,20})/?")
_RESERVED_NAMES = frozenset(
    {"home", "search", "explore", "i", "login", "settings", "notifications", "messages", "hashtag",
     "tos", "privacy", "about", "compose", "jobs", "signup"}
)  # fmt: skip


class _Author(SiteWire):
    name: str | None = None
    screen_name: str | None = None
    description: str | None = None
    followers: int | None = None
    following: int | None = None
    tweets: int | None = None
    joined: str | None = None
    location: str | None = None

    @property
    def label(self) -> str:
        handle = f"@{self.screen_name}" if self.screen_name else ""
        return f"{self.name} ({handle})" if self.name and handle else self.name or handle


class _Medium(SiteWire):
    type: str | None = None
    url: str | None = None
    alt: str | None = Field(default=None, alias="altText")


class _Media(SiteWire):
    all: Items[_Medium] = ()


class _Note(SiteWire):
    text: str | None = None


class _Tweet(SiteWire):
    url: str | None = None
    text: str | None = None
    author: _Author | None = None
    created_timestamp: float | None = None
    replies: int | None = None
    retweets: int | None = None
    likes: int | None = None
    views: int | None = None
    lang: Text = ""
    replying_to: str | None = None
    media: _Media | None = None
    quote: "_Tweet | None" = None
    community_note: _Note | None = None


class _ApiResponse(SiteWire):
    code: int
    message: str | None = None
    tweet: _Tweet | None = None
    user: _Author | None = None


class FxTwitterSite(Site):
    """Reads posts and profiles."""

    about: ClassVar = SiteInfo(
        name="fxtwitter",
        hosts=("x.com", "twitter.com"),
        base_url="https://api.fxtwitter.com",
        docs="https://docs.fxtwitter.com",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        limits = ApiLimits(timeout=5, deadline=10, tries=2)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    def handles(self, url: Url) -> bool:
        return url.host in _HOSTS and _api_path(url) is not None

    async def read(self, url: Url) -> Reading:
        content = await self._get(_api_path(url) or "")
        if content.tweet:
            return _post(url, content.tweet)
        if content.user:
            return _profile(url, content.user)
        raise NotFoundError(f"Not found: {url.href} is neither a post nor a profile.")

    async def _get(self, path: str) -> _ApiResponse:
        response = await self._api.get(path, expect=(404, 401))
        content = self._api.decode(_ApiResponse, response)
        if content.code in {401, 404}:
            reason = visible_text(content.message).lower().replace("_", " ") or "not there"
            raise NotFoundError(
                f"Not found: X does not show this ({reason}). It may be deleted or private."
            )
        return content


def _api_path(url: Url) -> str | None:
    path = urlsplit(url.href).path
    if status := _STATUS.fullmatch(path):
        name = "i" if "/" in status[1] else status[1]
        return f"{path_segment(name)}/status/{status[2]}"
    profile = _PROFILE.fullmatch(path)
    if profile and profile[1].lower() not in _RESERVED_NAMES:
        return path_segment(profile[1])
    return None


def _post(url: Url, tweet: _Tweet) -> Reading:
    author = tweet.author or _Author()
    text = join_blocks(f"# Post by {author.label or 'unknown'} on X", _body(tweet), _facts(tweet))
    first_line = visible_text(tweet.text).partition("\n")[0]
    metadata = PageMetadata(
        title=f"{author.name or author.screen_name or 'Post'} on X: {first_line[:120]}".rstrip(
            ": "
        ),
        authors=(author.name,) if author.name else (),
        site="X",
        published=utc_date(tweet.created_timestamp),
        language=tweet.lang,
        kinds=("SocialMediaPosting",),
    )
    return site_reading(url, "twitter", text, metadata)


def _body(tweet: _Tweet) -> str:
    note = visible_text(tweet.community_note.text) if tweet.community_note else ""
    return join_blocks(
        f"Replying to @{tweet.replying_to}" if tweet.replying_to else "",
        visible_text(tweet.text),
        _media(tweet),
        _quotation(tweet.quote) if tweet.quote else "",
        f"Readers added context: {note}" if note else "",
    )


def _media(tweet: _Tweet) -> str:
    media = (tweet.media.all) if tweet.media else ()
    return "\n".join(
        f"- {medium.type or 'media'}: "
        f"{markdown_link(visible_text(medium.alt) or medium.url, medium.url)}"
        for medium in media
        if medium.url
    )


def _quotation(quote: _Tweet) -> str:
    author = quote.author.label if quote.author else "unknown"
    return f"Quoting {author}:\n\n{blockquote(visible_text(quote.text))}"


def _facts(tweet: _Tweet) -> str:
    return join_facts(
        utc_date(tweet.created_timestamp),
        count_label(tweet.likes, "like"),
        count_label(tweet.retweets, "repost"),
        count_label(tweet.replies, "reply", "replies"),
        count_label(tweet.views, "view"),
    )


def _profile(url: Url, user: _Author) -> Reading:
    text = join_blocks(
        f"# {user.label} on X",
        visible_text(user.description),
        join_facts(
            count_label(user.followers, "follower"),
            f"following {user.following:,}" if user.following is not None else "",
            count_label(user.tweets, "post"),
            visible_text(user.location),
            f"joined {user.joined}" if user.joined else "",
        ),
    )
    metadata = PageMetadata(title=f"{user.label} on X", site="X", kinds=("SocialMediaPosting",))
    return site_reading(url, "twitter", text, metadata)
