"""Converts stored pages to the requested formats."""

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from typing import Any

from webquarry.content.html.charset import decode_page
from webquarry.crawl.compression import decompress
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import StoredPage
from webquarry.crawl.urls import resolve
from webquarry.errors import ParseLimitError
from webquarry.models.crawl import CrawledPage, Format
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import WORKER_ONLY, ParseTask

_INLINE_BYTES = 65_536  # before compression; how deep the page is nested is not known
_MAX_BYTES = 2**28  # the limit was checked when the page was fetched


logger = logging.getLogger(__name__)


class StoredContent:
    """Converts rows to pages. Markdown is generated when a page is first requested, and stored."""

    def __init__(self, store: CrawlStore, parsers: Parsers) -> None:
        self._store = store
        self._parsers = parsers

    async def pages(
        self, job_id: str, rows: Sequence[StoredPage], formats: Sequence[Format]
    ) -> tuple[CrawledPage, ...]:
        """Return pages with their content."""
        pages = [await self._fields(row, formats) for row in rows]
        generated = [
            (row, markdown.encode("utf-8", "replace"))
            for row, (_, markdown) in zip(rows, pages, strict=True)
            if markdown is not None
        ]
        if generated:
            await self._store.store_markdown(job_id, generated)
        return tuple([await self._page(job_id, fields) for fields, _ in pages])

    async def _page(self, job_id: str, fields: dict[str, Any]) -> CrawledPage:
        near = fields.pop("near")
        original = await self._store.page(job_id, bytes.fromhex(near)) if near else None
        return CrawledPage(
            **fields,
            near_duplicate_of=json.loads(original.meta)["url"] if original else None,
        )

    async def _fields(
        self, row: StoredPage, formats: Sequence[Format]
    ) -> tuple[dict[str, Any], str | None]:
        """Return the fields of a page, and its Markdown if it was generated now."""
        meta = json.loads(row.meta)
        wanted: list[Format] = [
            name for name in formats if name != "markdown" or row.markdown is None
        ]
        converted: dict[Format, str | tuple[str, ...]] = {}
        if wanted:
            converted |= await self._convert(row, meta, wanted)
        generated = converted.get("markdown") if _is_html(meta["type"]) else None
        if "markdown" in formats and row.markdown is not None:
            converted["markdown"] = row.markdown.decode()
        content: dict[Format, str | tuple[str, ...]] = {
            name: converted[name] for name in dict.fromkeys(formats)
        }
        return _row_fields(meta, content), str(generated) if generated is not None else None

    async def _convert(
        self, row: StoredPage, meta: dict[str, Any], formats: list[Format]
    ) -> dict[Format, str | tuple[str, ...]]:
        await asyncio.sleep(0)  # other calls get their turn between two pages
        task = ParseTask(
            convert_page,
            subject=f"The stored page {meta['url']}",
            inline_bytes=_INLINE_BYTES if meta["bytes"] <= _INLINE_BYTES else WORKER_ONLY,
        )
        try:
            return await self._parsers.run(
                task,
                row.body,
                encoding=meta["encoding"],
                content_type=meta["type"],
                url=meta["final_url"],
                formats=formats,
            )
        except ParseLimitError as error:  # the other pages are still wanted
            logger.warning("without content: %s", error)
            return {name: () if name == "links" else "" for name in formats}


def _row_fields(
    meta: dict[str, Any], content: dict[Format, str | tuple[str, ...]]
) -> dict[str, Any]:
    return {
        "url": meta["url"],
        "final_url": meta["final_url"],
        "status": meta["status"],
        "title": meta["title"],
        "depth": meta["depth"],
        "media_type": meta["type"].partition(";")[0].strip().lower(),
        "content": content,
        "links": meta["links"],
        "bytes": meta["bytes"],
        "words": meta["words"],
        "fetched_at": meta["at"],
        "hash": meta["hash"],
        "changed": meta["changed"],
        "near": meta["near"],
    }


def convert_page(
    body: bytes, *, encoding: str, content_type: str, url: str, formats: list[Format]
) -> dict[Format, str | tuple[str, ...]]:
    """Return a stored page in each format."""
    raw = decompress(body, encoding, _MAX_BYTES) or b""
    return {name: _CONVERTERS[name](raw, content_type, url) for name in formats}


def _is_html(content_type: str) -> bool:
    return "html" in content_type or not content_type


def _markdown(raw: bytes, content_type: str, url: str) -> str:
    if not _is_html(content_type):
        return decode_page(raw, content_type)
    # imported here because the extractor is slow to load
    from webquarry.content.html.read_html import to_markdown

    return to_markdown(raw, url, content_type)


def _decoded(raw: bytes, content_type: str, _url: str) -> str:
    return decode_page(raw, content_type)


def _text(raw: bytes, content_type: str, url: str) -> str:
    from webquarry.content.html.quick_parse import quick_parse

    if _is_html(content_type):
        return quick_parse(raw, content_type).text
    return _decoded(raw, content_type, url)


def _links(raw: bytes, content_type: str, url: str) -> tuple[str, ...]:
    from webquarry.content.html.quick_parse import quick_parse

    parsed = quick_parse(raw, content_type)
    base = url
    if parsed.base and (declared := resolve(parsed.base, base)):
        base = declared.href
    urls = (resolve(href, base) for href in parsed.links)
    return tuple(dict.fromkeys(found.href for found in urls if found))


_CONVERTERS: dict[Format, Callable[[bytes, str, str], str | tuple[str, ...]]] = {
    "html": _decoded, "text": _text, "links": _links, "markdown": _markdown,
}  # fmt: skip
