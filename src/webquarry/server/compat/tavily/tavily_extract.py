"""Tavily's extract: pages as Markdown or text, whole or the passages about a query."""

from typing import Any

from starlette.requests import Request

from webquarry.server.compat.tavily.tavily_bodies import TavilyExtractBody
from webquarry.server.compat.tavily.tavily_search import CHUNK_GAP, content_as, favicon
from webquarry.server.compat.vendor_context import VendorContext
from webquarry.server.compat.vendor_pages import PageWish, VendorPage, VendorPageReader

Json = dict[str, Any]

_CHUNK_CHARS = 500


async def extract(context: VendorContext, request: Request, body: TavilyExtractBody) -> Json:
    """Return the pages that could be read, and why the others could not."""
    reader = VendorPageReader(context, request)
    formats = ("images",) if body.include_images else ()
    pages = await reader.read(body.listed, PageWish(formats=formats, seconds=body.timeout))
    return {
        "results": [await _row(reader, page, body) for page in pages if page.problem is None],
        "failed_results": [
            {"url": page.url, "error": page.problem.message} for page in pages if page.problem
        ],
    }


async def _row(reader: VendorPageReader, page: VendorPage, body: TavilyExtractBody) -> Json:
    row: Json = {
        "url": page.url,
        "title": page.title,
        "raw_content": await _content(reader, page, body),
    }
    row["images"] = list(page.body.get("images") or ())
    if body.include_favicon:
        row["favicon"] = favicon(page.url)
    return row


async def _content(reader: VendorPageReader, page: VendorPage, body: TavilyExtractBody) -> str:
    if body.query:
        count = body.chunks_per_source
        excerpts = await reader.excerpts(page, body.query, count, _CHUNK_CHARS)
        return CHUNK_GAP.join(excerpt.text for excerpt in excerpts)
    return await content_as(reader, page.markdown, body.format)
