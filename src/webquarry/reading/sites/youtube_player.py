"""The data of YouTube's player: playability, captions and details of a video."""

import json
import re
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

from webquarry.errors import NotFoundError
from webquarry.models.model import Items
from webquarry.net.url import in_domains
from webquarry.reading.sites.site import SiteWire
from webquarry.reading.tiers.read_errors import LoginWallError

# how the page assigns it
_PLAYER = (
    re.compile(r"ytInitialPlayerResponse\s*=\s*(?=\{)"),
    re.compile(r'"playerResponse"\s*:\s*(?=\{)'),
    re.compile(r'window\["ytInitialPlayerResponse"\]\s*=\s*(?=\{)'),
)
_DATE = re.compile(r'"(?:publishDate|uploadDate|datePublished)"[^"]*"(\d{4}-\d{2}-\d{2})')
_NEEDS_TOKEN = re.compile(r"[?&]exp=xpe\b")  # empty without a proof-of-origin token


class _Run(SiteWire):
    text: str = ""


class _Name(SiteWire):
    simpleText: str | None = None  # noqa: N815 - as they spell it
    runs: Items[_Run] = ()

    @property
    def text(self) -> str:
        return self.simpleText or "".join(run.text for run in self.runs)


class CaptionTrack(SiteWire):
    """One set of captions."""

    baseUrl: str = ""  # noqa: N815 - as they spell it
    languageCode: str = ""  # noqa: N815 - as they spell it
    kind: str | None = None
    name: _Name | None = None

    @property
    def automatic(self) -> bool:
        """Whether speech recognition wrote them."""
        return self.kind == "asr"

    @property
    def label(self) -> str:
        language = (self.name.text if self.name else "") or self.languageCode
        marked = self.automatic and "auto" not in language.lower()
        return f"{language} (auto-generated)" if marked else language

    def request(self) -> tuple[str, dict[str, str]]:
        """Return the path and parameters of the captions in the format with timestamps."""
        parts = urlsplit(self.baseUrl)
        params = dict(parse_qsl(parts.query, keep_blank_values=True)) | {"fmt": "json3"}
        return parts.path.lstrip("/"), params

    @property
    def usable(self) -> bool:
        """Whether the captions are on YouTube itself and need no token."""
        host = urlsplit(self.baseUrl).hostname or ""
        is_own_host = not host or in_domains(host, ("youtube.com",))
        return bool(self.baseUrl) and is_own_host and not _NEEDS_TOKEN.search(self.baseUrl)

    @property
    def rank(self) -> tuple[bool, bool]:
        """Sort key: English first, then those written by people."""
        return (not self.languageCode.lower().startswith("en"), self.automatic)


class _Renderer(SiteWire):
    captionTracks: tuple[CaptionTrack, ...] | None = None  # noqa: N815 - as they spell it


class _Captions(SiteWire):
    playerCaptionsTracklistRenderer: _Renderer | None = None  # noqa: N815 - as they spell it


class _Playable(SiteWire):
    status: str | None = None
    reason: str | None = None


class _Details(SiteWire):
    title: str | None = None
    author: str | None = None
    lengthSeconds: int | None = None  # noqa: N815 - as they spell it
    shortDescription: str | None = None  # noqa: N815 - as they spell it
    viewCount: int | None = None  # noqa: N815 - as they spell it


class Player(SiteWire):
    """The parts of the player data that are read."""

    playabilityStatus: _Playable | None = None  # noqa: N815 - as they spell it
    captions: _Captions | None = None
    videoDetails: _Details | None = None  # noqa: N815 - as they spell it
    published: str = ""

    @property
    def details(self) -> _Details:
        return self.videoDetails or _Details()

    @property
    def tracks(self) -> list[CaptionTrack]:
        """The usable captions, the best first."""
        renderer = self.captions.playerCaptionsTracklistRenderer if self.captions else None
        found = renderer.captionTracks if renderer and renderer.captionTracks else ()
        return sorted((track for track in found if track.usable), key=lambda track: track.rank)

    def raise_if_unplayable(self, url: str) -> None:
        """Raise an error when the video cannot be played."""
        found = self.playabilityStatus
        if found is None or found.status in {None, "OK", "LIVE_STREAM_OFFLINE"}:
            return
        reason = found.reason or "no reason given"
        if found.status in {"LOGIN_REQUIRED", "AGE_VERIFICATION_REQUIRED"}:
            raise LoginWallError(f"Auth required: {url} is behind a login wall: {reason}")
        raise NotFoundError(f"Not found: YouTube does not play {url}: {reason}")


def find_player(page: str) -> Player:
    """Return the player data of a watch page; empty data when the page has none."""
    for pattern in _PLAYER:
        for match in pattern.finditer(page):
            found = _object_at(page, match.end())
            if found and ("videoDetails" in found or "playabilityStatus" in found):
                dated = _DATE.search(page)
                return Player.model_validate({**found, "published": dated[1] if dated else ""})
    return Player()


def _object_at(text: str, start: int) -> dict[str, Any] | None:
    try:
        found, _ = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None
