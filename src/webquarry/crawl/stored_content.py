"""Converts stored pages to the requested formats."""

import asyncio
import json
import logging
from collections.abc import Sequence
from typing import Any

from webquarry.content.html.charset import decode_page
from webquarry.content.html.format_conversion import html_formats, text_formats
from webquarry.crawl.compression import decompress
from webquarry.crawl.document_pages import MARKDOWN
from webquarry.crawl.store.crawl_store import CrawlStore
from webquarry.crawl.store.crawl_values import StoredPage
from webquarry.crawl.urls import resolve
from webquarry.errors import ParseLimitError
from webquarry.models.crawl import CrawledPage
from webquarry.models.page_formats import Format, FormatContent
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import WORKER_ONLY, ParseTask

_INLINE_BYTES = 65_536  # before compression; how deep the page is nested is not known
_MAX_BYTES = 2**28  # the limit was checked when the page was fetched
# formats that are converted from the body of a page
CONVERTED: tuple[Format, ...] = (
    "markdown", "html", "rawHtml", "text", "links", "images", "json",
)  # fmt: skip
_EMPTY: dict[Format, FormatContent] = {"links": (), "images": (), "json": {}}

logger = logging.getLogger(__name__)


class StoredContent:
    """Converts rows to pages. Markdown is generated when a page is first requested, and stored."""

    def __init__(self, store: CrawlStore, parsers: Parsers) -> None:
        self._store = store
        self._parsers = parsers

    async def pages(
        self, job_id: str, rows: Sequence[StoredPage], formats: Sequence[Format]
    ) -> tuple[CrawledPage, ...]:
        """Return pages with their content; formats that a model makes are left out."""
        pages = [await self._fields(job_id, row, formats) for row in rows]
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
        self, job_id: str, row: StoredPage, formats: Sequence[Format]
    ) -> tuple[dict[str, Any], str | None]:
        """Return the fields of a page, and its Markdown if it was generated now."""
        meta = json.loads(row.meta)
        contents: dict[Format, FormatContent] = {}
        if "markdown" in formats and row.markdown is not None:
            contents["markdown"] = row.markdown.decode()
        if "screenshot" in formats:
            contents["screenshot"] = _screenshot(job_id, row.seq, meta)
        wanted: list[Format] = [
            name for name in formats if name in CONVERTED and name not in contents
        ]
        converted = await self._convert(row, meta, wanted) if wanted else {}
        generated = converted.get("markdown") if _is_html(meta) else None
        contents |= converted
        content: dict[Format, FormatContent] = {
            name: contents[name] for name in dict.fromkeys(formats) if name in contents
        }
        return _row_fields(meta, content), str(generated) if generated is not None else None

    async def _convert(
        self, row: StoredPage, meta: dict[str, Any], formats: list[Format]
    ) -> dict[Format, FormatContent]:
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
                content_type=stored_type(meta),
                url=meta["final_url"],
                title=meta["title"],
                formats=formats,
            )
        except ParseLimitError as error:  # the other pages are still wanted
            logger.warning("without content: %s", error)
            return {name: _EMPTY.get(name, "") for name in formats}


def stored_type(meta: dict[str, Any]) -> str:
    """Return the content type of a stored body: that of a document is Markdown."""
    return MARKDOWN if meta.get("document") else meta["type"]


def _is_html(meta: dict[str, Any]) -> bool:
    return is_html_type(stored_type(meta))


def _screenshot(job_id: str, number: int, meta: dict[str, Any]) -> dict[str, Any]:
    """Return what is known of a screenshot and where it is, or why there is none."""
    image = meta.get("screenshot")
    if image is None:
        return {"error": _missing_screenshot_reason(meta)}
    return {
        "mimeType": image["type"],
        "width": image["width"],
        "height": image["height"],
        "bytes": image["bytes"],
        **({"truncated": True} if image["truncated"] else {}),
        "url": f"/v1/crawl/{job_id}/screenshots/{number}",
        "resource": f"research://crawl/{job_id}/screenshots/{number}",
    }


def _missing_screenshot_reason(meta: dict[str, Any]) -> str:
    if meta.get("document"):
        return "a document has no screenshot"
    if meta.get("screenshot_over_limit"):
        return "the screenshots of this crawl reached CRAWL_MAX_SCREENSHOT_BYTES"
    return "it could not be taken"


def _row_fields(meta: dict[str, Any], content: dict[Format, FormatContent]) -> dict[str, Any]:
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
        "step_failed": meta.get("step_failed"),
    }


def convert_page(
    body: bytes, *, encoding: str, content_type: str, url: str, title: str, formats: list[Format]
) -> dict[Format, FormatContent]:
    """Return a stored page in each format."""
    raw = decompress(body, encoding, _MAX_BYTES) or b""
    if not is_html_type(content_type):
        text = decode_page(raw, content_type)
        return text_formats(text, url=url, title=title, formats=formats)
    others: list[Format] = [name for name in formats if name != "links"]
    contents = html_formats(raw, url=url, content_type=content_type, formats=others)
    if "links" in formats:
        contents["links"] = _links(raw, content_type, url)
    return contents


def is_html_type(content_type: str) -> bool:
    """Whether a content type is that of a web page."""
    return "html" in content_type or not content_type


def _links(raw: bytes, content_type: str, url: str) -> tuple[str, ...]:
    """Return the links of a page, normalised as the URLs of a crawl."""
    from webquarry.content.html.quick_parse import quick_parse

    parsed = quick_parse(raw, content_type)
    base = url
    if parsed.base and (declared := resolve(parsed.base, base)):
        base = declared.href
    urls = (resolve(href, base) for href in parsed.links)
    return tuple(dict.fromkeys(found.href for found in urls if found))
