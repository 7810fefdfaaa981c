"""What YouTube's player is told about a video."""

import json
import re
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

from webquarry.errors import NotFoundError
from webquarry.net.url import under
from webquarry.reading.sites.site import SiteWire
from webquarry.reading.tiers.read_errors import LoginWallError

# the page assigns it in one of these ways
_PLAYER = (
    re.compile(r"ytInitialPlayerResponse\s*=\s*(?=\{)"),
    re.compile(r'"playerResponse"\s*:\s*(?=\{)'),
    re.compile(r'window\["ytInitialPlayerResponse"\]\s*=\s*(?=\{)'),
)
_DATE = re.compile(r'"(?:publishDate|uploadDate|datePublished)"[^"]*"(\d{4}-\d{2}-\d{2})')
_PROOF = re.compile(r"[?&]exp=xpe\b")  # answers nothing to who cannot prove to be a browser


class _Run(SiteWire):
    text: str = ""


class _Name(SiteWire):
    simpleText: str | None = None  # noqa: N815 - as they spell it
    runs: tuple[_Run, ...] | None = None

    @property
    def text(self) -> str:
        return self.simpleText or "".join(run.text for run in self.runs or ())


class Track(SiteWire):
    """One set of captions."""

    baseUrl: str = ""  # noqa: N815 - as they spell it
    languageCode: str = ""  # noqa: N815 - as they spell it
    kind: str | None = None
    name: _Name | None = None

    @property
    def address(self) -> str:
        return self.baseUrl

    @property
    def automatic(self) -> bool:
        """Whether a machine wrote them."""
        return self.kind == "asr"

    @property
    def shown(self) -> str:
        language = (self.name.text if self.name else "") or self.languageCode
        marked = self.automatic and "auto" not in language.lower()
        return f"{language} (auto-generated)" if marked else language

    def request(self) -> tuple[str, dict[str, str]]:
        """Return the path and parameters of the captions, in the format with times."""
        parts = urlsplit(self.baseUrl)
        params = dict(parse_qsl(parts.query, keep_blank_values=True)) | {"fmt": "json3"}
        return parts.path.lstrip("/"), params

    @property
    def usable(self) -> bool:
        """Whether the captions are on the site itself and ask for no proof."""
        host = urlsplit(self.baseUrl).hostname or ""
        at_home = not host or under(host, ("youtube.com",))
        return bool(self.baseUrl) and at_home and not _PROOF.search(self.baseUrl)

    @property
    def rank(self) -> tuple[bool, bool]:
        """Where it stands among others: English first, people before machines."""
        return (not self.languageCode.lower().startswith("en"), self.automatic)


class _Renderer(SiteWire):
    captionTracks: tuple[Track, ...] | None = None  # noqa: N815 - as they spell it


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
    """Everything we read of it."""

    playabilityStatus: _Playable | None = None  # noqa: N815 - as they spell it
    captions: _Captions | None = None
    videoDetails: _Details | None = None  # noqa: N815 - as they spell it
    published: str = ""

    @property
    def details(self) -> _Details:
        return self.videoDetails or _Details()

    @property
    def tracks(self) -> list[Track]:
        """The captions that can be had, the best first."""
        renderer = self.captions.playerCaptionsTracklistRenderer if self.captions else None
        found = renderer.captionTracks if renderer and renderer.captionTracks else ()
        return sorted((track for track in found if track.usable), key=lambda track: track.rank)

    def check(self, url: str) -> None:
        """Raise when the video is not shown to us."""
        found = self.playabilityStatus
        if found is None or found.status in {None, "OK", "LIVE_STREAM_OFFLINE"}:
            return
        reason = found.reason or "no reason given"
        if found.status in {"LOGIN_REQUIRED", "AGE_VERIFICATION_REQUIRED"}:
            raise LoginWallError(f"Auth required: {url} is behind a login wall: {reason}")
        raise NotFoundError(f"Not found: YouTube does not play {url}: {reason}")


def player_in(page: str) -> Player:
    """Return the player's data from a watch page; an empty one when the page has none."""
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
