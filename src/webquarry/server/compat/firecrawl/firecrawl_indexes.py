"""Firecrawl's special indexes: papers, repositories, documentation, government sites.

This server has none of them. It asks the search engines and scholarly APIs that it is configured
with, and restricts them to such sources.
"""

from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from webquarry.errors import BadInputError
from webquarry.models.cinder import Query
from webquarry.models.model import Model
from webquarry.models.page import PageMetadata
from webquarry.models.reading import Reading
from webquarry.models.search import WebResult
from webquarry.server.compat.firecrawl.firecrawl_errors import parsed
from webquarry.server.compat.firecrawl.firecrawl_jobs import joined
from webquarry.server.compat.firecrawl.firecrawl_scrape import ALL_TOKENS
from webquarry.server.compat.firecrawl.firecrawl_search import FirecrawlSearch, SearchCall
from webquarry.server.compat.vendor_context import Handle, VendorContext
from webquarry.server.problem_details import SafeJson
from webquarry.services.answering.passages import best_passages
from webquarry.services.research.ranked_sources import ReadSource

Json = dict[str, Any]
_Count = Annotated[int, Field(ge=1, le=100)]
_MAX_PAPERS, _MAX_RELATED, _DEFAULT = 10, 25, 10
_PAPER_PARAMETERS = frozenset({"query", "k", "authors", "categories", "from", "to", "origin"})


class GovSearch(Model):
    """The body of a search on sites of governments."""

    query: Query
    k: _Count = _DEFAULT
    origin: str | None = None


class DeveloperSearch(GovSearch):
    """The body of a search on sites for developers."""

    repos: tuple[str, ...] | None = None
    sources: tuple[str, ...] | None = None
    types: tuple[str, ...] | None = None
    passages: int | None = None
    language: str | None = None
    topic: tuple[str, ...] | None = None
    license: str | None = None
    min_stars: int | None = None
    max_stars: int | None = None
    archived: bool | None = None
    fork: bool | None = None
    skills: str | None = None


_INDEX_ONLY = (
    "types", "language", "topic", "license", "min_stars", "max_stars", "archived", "fork", "skills",
)  # fmt: skip


def gov_handler(context: VendorContext) -> Handle:
    """Return the handler of a search on sites of governments."""

    async def search(request: Request) -> Response:
        options: GovSearch = parsed(GovSearch, await context.body(request))
        rows = await _web(context, request, options.query, options.k, "gov")
        return SafeJson({"success": True, "data": {"web": rows}})

    return context.handler(search)


def developer_handler(context: VendorContext) -> Handle:
    """Return the handler of a search on sites for developers."""

    async def search(request: Request) -> Response:
        options: DeveloperSearch = parsed(DeveloperSearch, await context.body(request))
        if given := [name for name in _INDEX_ONLY if getattr(options, name) is not None]:
            raise BadInputError(
                f"{given[0]}: the search engines of this server have no such filter"
            )
        repos = " ".join(f'"{repo}"' for repo in options.repos or ())
        query = f"{options.query} {repos}".strip()
        rows = await _web(context, request, query, options.k, "developer", options.sources)
        results: list[Json] = [
            {
                "id": row["url"],
                "url": row["url"],
                "title": row["title"],
                "passages": [{"text": row["description"], "citation_url": row["url"]}],
            }
            for row in rows
        ]
        return SafeJson({"success": True, "results": results})

    return context.handler(search)


def github_handler(context: VendorContext) -> Handle:
    """Return the handler of a search on GitHub."""

    async def search(request: Request) -> Response:
        query, count = _query(request), _count(request)
        rows = await _web(context, request, query, count, "github")
        return SafeJson({"success": True, "results": rows})

    return context.handler(search)


async def _web(
    context: VendorContext,
    request: Request,
    query: str,
    count: int,
    category: str,
    domains: tuple[str, ...] | None = None,
) -> list[Json]:
    body: Json = {"query": query, "limit": count, "categories": [category]}
    options: FirecrawlSearch = parsed(FirecrawlSearch, body | {"includeDomains": domains})
    answer = await SearchCall(context, request, options).response()
    return answer["data"]["web"]


