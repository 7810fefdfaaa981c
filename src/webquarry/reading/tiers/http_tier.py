"""The tiers that need one request: as a browser that also takes Markdown, or under our own name."""

from dataclasses import dataclass, field
from typing import Literal

from webquarry.errors import BadInputError, BlockedError, NetworkError
from webquarry.models.page import PageContent
from webquarry.models.reading import Reading
from webquarry.net.clock import Clock
from webquarry.net.fetch import FetchedResponse, Fetcher, FetchRequest
from webquarry.reading.response_reader import Answer, ResponseReader, reading_of
from webquarry.reading.tiers.acceptance import judge
from webquarry.reading.tiers.read_errors import UnreadableError
from webquarry.reading.tiers.status import check_status

# one request for both: who has Markdown sends it, everybody else sends the page
ACCEPT_MARKDOWN = (
    "text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.9,application/xml;q=0.8,*/*;q=0.7"
)
ACCEPT_HTML = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"
_MOST_TURNS = 3  # meta refreshes
_MOST_FRAMES = 2
# a browser would meet the same
_HOPELESS = frozenset(
    {"dns_no_such_name", "dns_failed", "connection_refused", "unreachable", "busy"}
)


@dataclass(frozen=True, kw_only=True)
class FetchLimits:
    """How much is read of one address."""

    page_bytes: int = 8 * 2**20
    document_bytes: int = 50 * 2**20


@dataclass(frozen=True, kw_only=True)
class HttpTier:
    """Fetches a page and reads it."""

    name: Literal["stealth", "html"]
    timeout: float
    fetcher: Fetcher
    readers: ResponseReader
    bounds: FetchLimits = FetchLimits()
    clock: Clock = field(default_factory=Clock)

    async def read(self, url: str, seconds: float) -> Reading:
        """Return the page, or raise `UnreadableError`."""
        with self.readers.extraction.expecting():
            return await self._read(url, seconds)

    async def _read(self, url: str, seconds: float) -> Reading:
        ends = self.clock.now() + seconds
        asked, turns = url, 0
        while True:
            answer = answer_of(await self.fetch(url, ends - self.clock.now()))
            if found := await self.readers.document(asked, answer):
                return found
            page = await self.readers.page(answer)
            if page.refresh in {"", url, answer.url} or turns == _MOST_TURNS:
                break
            url, turns = page.refresh, turns + 1
        if page.frames and not page.wordCount:
            page = await self._framed(page, ends)
        reading = reading_of(asked, answer, page, self.name)
        return judge(reading, page, scripted=lambda: answer.scripted)

    async def fetch(self, url: str, seconds: float) -> FetchedResponse:
        """Return what came of one request, or raise `UnreadableError`."""
        plain = self.name == "html"
        wanted = FetchRequest(
            url=url,
            accept=ACCEPT_HTML if plain or self.readers.wants_html else ACCEPT_MARKDOWN,
            timeout=max(0.1, min(seconds, self.timeout)),
            plain=plain,
            page_bytes=self.bounds.page_bytes,
            document_bytes=self.bounds.document_bytes,
        )
        fetched = await self.reach(wanted)
        check_status(fetched, self.clock)
        return fetched

    async def reach(self, wanted: FetchRequest) -> FetchedResponse:
        """Return the answer, whatever its status; raise `UnreadableError` when there is none."""
        try:
            return await self.fetcher.fetch(wanted)
        except (BadInputError, BlockedError) as error:  # not a URL that is fetched from here
            raise UnreadableError("validation", str(error), final=True) from error
        except NetworkError as error:
            code = str(error.details.get("detail", ""))
            raise UnreadableError("network", _words(error), final=code in _HOPELESS) from error

    async def _framed(self, page: PageContent, ends: float) -> PageContent:
        """Return the page with the content of its frames, which hold all there is."""
        parts: list[PageContent] = []
        for frame in page.frames[:_MOST_FRAMES]:
            try:
                answer = answer_of(await self.fetch(frame, ends - self.clock.now()))
            except UnreadableError:  # one of several frames; the verdict sees what is left
                continue
            parts.append(await self.readers.page(answer))
        return page.model_copy(
            update={
                "markdown": "\n\n".join(part.markdown for part in parts if part.markdown),
                "html": "\n".join(part.html for part in parts if part.html),
                "source": "\n".join(part.source for part in parts if part.source) or page.source,
                "wordCount": sum(part.wordCount for part in parts),
                "removed": (*page.removed, *(gone for part in parts for gone in part.removed)),
                "wall": next((part.wall for part in parts if part.wall), None),
            }
        )


def answer_of(fetched: FetchedResponse) -> Answer:
    """Return the bytes with what is needed to read them."""
    return Answer(
        url=fetched.url,
        content=fetched.content,
        content_type=fetched.headers.get("content-type", ""),
        cut=fetched.truncated,
        status=fetched.status,
    )


def _words(error: NetworkError) -> str:
    """Return the middle of "Network error on URL: words. Check connectivity."."""
    text = str(error)
    text = text.partition(": ")[2] if text.startswith("Network error on ") else text
    return text.rpartition(". Check ")[0] or text
