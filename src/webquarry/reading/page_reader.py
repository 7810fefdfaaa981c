"""Reads any address: by its site's own interface where there is one, else up the ladder."""

import base64
from collections.abc import Sequence

from webquarry.content.html.charset import decode_page
from webquarry.errors import NotFoundError, PageError, ProviderError
from webquarry.models.reading import RawResponse, ReadAttempt, Reading
from webquarry.net.fetch import FetchedResponse, FetchRequest
from webquarry.net.url import Url
from webquarry.observe.progress import tell
from webquarry.reading.sites.reddit_site import forum_signals, is_reddit
from webquarry.reading.sites.site import Site
from webquarry.reading.tiers.http_tier import HttpTier
from webquarry.reading.tiers.ladder import Ladder
from webquarry.reading.tiers.read_errors import LoginWallError, UnreadableError, failure
from webquarry.reading.tiers.status import check_status

_HTML_TIERS = frozenset({"stealth", "html", "browser"})
_TEXT = ("text/", "application/json", "application/xml", "application/javascript")


class PageReader:
    """The way in for the rest of the program."""

    def __init__(self, ladder: Ladder, sites: Sequence[Site], raw: HttpTier) -> None:
        self._ladder = ladder
        self._sites = tuple(sites)
        self._raw = raw

    async def read(self, url: Url, seconds: float) -> Reading:
        """Return the content of an address as Markdown, or raise why it cannot be had."""
        site = next((site for site in self._sites if site.handles(url)), None)
        if site is None:
            return with_signals(await self._ladder.read(url, seconds))
        await tell(0, None, f"asking {site.about.name}")
        try:
            return await site.read(url)
        except (LoginWallError, NotFoundError):
            raise
        except (ProviderError, PageError) as error:
            before = (ReadAttempt(tier=site.about.name, outcome=_short(str(error))),)
        reading = await self._ladder.read(site.page(url), seconds, before=before)
        return with_signals(reading.model_copy(update={"url": url.href}))

    async def read_raw(self, url: Url, seconds: float, most: int) -> RawResponse:
        """Return the bytes of an address as they are."""
        wanted = FetchRequest(
            url=url.href,
            timeout=seconds,
            page_bytes=most,
            document_bytes=most,
        )
        try:
            fetched = await self._raw.reach(wanted)
            check_status(fetched, self._raw.clock)
        except UnreadableError as miss:
            tried = [ReadAttempt(tier="raw", outcome=miss.words)]
            raise failure(url.href, [miss], tried) from miss
        return _raw(url.href, fetched)


def with_signals(reading: Reading) -> Reading:
    """Return the page with what a forum says of its reception."""
    if reading.tier not in _HTML_TIERS or not is_reddit(reading.url):
        return reading
    return reading.model_copy(update={"forum": forum_signals(reading.structured)})


def _raw(asked: str, fetched: FetchedResponse) -> RawResponse:
    media = fetched.headers.media_type
    binary = b"\0" in fetched.content[:4096] and not media.startswith(_TEXT)
    if binary:
        content = base64.b64encode(fetched.content).decode()
    else:
        content = decode_page(fetched.content, fetched.headers.get("content-type")).text
    return RawResponse(
        url=asked,
        address=fetched.url,
        content=content,
        content_type=fetched.headers.get("content-type", ""),
        truncated=fetched.truncated,
        encoded=binary,
    )


def _short(text: str) -> str:
    return text if len(text) <= 160 else f"{text[:159]}…"
