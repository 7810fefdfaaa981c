"""The pages of a job as they are stored, for work on all of them."""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Concatenate

from webquarry.content.html.charset import decode_page
from webquarry.crawl.compression import decompress
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import SCREENSHOT
from webquarry.crawl.stored_content import is_html_type, stored_type
from webquarry.errors import ParseLimitError
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import WORKER_ONLY, P, ParseTask, T

_BATCH = 500  # pages without bodies
_INLINE_BYTES = 65_536  # before compression; how deep the page is nested is not known
_MAX_BYTES = 2**28  # the limit was checked when the page was fetched


@dataclass(frozen=True, slots=True)
class PageListing:
    """A stored page without its content."""

    url: str
    final_url: str
    title: str


@dataclass(frozen=True, slots=True)
class StoredScreenshot:
    """The stored image of a page."""

    content: bytes
    media_type: str

    @property
    def suffix(self) -> str:
        """The file extension of the image."""
        return f".{self.media_type.partition('/')[2]}"


@dataclass(frozen=True, slots=True)
class StoredReading:
    """A stored page from which a `Reading` can be made."""

    key: bytes
    url: str
    meta: dict[str, Any]
    body: bytes
    markdown: str | None  # if it was converted before


class StoredPages:
    """Reads the stored pages of jobs. Callers have checked whose job it is."""

    def __init__(self, store: CrawlStore, parsers: Parsers) -> None:
        self._store = store
        self._parsers = parsers

    async def listing(self, job_id: str) -> AsyncIterator[PageListing]:
        """Yield all pages in the order they were stored."""
        after = 0
        while rows := await self._store.pages(job_id, after=after, limit=_BATCH, bodies=False):
            for row in rows:
                meta = json.loads(row.meta)
                yield PageListing(meta["url"], meta["final_url"], meta["title"])
            after = rows[-1].seq

    async def readings(self, job_id: str, after: int, limit: int) -> list[StoredReading]:
        """Return pages in the order they were stored, after so many."""
        rows = await self._store.pages(job_id, after=after, limit=limit, bodies=True)
        readings: list[StoredReading] = []
        for row in rows:
            meta = json.loads(row.meta)
            markdown = None if row.markdown is None else row.markdown.decode()
            readings.append(StoredReading(row.key, meta["url"], meta, row.body, markdown))
        return readings

    async def read(self, stored: StoredReading) -> Reading:
        """Return a stored page with its metadata and its source; `ParseLimitError` may happen."""
        meta = stored.meta
        if meta.get("document"):
            content = decompress(stored.body, meta["encoding"], _MAX_BYTES) or b""
            return _document_reading(content.decode(), meta)
        return await self._parsers.run(
            self._task(stored_reading, meta),
            stored.body,
            encoding=meta["encoding"],
            content_type=meta["type"],
            url=meta["final_url"],
        )

    async def file(self, job_id: str, key: bytes, name: str) -> bytes | None:
        """Return what was stored for a page under a name."""
        return await self._store.files.get(job_id, key, name)

    async def store_file(self, job_id: str, key: bytes, name: str, content: bytes) -> None:
        """Store something for a page under a name."""
        await self._store.files.put(job_id, key, name, content)

    async def screenshot(self, job_id: str, number: int) -> StoredScreenshot | None:
        """Return the screenshot of the page with a number, counted from 1."""
        rows = await self._store.pages(job_id, after=number - 1, limit=1, bodies=False)
        if not rows or rows[0].seq != number:
            return None
        meta = json.loads(rows[0].meta)
        content = await self.file(job_id, rows[0].key, SCREENSHOT)
        if content is None or "screenshot" not in meta:
            return None
        return StoredScreenshot(content, meta["screenshot"]["type"])

    async def anchored(self, job_id: str, place: int, plain: str, names: Sequence[str]) -> str:
        """Return the Markdown of the page at a place, with anchors; `plain` is it without them."""
        rows = await self._store.pages(job_id, after=place, limit=1, bodies=True)
        if not rows:  # the job was deleted meanwhile
            return plain
        meta = json.loads(rows[0].meta)
        if not is_html_type(stored_type(meta)):
            return plain
        try:
            return await self._parsers.run(
                self._task(anchored_markdown, meta),
                rows[0].body,
                encoding=meta["encoding"],
                content_type=meta["type"],
                url=meta["final_url"],
                names=list(names),
                plain=plain,
            )
        except ParseLimitError:  # the page is complete without its anchors
            return plain

    def _task(
        self, function: Callable[Concatenate[bytes, P], T], meta: dict[str, Any]
    ) -> ParseTask[P, T]:
        return ParseTask(
            function,
            subject=f"The stored page {meta['url']}",
            inline_bytes=_INLINE_BYTES if meta["bytes"] <= _INLINE_BYTES else WORKER_ONLY,
        )


def stored_reading(body: bytes, *, encoding: str, content_type: str, url: str) -> Reading:
    """Return a stored page as read, with its source."""
    raw = decompress(body, encoding, _MAX_BYTES) or b""
    text = decode_page(raw, content_type)
    if not is_html_type(content_type):
        return Reading(url=url, final_url=url, markdown=text, kind="text")
    # imported here because the extractor is slow to load
    from webquarry.content.html.read_html import read_html

    return read_html(text, url=url).model_copy(update={"source": text})


def _document_reading(markdown: str, meta: dict[str, Any]) -> Reading:
    url = meta["final_url"]
    metadata = PageMetadata(title=meta["title"])
    kind: str = meta["document"]
    return Reading(url=url, final_url=url, markdown=markdown, kind=kind, metadata=metadata)


def anchored_markdown(
    body: bytes, *, encoding: str, content_type: str, url: str, names: list[str], plain: str
) -> str:
    """Return the Markdown of a stored page with anchors."""
    html = decompress(body, encoding, _MAX_BYTES) or b""
    # imported here, like `read_html`: a crawl itself needs neither
    from webquarry.content.export.anchors import markdown_with_anchors

    return markdown_with_anchors(html, content_type=content_type, url=url, names=names, plain=plain)
