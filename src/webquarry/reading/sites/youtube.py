"""YouTube: what is said in a video, or at least what its description says."""

import re
from collections.abc import Sequence
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

from webquarry.content.text.length import truncate
from webquarry.errors import BlockedError, PageError, RateLimitError, WebquarryError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.net.upstream.api import ApiLimits
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.net.url import Url, under
from webquarry.reading.sites.site import Keys, Site, SiteInfo
from webquarry.reading.sites.site_markdown import counted, joined, line, plain
from webquarry.reading.sites.youtube_captions import CaptionLine, highlights, parse_captions
from webquarry.reading.sites.youtube_player import Player, Track, player_in

_ID = re.compile(r"[\w-]{11}")
_PATHS = re.compile(r"/(?:shorts|live|embed|v)/([\w-]{11})(?:/.*)?")
_LANGUAGES = ("en", "en-US", "en-GB")
_TRANSCRIPT_BYTES = 100_000
_NO_CAPTIONS = "The video has no captions that can be read; this is its description."
# without it, visitors from Europe see a question about cookies instead of the video
_HEADERS = {"Cookie": "SOCS=CAI; CONSENT=YES+cb", "Accept-Language": "en-US,en;q=0.9"}
# the app is told where captions are without having to prove that it is the app
_APP = {
    "context": {
        "client": {"clientName": "ANDROID", "clientVersion": "20.10.38", "hl": "en", "gl": "US"}
    }
}


class YouTubeSite(Site):
    """Reads transcripts: the player's captions, the captions' own address, the description."""

    about: ClassVar = SiteInfo(
        name="youtube",
        base_url="https://www.youtube.com",
        docs="https://developers.google.com/youtube/v3/docs/captions",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        limits = ApiLimits(timeout=10, deadline=20, tries=2)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    def handles(self, url: Url) -> bool:
        return bool(_video(url))

    async def read(self, url: Url) -> Reading:
        video = _video(url)
        page = await self._watch(video)
        page.check(url.href)
        lines, track = await self._along(page.tracks)
        if not lines:
            app = await self._app(video)
            page = page if page.videoDetails else app
            page.check(url.href)
            lines, track = await self._along(app.tracks)
        if not lines:
            lines, track = await self._guessed(video)
        if not lines and not plain(page.details.shortDescription):
            raise PageError(f"{url.href} has neither captions nor a description.")
        return _reading(url, page, lines, track)

    async def _watch(self, video: str) -> Player:
        response = await self._api.get("watch", params={"v": video, "hl": "en"}, headers=_HEADERS)
        text = response.text
        if 'action="https://consent.youtube.com' in text:
            raise BlockedError("YouTube asks for consent to cookies first.")
        if 'class="g-recaptcha"' in text:
            raise self._api.limited()
        return player_in(text)

    async def _app(self, video: str) -> Player:
        """Return what the app's player is told; nothing when it is told nothing."""
        try:
            response = await self._api.post(
                "youtubei/v1/player", json={**_APP, "videoId": video}, headers=_HEADERS
            )
            return self._api.decode(Player, response)
        except RateLimitError:
            raise
        except WebquarryError:  # one of several ways; the last one is the description
            return Player()

    async def _along(self, tracks: Sequence[Track]) -> tuple[list[CaptionLine], Track | None]:
        for track in tracks[:2]:
            if lines := await self._captions(*track.request()):
                return lines, track
        return [], None

    async def _guessed(self, video: str) -> tuple[list[CaptionLine], Track | None]:
        """Return captions from where they usually are, whatever the player says."""
        for language in _LANGUAGES:
            params = {"v": video, "lang": language, "fmt": "json3"}
            if lines := await self._captions("api/timedtext", params):
                return lines, Track(languageCode=language)
        return [], None

    async def _captions(self, path: str, params: dict[str, str]) -> list[CaptionLine]:
        try:
            response = await self._api.get(path, params=params, headers=_HEADERS)
        except RateLimitError:
            raise
        except WebquarryError:  # one of several ways; the last one is the description
            return []
        return parse_captions(response.text)


def _video(url: Url) -> str:
    """Return the id of the video a URL is about; empty for other pages."""
    if "youtu" not in url.host:  # nearly all others, without a closer look
        return ""
    parts = urlsplit(url.href)
    if url.site == "youtu.be":
        found = parts.path.strip("/")
    elif not under(url.host, ("youtube.com", "youtube-nocookie.com")):
        return ""
    elif parts.path == "/watch":
        found = parse_qs(parts.query).get("v", [""])[0]
    else:
        match = _PATHS.fullmatch(parts.path)
        found = match[1] if match else ""
    return found if _ID.fullmatch(found) else ""


def _reading(url: Url, player: Player, lines: list[CaptionLine], track: Track | None) -> Reading:
    details = player.details
    title = plain(details.title) or "YouTube video"
    transcript = truncate("\n".join(map(str, lines)), _TRANSCRIPT_BYTES)
    told = highlights(lines)
    text = joined(
        f"# {title}",
        line(
            plain(details.author),
            player.published,
            _length(details.lengthSeconds),
            counted(details.viewCount, "view"),
        ),
        "## Highlights" if told else "",
        "\n".join(f"- {found}" for found in told),
        f"## Transcript ({track.shown})" if track else "## Description",
        transcript.text if lines else plain(details.shortDescription),
    )
    about = PageMetadata(
        title=title,
        authors=(details.author,) if details.author else (),
        site="YouTube",
        published=player.published,
        language=track.languageCode if track else "",
    )
    return Reading(
        url=url.href,
        address=url.href,
        markdown=text,
        kind="youtube",
        metadata=about,
        cut=transcript.truncated,
        notes=() if lines else (_NO_CAPTIONS,),
    )


def _length(seconds: int | None) -> str:
    if not seconds:
        return ""
    return str(CaptionLine(seconds, "")).strip("[] ")
