"""Reads any URL: through the API of its site where there is one, otherwise up the tiers."""

import base64
from collections.abc import Sequence

from webquarry.content.html.charset import decode_page
from webquarry.content.text.binary_content import binary_type
from webquarry.errors import NotFoundError, PageError, ProviderError
from webquarry.models.reading import (
    ConditionalReading,
    PageValidators,
    RawResponse,
    ReadAttempt,
    Reading,
)
from webquarry.net.client.response import FetchedResponse
from webquarry.net.fetch import FetchRequest
from webquarry.net.url import Url, in_domains
from webquarry.observe.progress import report_progress
from webquarry.reading.sites.site import Site
from webquarry.reading.tiers.http_tier import HttpTier
from webquarry.reading.tiers.ladder import SPA_HOSTS, Ladder
from webquarry.reading.tiers.read_errors import (
    LoginWallError,
    UnreadableError,
    error_for_attempts,
)

_MAX_OUTCOME_CHARS = 160


class PageReader:
    """Reads pages as Markdown, and responses as they are."""

    def __init__(
        self,
        ladder: Ladder,
        sites: Sequence[Site],
        raw_tier: HttpTier,
        *,
        tests_changes: bool = True,
    ) -> None:
        """Read through the ladder; `tests_changes`: its first tier may ask for changes only."""
        self.tests_changes = tests_changes
        self._ladder = ladder
        self._raw_tier = raw_tier
        # host → its site reader, and whether the browser comes first
        self._hosts: dict[str, tuple[Site | None, bool]] = {
            **dict.fromkeys(SPA_HOSTS, (None, True)),
            **{
                host: (site, in_domains(host, SPA_HOSTS))
                for site in sites
                for host in site.about.hosts
            },
        }

    async def read(self, url: Url, seconds: float) -> Reading:
        """Return the content of a URL as Markdown, or raise why it cannot be read."""
        site, browser_first = self._lookup(url.host)
        if site is None:
            return await self._ladder.read(url, seconds, browser_first=browser_first)
        attempts: tuple[ReadAttempt, ...] = ()
        target = url
        if site.handles(url):
            await report_progress(0, None, f"reading from {site.about.name}")
            try:
                return await site.read(url)
            except (LoginWallError, NotFoundError):
                raise
            except (ProviderError, PageError) as error:
                attempts = (ReadAttempt(tier=site.about.name, outcome=_shortened(str(error))),)
            target = site.fallback_url(url)
        reading = await self._ladder.read(
            target, seconds, earlier=attempts, browser_first=browser_first
        )
        return site.annotate(reading.model_copy(update={"url": url.href}))

    async def read_if_changed(
        self, url: Url, seconds: float, known: PageValidators
    ) -> ConditionalReading:
        """Return a page unless it is as it was; raise what `read` raises."""
        site, browser_first = self._lookup(url.host)
        if site is None and not browser_first and self.tests_changes:
            try:
                return await self._raw_tier.read_if_changed(url.href, seconds, known)
            except UnreadableError as failure:
                if failure.final:
                    attempts = [ReadAttempt(tier=self._raw_tier.name, outcome=failure.reason)]
                    raise error_for_attempts(url.href, [failure], attempts) from failure
        return ConditionalReading(reading=await self.read(url, seconds))

    async def read_raw(self, url: Url, seconds: float, max_bytes: int) -> RawResponse:
        """Return the body of the response as it is."""
        request = FetchRequest(
            url=url.href,
            timeout=seconds,
            max_page_bytes=max_bytes,
            max_document_bytes=max_bytes,
        )
        try:
            fetched = await self._raw_tier.fetch(request)
        except UnreadableError as failure:
            attempts = [ReadAttempt(tier="raw", outcome=failure.reason)]
            raise error_for_attempts(url.href, [failure], attempts) from failure
        return _raw_response(url.href, fetched)

    def _lookup(self, host: str) -> tuple[Site | None, bool]:
        """Return the entry of the host or of the closest domain above it."""
        name = host.rstrip(".")
        while name:
            if entry := self._hosts.get(name):
                return entry
            name = name.partition(".")[2]
        return None, False


def _raw_response(requested: str, fetched: FetchedResponse) -> RawResponse:
    content_type = fetched.headers.get("content-type", "")
    is_binary = binary_type(fetched.content, content_type) is not None
    if is_binary:
        content = base64.b64encode(fetched.content).decode()
    else:
        content = decode_page(fetched.content, content_type or None)
    return RawResponse(
        url=requested,
        final_url=fetched.url,
        content=content,
        content_type=content_type,
        truncated=fetched.truncated,
        cut_off=fetched.ending == "broken",
        is_base64=is_binary,
    )


def _shortened(text: str) -> str:
    if len(text) <= _MAX_OUTCOME_CHARS:
        return text
    return f"{text[: _MAX_OUTCOME_CHARS - 1]}…"
