"""Converts stored pages to the requested formats."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from webquarry.content.html.charset import decode_page
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import StoredPage
from webquarry.crawl.urls import resolve
from webquarry.crawl.visit import decompress
from webquarry.models.crawl import CrawledPage, Format

_MAX_BYTES = 2**28  # the limit was checked when the page was fetched


class StoredContent:
    """Converts rows to pages. Markdown is generated when a page is first requested, and stored."""

    def __init__(self, store: CrawlStore) -> None:
        self._store = store

    async def pages(
        self, job_id: str, rows: Sequence[StoredPage], formats: Sequence[Format]
    ) -> tuple[CrawledPage, ...]:
        """Return pages with their content."""
        pages = await asyncio.to_thread(lambda: [_fields(row, formats) for row in rows])
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


def _fields(row: StoredPage, formats: Sequence[Format]) -> tuple[dict[str, Any], str | None]:
    """Return the fields of a page, and its Markdown if it was generated now."""
    meta = json.loads(row.meta)
    content, generated = _content(row, meta, formats) if formats else ({}, None)
    fields = {
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
    return fields, generated


def _content(
    row: StoredPage, meta: dict[str, Any], formats: Sequence[Format]
) -> tuple[dict[Format, str | tuple[str, ...]], str | None]:
    """Return the page in each format, and its Markdown if it was generated now."""
    raw = decompress(row.body, meta["encoding"], _MAX_BYTES) or b""
    content: dict[Format, str | tuple[str, ...]] = {
        name: _CONVERTERS[name](raw, meta) for name in formats if name != "markdown"
    }
    generated: str | None = None
    if "markdown" in formats:
        if row.markdown is not None:
            content["markdown"] = row.markdown.decode()
        elif _is_html(meta):
            content["markdown"] = generated = _markdown(raw, meta)
        else:
            content["markdown"] = _decoded(raw, meta)
    return {name: content[name] for name in dict.fromkeys(formats)}, generated


def _is_html(meta: dict[str, Any]) -> bool:
    return "html" in meta["type"] or not meta["type"]


def _markdown(raw: bytes, meta: dict[str, Any]) -> str:
    # imported here because the extractor is slow to load
    from webquarry.content.html.read_html import to_markdown

    return to_markdown(raw, meta["final_url"], meta["type"])


def _decoded(raw: bytes, meta: dict[str, Any]) -> str:
    return decode_page(raw, meta["type"])


def _text(raw: bytes, meta: dict[str, Any]) -> str:
    from webquarry.content.html.quick_parse import quick_parse

    return quick_parse(raw, meta["type"]).text if _is_html(meta) else _decoded(raw, meta)


def _links(raw: bytes, meta: dict[str, Any]) -> tuple[str, ...]:
    from webquarry.content.html.quick_parse import quick_parse

    parsed = quick_parse(raw, meta["type"])
    base = meta["final_url"]
    if parsed.base and (declared := resolve(parsed.base, base)):
        base = declared.href
    urls = (resolve(href, base) for href in parsed.links)
    return tuple(dict.fromkeys(url.href for url in urls if url))


_CONVERTERS = {"html": _decoded, "text": _text, "links": _links}
