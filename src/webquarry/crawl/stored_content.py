"""Stored pages in the formats that somebody asks for."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from webquarry.content.html.charset import decode_page
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import StoredPage
from webquarry.crawl.urls import resolve
from webquarry.crawl.visit import unfolded
from webquarry.models.crawl import CrawledPage, Format

_MOST = 2**28  # it was within the limit when it came


class StoredContent:
    """Turns rows into pages. Markdown is written when a page is first read, and kept."""

    def __init__(self, crawls: CrawlStore) -> None:
        self._crawls = crawls

    async def pages(
        self, job_id: str, rows: Sequence[StoredPage], formats: Sequence[Format]
    ) -> tuple[CrawledPage, ...]:
        """Return pages with their content."""
        made = await asyncio.to_thread(lambda: [_made(row, formats) for row in rows])
        new = [
            (row, markdown.encode("utf-8", "replace"))
            for row, (_, markdown) in zip(rows, made, strict=True)
            if markdown is not None
        ]
        if new:
            await self._crawls.keep_markdown(job_id, new)
        return tuple([await self._finished(job_id, meta) for meta, _ in made])

    async def _finished(self, job_id: str, meta: dict[str, Any]) -> CrawledPage:
        near = meta.pop("near")
        original = await self._crawls.page(job_id, bytes.fromhex(near)) if near else None
        return CrawledPage(
            **meta,
            near_duplicate_of=json.loads(original.meta)["url"] if original else None,
        )


def _made(row: StoredPage, formats: Sequence[Format]) -> tuple[dict[str, Any], str | None]:
    """Return the fields of a page, and its Markdown if it was written now."""
    meta = json.loads(row.meta)
    written: str | None = None
    content: dict[Format, str | tuple[str, ...]] = {}
    if formats:
        kind = meta["type"]
        markup = "html" in kind or not kind
        raw = unfolded(row.body, meta["encoding"], _MOST) or b""
        for wanted in dict.fromkeys(formats):
            if wanted == "markdown":
                kept = row.markdown
                if kept is None and markup:
                    written = content[wanted] = _markdown(raw, meta)
                else:
                    content[wanted] = _text(raw, kind) if kept is None else kept.decode()
            else:
                content[wanted] = _OTHERS[wanted](raw, meta)
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
    return fields, written


def _markdown(raw: bytes, meta: dict[str, Any]) -> str:
    # imported here: the extractor is slow to load and only those who read pages need it
    from webquarry.content.html.read_html import to_markdown

    return to_markdown(raw, meta["final_url"], meta["type"])


def _text(raw: bytes, kind: str) -> str:
    return decode_page(raw, kind).text


def _words(raw: bytes, meta: dict[str, Any]) -> str:
    from webquarry.content.html.quick_parse import glance

    if "html" not in meta["type"] and meta["type"]:
        return _text(raw, meta["type"])
    return glance(raw, meta["type"]).text


def _html(raw: bytes, meta: dict[str, Any]) -> str:
    return _text(raw, meta["type"])


def _links(raw: bytes, meta: dict[str, Any]) -> tuple[str, ...]:
    from webquarry.content.html.quick_parse import glance

    seen = glance(raw, meta["type"])
    base = meta["final_url"]
    if seen.base and (stated := resolve(seen.base, base)):
        base = stated.href
    found = (resolve(href, base) for href in seen.links)
    return tuple(dict.fromkeys(address.href for address in found if address))


_OTHERS = {"html": _html, "text": _words, "links": _links}
