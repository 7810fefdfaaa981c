"""Reads the files that pages give, within limits, as the documents they are."""

import asyncio
import mimetypes
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webquarry.content.text.token_count import BYTES_PER_TOKEN, cut_text
from webquarry.errors import BadInputError, WebquarryError
from webquarry.models.browsing import Download
from webquarry.net.client.response import FetchedResponse, Headers
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.reading.browser.playwright_errors import playwright_errors
from webquarry.reading.response_reader import ResponseReader

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext
    from playwright.async_api import Download as BrowserDownload

_SECONDS = 30.0
_MAX_PENDING = 5
_CHECK_SECONDS = 0.1


@dataclass
class PageDownloads:
    """The downloads of one session."""

    responses: ResponseReader
    fetcher: Fetcher
    max_bytes: int
    folder: Path  # in which the browser stores them
    _pending: "list[BrowserDownload]" = field(default_factory=list["BrowserDownload"])

    def add(self, download: "BrowserDownload") -> None:
        """Note a download that a page has started."""
        if len(self._pending) < _MAX_PENDING:
            self._pending.append(download)

    @property
    def waiting(self) -> bool:
        """Whether there is one to read."""
        return bool(self._pending)

    async def take(self, max_tokens: int) -> tuple[Download, ...]:
        """Return the files since the last time, each as text within the limit."""
        pending, self._pending = self._pending, []
        return tuple([await self._read(each, max_tokens) for each in pending])

    async def shown(
        self, context: "BrowserContext", url: str, content_type: str, max_tokens: int
    ) -> Download:
        """Return a document that the browser shows instead of a page."""
        cookies = await context.cookies([url])
        header = "; ".join(f"{each.get('name')}={each.get('value')}" for each in cookies)
        request = FetchRequest(
            url=url,
            headers={"Cookie": header} if header else {},
            timeout=_SECONDS,
            max_document_bytes=self.max_bytes,
        )
        name = url.partition("?")[0].rpartition("/")[2]
        try:
            fetched = await self.fetcher.fetch(request)
            return await self._text(fetched, name, max_tokens)
        except WebquarryError as error:
            return Download(url=url, name=name, contentType=content_type, error=str(error))

    async def _read(self, download: "BrowserDownload", max_tokens: int) -> Download:
        url, name = _short(download.url), download.suggested_filename[:200]
        try:
            content = await self._content(download)
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            headers = Headers([("content-type", kind)])
            fetched = FetchedResponse(url=url, status=200, headers=headers, content=content)
            return await self._text(fetched, name, max_tokens)
        except TimeoutError:
            error = f"not complete within {_SECONDS:.0f} seconds"
        except WebquarryError as failure:
            error = str(failure)
        except playwright_errors() as failure:
            error = str(failure).partition("\n")[0][:200]
        return Download(url=url, name=name, error=error)

    async def _content(self, download: "BrowserDownload") -> bytes:
        """Return the bytes of a download; it is cancelled when it becomes too large."""
        watch = asyncio.ensure_future(self._cancel_if_large(download))
        try:
            async with asyncio.timeout(_SECONDS):
                path = await download.path()
            if path.stat().st_size > self.max_bytes:
                raise _too_large(self.max_bytes)
            return await asyncio.to_thread(path.read_bytes)
        except playwright_errors() as error:
            if watch.done() and not watch.cancelled():
                raise _too_large(self.max_bytes) from error
            raise
        finally:
            watch.cancel()
            await _discard(download)

    async def _cancel_if_large(self, download: "BrowserDownload") -> None:
        stored = 0
        while stored <= 2 * self.max_bytes:
            await asyncio.sleep(_CHECK_SECONDS)
            stored = await asyncio.to_thread(_folder_bytes, self.folder)
        await download.cancel()

    async def _text(self, fetched: FetchedResponse, name: str, max_tokens: int) -> Download:
        reading = await self.responses.read(fetched, fetched.url, "browser")
        text = cut_text(reading.markdown, max_tokens * BYTES_PER_TOKEN)
        return Download(
            url=fetched.url,
            name=name,
            contentType=fetched.headers.media_type,
            content=text,
            truncated=reading.truncated or len(text) < len(reading.markdown),
        )


def _too_large(limit: int) -> WebquarryError:
    return BadInputError(f"larger than {limit // 2**20} MiB (MAX_DOCUMENT_BYTES)")


async def _discard(download: Any) -> None:
    try:
        await download.delete()
    except playwright_errors():
        return  # the browser is gone, and its files with it


def _folder_bytes(folder: Path) -> int:
    total = 0
    for entry in folder.glob("*"):
        try:
            total += entry.stat().st_size
        except OSError:  # deleted in the meantime
            continue
    return total


def _short(url: str) -> str:
    return url[:500]
