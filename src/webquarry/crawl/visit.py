"""Reads one address of a crawl: asks robots.txt, sends one request, says what came of it."""

import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol

from webquarry.crawl.store.crawl_values import ClaimedUrl
from webquarry.crawl.urls import url_of
from webquarry.errors import BadInputError, BlockedError, NetworkError
from webquarry.net.client.content_encoding import Decoder, EncodingError
from webquarry.net.client.headers import Headers
from webquarry.net.clock import Clock
from webquarry.net.fetch import FetchedResponse, Fetcher, FetchRequest, RawResponseStep
from webquarry.net.upstream.http_port import Response
from webquarry.net.upstream.status_errors import wait_of
from webquarry.net.url import Url, parse

NAME = "webquarry"
READABLE = frozenset(
    {"text/html", "application/xhtml+xml", "text/plain", "text/markdown", "text/x-markdown", ""}
)
_LATER = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
_LONGEST_PAUSE = 120.0  # seconds that a server may ask us to stay away
_ACCEPT = "text/html,application/xhtml+xml;q=0.9,text/markdown;q=0.8,text/plain;q=0.7,*/*;q=0.1"


class RobotsRules(Protocol):
    """What one site asks of robots."""

    def can_fetch(self, url: str, agent: str, /) -> bool:
        """Whether the agent may read the address."""
        ...

    def crawl_delay(self, agent: str, /) -> float | None:
        """Return the seconds between two requests."""
        ...

    @property
    def sitemaps(self) -> Iterable[str]:
        """The sitemaps that the site names."""
        ...


class KnowsRules(Protocol):
    """Reads robots.txt and remembers it."""

    async def rules(self, url: Url) -> RobotsRules:
        """Return what the site of an address asks."""
        ...


class ShowsPages(Protocol):
    """A browser."""

    async def show(self, url: str, seconds: float) -> FetchedResponse:
        """Return the page after its scripts have run; raise what `Fetcher.fetch` raises."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitedPage:
    """A page: its bytes, and the same as they are stored."""

    address: Url
    status: int
    content: bytes
    stored: bytes
    encoding: str  # of what is stored
    content_type: str
    etag: str = ""
    last_modified: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirected:
    """A redirect."""

    onward: Url


@dataclass(frozen=True, slots=True, kw_only=True)
class NotModified:
    """The page is as the crawl before has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitFailed:
    """No page, and why; it may come at another try."""

    outcome: str
    passing: bool = False
    pause: float = 0.0  # seconds that the host wants to be left alone


Visit = VisitedPage | Redirected | NotModified | VisitFailed


@dataclass(frozen=True, kw_only=True)
class VisitLimits:
    """How much is read of one address, and how long it may take."""

    timeout: float = 20.0
    page_bytes: int = 8 * 2**20


