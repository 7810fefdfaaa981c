"""Reads archived pages as text, with the same readers as live pages."""

from dataclasses import dataclass

from webquarry.content.claims.text_fragments import PageText, normalize_text, without_fragment
from webquarry.content.markdown.parse import visible_text
from webquarry.errors import WebquarryError
from webquarry.models.exchange import Exchange
from webquarry.net.client.content_encoding import Decoder
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.reading.response_reader import ResponseReader
from webquarry.services.bundles.bundle_archive import BundleArchive, IndexedRecord
from webquarry.webarchive.warc_writing import URN_OF_KIND

_MAX_CONTENT = 50 * 2**20


def fetched_response(exchange: Exchange, *, limit: int = _MAX_CONTENT) -> FetchedResponse:
    """Return an archived response as if it had just been received."""
    headers = Headers(exchange.headers)
    decoder = Decoder(headers.get("content-encoding", ""))
    content = bytearray()
    for piece in decoder.feed(exchange.body):
        content += piece
        if len(content) > limit:
            break
    return FetchedResponse(
        url=exchange.url,
        status=exchange.status,
        headers=headers,
        content=bytes(content[:limit]),
        ending="size_limit" if len(content) > limit else "complete",
    )


@dataclass(frozen=True)
class ArchiveReader:
    """Reads the pages of an archive."""

    archive: BundleArchive
    responses: ResponseReader

    async def texts(self, url: str) -> list[tuple[IndexedRecord, str]]:
        """Return the texts of all captures of a URL that can be read, normalized."""
        found: list[tuple[IndexedRecord, str]] = []
        for record in self.captures(url):
            try:
                found.append((record, await self._text(record)))
            except WebquarryError:  # another capture of the page may be readable
                continue
        return found

    def captures(self, url: str) -> list[IndexedRecord]:
        """Return the captures of a page: the page in the browser first."""
        page = without_fragment(url)
        return [*self.archive.find(URN_OF_KIND["dom"] + page), *self.archive.find(page)]

    async def _text(self, record: IndexedRecord) -> str:
        exchange = self.archive.exchange(record)
        fetched = fetched_response(exchange)
        is_page = exchange.kind == "dom"
        reading = await self.responses.read(fetched, exchange.url, "archive", is_page=is_page)
        return normalize_text(visible_text(reading.markdown))


def holds(text: str, quote: str) -> bool:
    """Whether a normalized text has the quotation."""
    return PageText(text).span_of(normalize_text(quote)) is not None
