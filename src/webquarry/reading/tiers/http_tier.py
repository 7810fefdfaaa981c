"""The tiers that need one HTTP request: as a browser that accepts Markdown, or as ourselves."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from webquarry.errors import BadInputError, BlockedError, NetworkError
from webquarry.models.reading import ConditionalReading, PageValidators, Reading
from webquarry.net.client.response import FetchedResponse
from webquarry.net.clock import Clock
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.reading.response_reader import ResponseReader
from webquarry.reading.tiers.acceptance import accept, check_status
from webquarry.reading.tiers.read_errors import UnreadableError

# one request for both: a site that has Markdown sends it, any other sends HTML
ACCEPT_MARKDOWN = (
    "text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.9,application/xml;q=0.8,*/*;q=0.7"
)
ACCEPT_HTML = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"
_MAX_REFRESHES = 3
_MAX_FRAMES = 2
_NOT_MODIFIED = 304
# a browser would fail in the same way
_UNREACHABLE = frozenset(
    {"dns_no_such_name", "dns_failed", "connection_refused", "unreachable", "busy"}
)


@dataclass(frozen=True, kw_only=True)
class FetchLimits:
    """How many bytes of one response are read."""

    page_bytes: int = 8 * 2**20
    document_bytes: int = 50 * 2**20


@dataclass(frozen=True, kw_only=True)
class HttpTier:
    """Fetches a page and reads it."""

    name: Literal["stealth", "html"]
    timeout: float
    fetcher: Fetcher
    responses: ResponseReader
    limits: FetchLimits = FetchLimits()
    clock: Clock = field(default_factory=Clock)

    async def read(self, url: str, seconds: float) -> Reading:
        """Return the page, or raise `UnreadableError`."""
        deadline = self.clock.monotonic() + seconds
        extractor = self.responses.extractor
        extractor.pages_in_flight += 1
        try:
            target, refreshes = url, 0
            while True:
                fetched = await self.fetch(self._request(target, deadline))
                reading = await self.responses.read(fetched, url, self.name)
                if reading.refresh in {"", target, fetched.url} or refreshes == _MAX_REFRESHES:
                    break
                target, refreshes = reading.refresh, refreshes + 1
            if reading.frames and not reading.word_count:
                reading = await self._with_frames(reading, deadline)
        finally:
            extractor.pages_in_flight -= 1
        return accept(reading, fetched.content) if reading.kind == "html" else reading

    async def read_if_changed(
        self, url: str, seconds: float, known: PageValidators
    ) -> ConditionalReading:
        """Return the page unless it is as it was, or raise `UnreadableError`."""
        request = self._request(url, self.clock.monotonic() + seconds)
        fetched = await self._response(replace(request, headers=known.request_headers()))
        if fetched.status == _NOT_MODIFIED and (known.etag or known.last_modified):
            return ConditionalReading(validators=known)
        check_status(fetched, self.clock)
        validators = _validators(fetched)
        if known.sha256 and validators.sha256 == known.sha256:
            return ConditionalReading(validators=validators)
        reading = await self.responses.read(fetched, url, self.name)
        if reading.refresh not in {"", fetched.url} or (reading.frames and not reading.word_count):
            # other responses belong to it
            return ConditionalReading(reading=await self.read(url, seconds))
        if reading.kind == "html":
            reading = accept(reading, fetched.content)
        return ConditionalReading(reading=reading, validators=validators)

    async def fetch(self, request: FetchRequest) -> FetchedResponse:
        """Return a response that is the page, or raise `UnreadableError`."""
        fetched = await self._response(request)
        check_status(fetched, self.clock)
        return fetched

    async def _response(self, request: FetchRequest) -> FetchedResponse:
        try:
            return await self.fetcher.fetch(request)
        except (BadInputError, BlockedError) as error:  # the policy forbids this URL
            raise UnreadableError("validation", str(error), final=True) from error
        except NetworkError as error:
            detail = error.details.get("detail")
            kind = "no_such_host" if detail == "dns_no_such_name" else "network"
            reason = error.reason or str(error)
            raise UnreadableError(kind, reason, final=detail in _UNREACHABLE) from error

    def _request(self, url: str, deadline: float) -> FetchRequest:
        as_ourselves = self.name == "html"
        only_html = as_ourselves or self.responses.needs_html
        return FetchRequest(
            url=url,
            accept=ACCEPT_HTML if only_html else ACCEPT_MARKDOWN,
            timeout=max(0.1, min(deadline - self.clock.monotonic(), self.timeout)),
            own_user_agent=as_ourselves,
            max_page_bytes=self.limits.page_bytes,
            max_document_bytes=self.limits.document_bytes,
        )

    async def _with_frames(self, page: Reading, deadline: float) -> Reading:
        """Return a page without text of its own with the content of its frames."""
        parts: list[Reading] = []
        for url in page.frames[:_MAX_FRAMES]:
            try:
                fetched = await self.fetch(self._request(url, deadline))
            except UnreadableError:  # the other frames may hold enough
                continue
            parts.append(await self.responses.read(fetched, url, self.name, is_page=True))
        return _joined(page, parts)


def _validators(fetched: FetchedResponse) -> PageValidators:
    if fetched.ending != "complete":
        return PageValidators()
    return PageValidators(
        etag=fetched.headers.get("etag", ""),
        last_modified=fetched.headers.get("last-modified", ""),
        sha256=hashlib.sha256(fetched.content).hexdigest(),
    )


def _joined(page: Reading, parts: Sequence[Reading]) -> Reading:
    """Return the page with the content of its frames."""
    walls = [part.wall for part in parts if part.wall]
    removed = [removal for part in parts for removal in part.removed]
    return page.model_copy(
        update={
            "markdown": "\n\n".join(filter(None, (part.markdown for part in parts))),
            "html": "\n".join(filter(None, (part.html for part in parts))),
            "source": "\n".join(filter(None, (part.source for part in parts))) or page.source,
            "word_count": sum(part.word_count or 0 for part in parts),
            "removed": (*page.removed, *removed),
            "wall": walls[0] if walls else None,
            "declared": any(part.declared for part in parts),
        }
    )