@dataclass(frozen=True, kw_only=True)
class Visitor:
    """Visits addresses."""

    fetcher: Fetcher
    robots: KnowsRules
    patience: VisitLimits = VisitLimits()
    browser: ShowsPages | None = None  # None: pages are not rendered
    clock: Clock = field(default_factory=Clock)

    async def delay(self, address: Url) -> float | None:
        """Return the seconds that robots.txt asks for between two requests; None: not known."""
        try:
            wanted = (await self.robots.rules(address)).crawl_delay(NAME)
        except (BlockedError, BadInputError):  # it is not read at all, as its visit will tell
            return 0.0
        except NetworkError:  # as its visit will tell too
            return None
        return min(float(wanted or 0.0), 60.0)

    async def visit(self, claim: ClaimedUrl) -> Visit:
        """Return what an address holds."""
        address = url_of(claim.url)
        try:
            if not (await self.robots.rules(address)).can_fetch(claim.url, NAME):
                return VisitFailed(outcome="robots")
            if self.browser:
                return self._shown(await self.browser.show(claim.url, self.patience.timeout))
            return await self._stepped(claim, address)
        except BlockedError:
            return VisitFailed(outcome="refused")
        except BadInputError:
            return VisitFailed(outcome="bad_redirect")
        except NetworkError as error:
            code = str(error.details.get("detail", "")) or "network"
            return VisitFailed(outcome=code, passing=code not in {"dns_no_such_name", "too_large"})

    @cached_property
    def _usual(self) -> FetchRequest:
        """How every address is asked for of which nothing is known."""
        return FetchRequest(
            url="",
            headers={"Accept": _ACCEPT},
            timeout=self.patience.timeout,
            plain=True,
            page_bytes=self.patience.page_bytes,
        )

    async def _stepped(self, claim: ClaimedUrl, address: Url) -> Visit:
        wanted = self._usual
        if conditions := _conditions(claim):
            wanted = replace(wanted, headers={"Accept": _ACCEPT, **conditions})
        step = await self.fetcher.step(address, wanted, _wants)
        if step.onward is None:
            return self._judged(step)
        if step.onward.href != address.href:
            return Redirected(onward=step.onward)
        # back to itself: it wants to see its cookie
        return self._shown(await self.fetcher.fetch(replace(wanted, url=claim.url)))

    def _judged(self, step: RawResponseStep) -> Visit:
        if step.status == 304:
            return NotModified()
        if step.status >= 300 or step.status == 204:
            return self._refused(step.status, step.headers)
        if step.headers.media_type not in READABLE:
            return VisitFailed(outcome="content_type")
        if step.wire is None:
            return VisitFailed(outcome="too_large")
        return self._opened(step, step.wire)

    def _opened(self, step: RawResponseStep, wire: bytes) -> Visit:
        encoding = step.headers.get("content-encoding", "")
        try:
            content = unfolded(wire, encoding, self.patience.page_bytes)
        except EncodingError:
            return VisitFailed(outcome="broken")
        if content is None:
            return VisitFailed(outcome="too_large")
        return _brought(step.url, step.status, step.headers, content, wire, encoding)

    def _shown(self, fetched: FetchedResponse) -> Visit:
        if fetched.status >= 300:
            return self._refused(fetched.status, fetched.headers)
        if fetched.headers.media_type not in READABLE:
            return VisitFailed(outcome="content_type")
        if fetched.truncated:
            return VisitFailed(outcome="too_large")
        content = fetched.content
        return _brought(parse(fetched.url), fetched.status, fetched.headers, content, content, "")

    def _refused(self, status: int, headers: Headers) -> VisitFailed:
        wait = wait_of(Response(status=status, headers=headers), self.clock.today())
        asked = wait if status in {429, 503} else None
        return VisitFailed(
            outcome=f"http_{status}",
            passing=status in _LATER,
            pause=min(asked or 0.0, _LONGEST_PAUSE),
        )


def unfolded(wire: bytes, encoding: str, most: int) -> bytes | None:
    """Return the content of a body; None when it is longer than `most`."""
    if not encoding:
        return wire
    if encoding == "gzip":  # nearly always one stream, which takes one call
        stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
        with suppress(zlib.error):  # which may not be gzip after all
            content = stream.decompress(wire, most + 1)
            if len(content) > most:
                return None
            if stream.eof and not stream.unused_data:
                return content
    decoder = Decoder(encoding)
    pieces: list[bytes] = []
    length = 0
    for piece in decoder.feed(wire):
        pieces.append(piece)
        length += len(piece)
        if length > most:
            return None
    if not decoder.complete:
        raise EncodingError("the body ends too early")
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _wants(status: int, headers: Headers) -> bool:
    return status < 300 and headers.media_type in READABLE


def _conditions(claim: ClaimedUrl) -> dict[str, str]:
    memory = claim.memory
    if memory is None or claim.attempts:  # at a second try nothing is taken for granted
        return {}
    found = {"If-None-Match": memory.etag, "If-Modified-Since": memory.last_modified}
    return {name: value for name, value in found.items() if value}


def _brought(
    address: Url, status: int, headers: Headers, content: bytes, stored: bytes, encoding: str
) -> VisitedPage:
    if not encoding:
        stored, encoding = packed(content)
    return VisitedPage(
        address=address,
        status=status,
        content=content,
        stored=stored,
        encoding=encoding,
        content_type=headers.get("content-type", ""),
        etag=headers.get("etag", "")[:500],
        last_modified=headers.get("last-modified", "")[:100],
    )


def packed(content: bytes) -> tuple[bytes, str]:
    """Return content that came unpacked as it is stored."""
    import sys

    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd

    return zstd.compress(content, 1), "zstd"
