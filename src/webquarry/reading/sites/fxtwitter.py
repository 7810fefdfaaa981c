"""X and Twitter through FxTwitter, which needs no account (https://docs.fxtwitter.com)."""

import re
from typing import ClassVar
from urllib.parse import urlsplit

from pydantic import Field

from webquarry.errors import NotFoundError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url, segment
from webquarry.reading.sites.site import Keys, Site, SiteInfo, SiteWire
from webquarry.reading.sites.site_markdown import counted, day, joined, line, link, plain, quoted

_HOSTS = frozenset(
    {"x.com", "www.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com", "mobile.x.com"}
)
_STATUS = re.compile(r"/(\w{1,20}|i/web)/status(?:es)?/(\d{1,25})(?:/.*)?")
_PROFILE = re.compile(r"/(\w{1,20})/?")
_NO_NAMES = frozenset(
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
    def shown(self) -> str:
        handle = f"@{self.screen_name}" if self.screen_name else ""
        return f"{self.name} ({handle})" if self.name and handle else self.name or handle


class _Medium(SiteWire):
    type: str | None = None
    url: str | None = None
    alt: str | None = Field(default=None, alias="altText")


class _Media(SiteWire):
    all: tuple[_Medium, ...] | None = None


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
    lang: str | None = None
    replying_to: str | None = None
    media: _Media | None = None
    quote: "_Tweet | None" = None
    community_note: _Note | None = None


class _Answer(SiteWire):
    code: int
    message: str | None = None
    tweet: _Tweet | None = None
    user: _Author | None = None


class FxTwitterSite(Site):
    """Reads posts and profiles."""

    about: ClassVar = SiteInfo(
        name="fxtwitter",
        base_url="https://api.fxtwitter.com",
        docs="https://docs.fxtwitter.com",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        limits = ApiLimits(timeout=5, deadline=10, tries=2)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    def handles(self, url: Url) -> bool:
        return url.host in _HOSTS and _path_of(url) is not None

    async def read(self, url: Url) -> Reading:
        answer = await self._ask(_path_of(url) or "")
        if answer.tweet:
            return _post(url, answer.tweet)
        if answer.user:
            return _profile(url, answer.user)
        raise NotFoundError(f"Not found: {url.href} is neither a post nor a profile.")

    async def _ask(self, path: str) -> _Answer:
        response = await self._api.get(path, expect=(404, 401))
        answer = self._api.decode(_Answer, response)
        if answer.code in {401, 404}:
            said = plain(answer.message).lower().replace("_", " ") or "not there"
            raise NotFoundError(
                f"Not found: X does not show this ({said}). It may be deleted or private."
            )
        return answer


def _path_of(url: Url) -> str | None:
    path = urlsplit(url.href).path
    if status := _STATUS.fullmatch(path):
        name = "i" if "/" in status[1] else status[1]
        return f"{segment(name)}/status/{status[2]}"
    profile = _PROFILE.fullmatch(path)
    if profile and profile[1].lower() not in _NO_NAMES:
        return segment(profile[1])
    return None


def _post(url: Url, tweet: _Tweet) -> Reading:
    author = tweet.author or _Author()
    text = joined(f"# Post by {author.shown or 'unknown'} on X", _body(tweet), _facts(tweet))
    first = plain(tweet.text).partition("\n")[0]
    about = PageMetadata(
        title=f"{author.name or author.screen_name or 'Post'} on X: {first[:120]}".rstrip(": "),
        authors=(author.name,) if author.name else (),
        site="X",
        published=day(tweet.created_timestamp),
        language=tweet.lang or "",
        kinds=("SocialMediaPosting",),
    )
    return _reading(url, text, about)


def _body(tweet: _Tweet) -> str:
    to = f"Replying to @{tweet.replying_to}" if tweet.replying_to else ""
    media = [
        f"- {medium.type or 'media'}: {link(plain(medium.alt) or medium.url or '', medium.url)}"
        for medium in (tweet.media.all if tweet.media and tweet.media.all else ())
        if medium.url
    ]
    quote = tweet.quote
    quotation = ""
    if quote:
        by = quote.author.shown if quote.author else "unknown"
        quotation = f"Quoting {by}:\n\n{quoted(plain(quote.text))}"
    note = plain(tweet.community_note.text) if tweet.community_note else ""
    remark = f"Readers added context: {note}" if note else ""
    return joined(to, plain(tweet.text), "\n".join(media), quotation, remark)


def _facts(tweet: _Tweet) -> str:
    return line(
        day(tweet.created_timestamp),
        counted(tweet.likes, "like"),
        counted(tweet.retweets, "repost"),
        counted(tweet.replies, "reply", "replies"),
        counted(tweet.views, "view"),
    )


def _profile(url: Url, user: _Author) -> Reading:
    text = joined(
        f"# {user.shown} on X",
        plain(user.description),
        line(
            counted(user.followers, "follower"),
            f"following {user.following:,}" if user.following is not None else "",
            counted(user.tweets, "post"),
            plain(user.location),
            f"joined {user.joined}" if user.joined else "",
        ),
    )
    about = PageMetadata(title=f"{user.shown} on X", site="X", kinds=("SocialMediaPosting",))
    return _reading(url, text, about)


def _reading(url: Url, text: str, about: PageMetadata) -> Reading:
    return Reading(url=url.href, address=url.href, markdown=text, kind="twitter", metadata=about)
