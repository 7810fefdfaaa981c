"""Jina's search: results with the text of their pages."""

from typing import Any

from starlette.requests import Request

from webquarry.errors import BadInputError, PageError
from webquarry.server.compat.jina.jina_options import JinaOptions
from webquarry.server.compat.jina.jina_pages import JinaPages, summaries
from webquarry.server.compat.tavily.tavily_search import favicon
from webquarry.server.compat.vendor_body import given_fields
from webquarry.server.compat.vendor_context import VendorContext
from webquarry.server.compat.vendor_search import VendorHit, VendorQuery, VendorSearch

Json = dict[str, Any]


async def search(
    context: VendorContext, request: Request, options: JinaOptions, query: str
) -> tuple[list[Json], list[str]]:
    """Return the results of a query, and what had no effect."""
    body = options.body
    if body.type == "images":
        raise BadInputError("type: images is not possible here; use web or news")
    count = body.count if body.num is None else body.num
    pages = JinaPages(context, request, options)
    reads = count > 0 and body.respondWith != "no-content"
    wanted = VendorQuery(
        text=query,
        count=max(1, count or 10) * body.page,
        news=body.type == "news",
        include=body.site or (),
    )
    hits = await VendorSearch(context, request).find(wanted, None)
    first = (body.page - 1) * (count or 10)
    items = hits.items[first:]
    if not items:
        raise PageError(f"No search results available for query {query}")
    read = {page.url: page for page in await pages.read([h.url for h in items])} if reads else {}
    rows: list[Json] = []
    for hit in items:
        page = read.get(hit.url)
        data = await pages.data(page) if page and page.problem is None else _plain(hit)
        rows.append(_row(hit, data, with_favicon=body.withFavicon))
    notes = [
        f"{n} has no effect on this server." for n in given_fields(body, ("gl", "hl", "location"))
    ]
    return rows, [*options.warnings, *notes, *hits.notes]


def _plain(hit: VendorHit) -> Json:
    return {"title": hit.title, "url": hit.url, "content": "", "usage": {"tokens": 0}}


def _row(hit: VendorHit, data: Json, *, with_favicon: bool) -> Json:
    named = {name: value for name, value in data.items() if name != "warning"}
    row = named | {"title": data["title"] or hit.title, "description": hit.snippet}
    if hit.published:
        row["date"] = hit.published
    return row | ({"favicon": favicon(hit.url)} if with_favicon else {})


def results_text(rows: list[Json], warnings: list[str]) -> str:
    """Return results as one text."""
    parts = [_result_text(number, row) for number, row in enumerate(rows, 1)]
    notes = [f"Warning: {text}" for text in dict.fromkeys(warnings)]
    return "\n\n".join([*notes, *parts]).rstrip() + "\n"


def _result_text(number: int, row: Json) -> str:
    lines = [f"Title: {row['title']}", f"URL Source: {row['url']}"]
    if row.get("description"):
        lines.append(f"Description: {row['description']}")
    if date := row.get("publishedTime") or row.get("date"):
        lines.append(f"Published Time: {date}")
    if row.get("favicon"):
        lines.append(f"Favicon: {row['favicon']}")
    if row.get("content"):
        lines.append(f"Markdown Content:\n{row['content']}")
    lines += summaries(row)
    return "\n".join(f"[{number}] {line}" for line in lines) + "\n"
