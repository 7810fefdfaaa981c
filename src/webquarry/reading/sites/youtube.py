"""YouTube: the transcript of a video, or its description."""

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
from webquarry.net.url import Url, in_domains
from webquarry.reading.sites.site import Keys, Site, SiteInfo, site_reading
from webquarry.reading.sites.site_markdown import count_label, join_blocks, join_facts, visible_text
from webquarry.reading.sites.youtube_captions import CaptionLine, highlights, parse_captions
from webquarry.reading.sites.youtube_player import CaptionTrack, Player, find_player

_ID = re.compile(r"[\w-]{11}")
_PATHS = re.compile(r"/(?:shorts|live|embed|v)/([\w-]{11})(?:/.*)?")
_LANGUAGES = ("en", "en-US", "en-GB")
_TRANSCRIPT_BYTES = 100_000
_NO_CAPTIONS = "The video has no captions that can be read; this is its description."
# without it, requests from Europe get a cookie consent page
_HEADERS = {"Cookie": "SOCS=CAI; CONSENT=YES+cb", "Accept-Language": "en-US,en;q=0.9"}
# the Android player gets caption URLs without a proof-of-origin token
_ANDROID_CLIENT = {
    "context": {
        "client": {"clientName": "ANDROID", "clientVersion": "20.10.38", "hl": "en", "gl": "US"}
    }
}


class YouTubeSite(Site):
    """Reads transcripts: captions of the player or at their usual URL, or the description."""

    about: ClassVar = SiteInfo(
        name="youtube",
        hosts=("youtube.com", "youtube-nocookie.com", "youtu.be"),
        base_url="https://www.youtube.com",
        docs="https://developers.google.com/youtube/v3/docs/captions",
    )

    def __init__(self, upstreams: Upstreams, keys: Keys) -> None:
        del keys
        limits = ApiLimits(timeout=10, deadline=20, tries=2)
        self._api = upstreams.api(self.about.name, self.about.base_url, limits)

    def handles(self, url: Url) -> bool:
        return bool(_video_id(url))

    async def read(self, url: Url) -> Reading:
        video = _video_id(url)
        player = await self._watch_page_player(video)
        player.raise_if_unplayable(url.href)
        lines, track = await self._first_captions(player.tracks)
        if not lines:
            app = await self._android_player(video)
            player = player if player.videoDetails else app
            player.raise_if_unplayable(url.href)
            lines, track = await self._first_captions(app.tracks)
        if not lines:
            lines, track = await self._usual_captions(video)
        if not lines and not visible_text(player.details.shortDescription):
            raise PageError(f"{url.href} has neither captions nor a description.")
        return _reading(url, player, lines, track)

    async def _watch_page_player(self, video: str) -> Player:
        response = await self._api.get("watch", params={"v": video, "hl": "en"}, headers=_HEADERS)
        text = response.text
        if 'action="https://consent.youtube.com' in text:
            raise BlockedError("YouTube asks for consent to cookies first.")
        if 'class="g-recaptcha"' in text:
            raise self._api.rate_limited()
        return find_player(text)

    async def _android_player(self, video: str) -> Player:
        """Return the player data of the Android app; empty data when there is none."""
        try:
            response = await self._api.post(
                "youtubei/v1/player", json={**_ANDROID_CLIENT, "videoId": video}, headers=_HEADERS
            )
            return self._api.decode(Player, response)
        except RateLimitError:
            raise
        except WebquarryError:  # one of several sources; the last one is the description
            return Player()

    async def _first_captions(
        self, tracks: Sequence[CaptionTrack]
    ) -> tuple[list[CaptionLine], CaptionTrack | None]:
        for track in tracks[:2]:
            if lines := await self._captions(*track.request()):
                return lines, track
        return [], None

    async def _usual_captions(self, video: str) -> tuple[list[CaptionLine], CaptionTrack | None]:
        """Return captions from their usual URL, in case the player lists none."""
        for language in _LANGUAGES:
            params = {"v": video, "lang": language, "fmt": "json3"}
            if lines := await self._captions("api/timedtext", params):
                return lines, CaptionTrack(languageCode=language)
        return [], None

    async def _captions(self, path: str, params: dict[str, str]) -> list[CaptionLine]:
        try:
            response = await self._api.get(path, params=params, headers=_HEADERS)
        except RateLimitError:
            raise
        except WebquarryError:  # one of several sources; the last one is the description
            return []
        return parse_captions(response.text)


def _video_id(url: Url) -> str:
    """Return the id of the video a URL is about; empty for other pages."""
    parts = urlsplit(url.href)
    if url.site == "youtu.be":
        video = parts.path.strip("/")
    elif not in_domains(url.host, ("youtube.com", "youtube-nocookie.com")):
        return ""
    elif parts.path == "/watch":
        video = parse_qs(parts.query).get("v", [""])[0]
    else:
        match = _PATHS.fullmatch(parts.path)
        video = match[1] if match else ""
    return video if _ID.fullmatch(video) else ""


def _reading(
    url: Url, player: Player, lines: list[CaptionLine], track: CaptionTrack | None
) -> Reading:
    details = player.details
    title = visible_text(details.title) or "YouTube video"
    transcript = truncate("\n".join(map(str, lines)), _TRANSCRIPT_BYTES)
    top_lines = highlights(lines)
    text = join_blocks(
        f"# {title}",
        _facts(player),
        "## Highlights" if top_lines else "",
        "\n".join(f"- {line}" for line in top_lines),
        f"## Transcript ({track.label})" if track else "## Description",
        transcript.text if lines else visible_text(details.shortDescription),
    )
    metadata = PageMetadata(
        title=title,
        authors=(details.author,) if details.author else (),
        site="YouTube",
        published=player.published,
        language=track.languageCode if track else "",
    )
    notes = () if lines else (_NO_CAPTIONS,)
    return site_reading(url, "youtube", text, metadata, truncated=transcript.truncated, notes=notes)


def _facts(player: Player) -> str:
    details = player.details
    seconds = details.lengthSeconds
    return join_facts(
        visible_text(details.author),
        player.published,
        str(CaptionLine(seconds, "")).strip("[] ") if seconds else "",
        count_label(details.viewCount, "view"),
    )