def papers_handler(context: VendorContext) -> Handle:
    """Return the handler of a search for papers."""

    async def search(request: Request) -> Response:
        given = request.query_params
        if unknown := sorted(given.keys() - _PAPER_PARAMETERS):
            raise BadInputError(f"{unknown[0]}: there is no such parameter")
        authors = " ".join(given.getlist("authors"))
        warnings = (
            ["categories: papers are not chosen by category"] if "categories" in given else []
        )
        arguments: Json = {
            "query": f"{_query(request)} {authors}".strip(),
            "num_results": min(_count(request), _MAX_PAPERS),
            "year_from": _year(request, "from"),
            "year_to": _year(request, "to"),
        }
        body = await context.call(request, "academic_search", arguments)
        warning = {"warning": joined(warnings)} if warnings else {}
        rows = [_paper(paper) for paper in body["papers"]]
        return SafeJson({"success": True, "results": rows, **warning})

    return context.handler(search)


def paper_handler(context: VendorContext) -> Handle:
    """Return the handler of one paper: its metadata, or the passages for a query."""

    async def paper(request: Request) -> Response:
        paper_id = request.path_params["id"]
        query = request.query_params.get("query")
        body = await context.call(
            request, "academic_search", {"query": _plain_id(paper_id), "num_results": 1}
        )
        if not body["papers"]:
            raise BadInputError(f"{paper_id}: no paper was found")
        found = _paper(body["papers"][0])
        if not query:
            return SafeJson({"success": True, "paper": found})
        url = found.get("pdfUrl") or found["url"]
        page = await context.call(request, "cinder_scrape", {"url": url, "max_tokens": ALL_TOKENS})
        passages = _passages(page, query, _count(request))
        return SafeJson({"success": True, "paper": found, "passages": passages})

    return context.handler(paper)


def _passages(page: Json, query: str, count: int) -> list[Json]:
    """Return the sentences of a page that are most relevant to a query."""
    url, title = page["url"], page.get("title", "")
    reading = Reading(
        url=url,
        final_url=url,
        markdown=page["content"],
        kind="document",
        metadata=PageMetadata(title=title),
    )
    source = ReadSource(position=0, result=WebResult(title=title, url=url), reading=reading)
    return [{"text": passage.text} for passage in best_passages([source], query, count)]


def related_handler(context: VendorContext) -> Handle:
    """Return the handler of the papers that a paper cites and that cite it."""

    async def related(request: Request) -> Response:
        arguments: Json = {
            "paper": _plain_id(request.path_params["id"]),
            "num_results": min(_count(request), _MAX_RELATED),
        }
        body = await context.call(request, "citation_graph", arguments)
        rows = [*(body.get("citedBy") or ()), *(body.get("references") or ())]
        warning = joined(["intent: papers are chosen by citation, not by intent"])
        papers = {paper["paperId"]: paper for paper in map(_paper, rows)}
        papers.pop(_paper(body["match"])["paperId"], None)
        results = list(papers.values())[: _count(request)]
        return SafeJson({"success": True, "results": results, "warning": warning})

    return context.handler(related)


def _paper(row: Json) -> Json:
    paper_id = f"doi:{row['doi']}" if row.get("doi") else row["url"]
    found: Json = {
        "paperId": paper_id,
        "primaryId": paper_id,
        "title": row["title"],
        "abstract": row.get("abstract"),
        "authors": row.get("authors"),
        "url": row["url"],
        "pdfUrl": row.get("pdfUrl"),
        "createdDate": str(row["year"]) if row.get("year") else None,
        "citationCount": row.get("citationCount"),
    }
    return {name: value for name, value in found.items() if value is not None}


def _plain_id(paper_id: str) -> str:
    """Return an id as the scholarly tools take it."""
    prefix, _, rest = paper_id.partition(":")
    return rest if prefix in {"doi", "arxiv"} else paper_id


def _query(request: Request) -> str:
    if not (query := request.query_params.get("query", "").strip()):
        raise BadInputError("query: must not be empty")
    return query


def _count(request: Request) -> int:
    text = request.query_params.get("k", str(_DEFAULT))
    if not (text.isascii() and text.isdecimal() and 0 < int(text[:4]) <= 100):
        raise BadInputError("k: must be a number from 1 to 100")
    return int(text)


def _year(request: Request, name: str) -> int | None:
    text = request.query_params.get(name, "")
    if not text:
        return None
    if not text[:4].isdecimal():
        raise BadInputError(f"{name}: must be a date like 2024-05-01")
    return int(text[:4])
