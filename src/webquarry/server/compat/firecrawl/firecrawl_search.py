"""`POST /search`: the web, news and images."""

import asyncio
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from webquarry.errors import BadInputError, WebquarryError
from webquarry.models.cinder import Query
from webquarry.models.model import Model
from webquarry.server.compat.firecrawl.firecrawl_errors import parsed, refuse
from webquarry.server.compat.firecrawl.firecrawl_jobs import joined
from webquarry.server.compat.firecrawl.firecrawl_options import REFUSED, FirecrawlPageOptions
from webquarry.server.compat.firecrawl.firecrawl_scrape import ScrapeCall
from webquarry.server.compat.vendor_context import Handle, ToolFailedError, VendorContext
from webquarry.server.problem_details import SafeJson

Json = dict[str, Any]
_SEARCH = "cinder_search"
_SOURCES = ("web", "news", "images")
_CONCURRENT = 5  # pages that are read at a time
_NEWS, _IMAGES = 50, 200  # results at most
_DAYS = {"h": 1.0, "d": 1.0, "w": 7.0, "m": 31.0, "y": 366.0}
_RANGES = {"h": "day", "d": "day", "w": "week", "m": "month", "y": "year"}
_ACADEMIC = (
    "arxiv.org", "pubmed.ncbi.nlm.nih.gov", "ncbi.nlm.nih.gov", "nature.com", "science.org",
    "ieee.org", "acm.org", "sciencedirect.com", "springer.com", "biorxiv.org", "medrxiv.org",
    "plos.org", "semanticscholar.org", "jstor.org",
)  # fmt: skip
_DOMAINS: dict[str, tuple[str, ...]] = {
    "github": ("github.com",),
    "research": _ACADEMIC,
    "developer": ("github.com", "stackoverflow.com", "readthedocs.io", "docs.rs"),
    "gov": ("gov", "gov.uk", "europa.eu"),
}
_Domains = Annotated[tuple[str, ...], Field(max_length=50)]
_Named = tuple[str | dict[str, Any], ...]


class FirecrawlSearch(Model):
    """The body of a search."""

    query: Query
    limit: Annotated[int, Field(ge=1, le=100)] = 5
    sources: _Named | None = None
    categories: _Named | None = None
    includeDomains: _Domains | None = None
    excludeDomains: _Domains | None = None
    tbs: Annotated[str, Field(max_length=100)] | None = None
    location: str | None = None
    country: str | None = None
    lang: str | None = None
    timeout: Annotated[int, Field(ge=1)] | None = None
    ignoreInvalidURLs: bool | None = None
    highlights: bool | None = None
    scrapeOptions: FirecrawlPageOptions | None = None
    origin: str | None = None
    integration: str | None = None
    toolDetail: str | None = None
    auditMetadata: dict[str, Any] | None = None
    # refused
    enterprise: tuple[str, ...] | None = None
    threatProtection: dict[str, Any] | None = None
    domainTools: bool | None = None

    def warnings(self) -> list[str]:
        """Say what is not honoured."""
        names = {
            "location": "location: results are not chosen by place; name the place in the query",
            "auditMetadata": "auditMetadata: this server records its own users only",
        }
        found = [text for name, text in names.items() if getattr(self, name)]
        if self.tbs and _range_of(self.tbs) is None:
            found.append("tbs: only qdr:h, qdr:d, qdr:w, qdr:m and qdr:y are understood")
        elif self.tbs and self.tbs.startswith("qdr:h"):
            found.append("tbs: results of the last day, as hours are not told apart")
        return found


def search_handler(context: VendorContext) -> Handle:
    """Return the handler of a search."""

    async def search(request: Request) -> Response:
        options: FirecrawlSearch = parsed(FirecrawlSearch, await context.body(request))
        refuse(
            REFUSED | {"enterprise": "is not available: it is a contract with Firecrawl"},
            {n: getattr(options, n) for n in ("enterprise", "threatProtection", "domainTools")},
        )
        return SafeJson(await SearchCall(context, request, options).response())

    return context.handler(search)


class SearchCall:
    """Answers one search."""

    def __init__(self, context: VendorContext, request: Request, options: FirecrawlSearch) -> None:
        self._context = context
        self._request = request
        self._options = options
        self._warnings = options.warnings()

    async def response(self) -> Json:
        """Return the results of each source."""
        wanted = _names(self._options.sources) or ["web"]
        if unknown := sorted(set(wanted) - set(_SOURCES)):
            raise BadInputError(
                f"sources: {unknown[0]!r} is not available; choose from {', '.join(_SOURCES)}"
            )
        makers = {"web": self._web, "news": self._news, "images": self._images}
        data = {name: await makers[name]() for name in _SOURCES if name in wanted}
        warning = {"warning": joined(self._warnings)} if self._warnings else {}
        return {"success": True, "data": data, "creditsUsed": 0, **warning}

    async def _web(self) -> list[Json]:
        options = self._options
        categories = _names(options.categories)
        if unknown := sorted(set(categories) - {*_DOMAINS, "pdf"}):
            raise BadInputError(f"categories: {unknown[0]!r} is not available")
        if not categories:
            found = await self._results(options.query, options.includeDomains or ())
        else:
            found = [row for name in categories for row in await self._category(name)]
        rows = [row | {"position": place} for place, row in enumerate(found[: options.limit], 1)]
        if options.scrapeOptions is None or not options.scrapeOptions.formats:
            return rows
        return await self._scraped(rows, options.scrapeOptions)

    async def _category(self, name: str) -> list[Json]:
        own = self._options.includeDomains or ()
        query = self._options.query
        if name == "pdf":
            rows = await self._results(f"{query} filetype:pdf", own)
        else:
            rows = await self._results(query, own or _DOMAINS[name])
        return [row | {"category": name} for row in rows]

    async def _results(self, query: str, domains: Sequence[str]) -> list[Json]:
        options = self._options
        arguments: Json = {
            "query": query,
            "numResults": options.limit,
            "includeDomains": list(domains) or None,
            "excludeDomains": list(options.excludeDomains or ()) or None,
        }
        if days := _DAYS.get(_range_of(options.tbs or "") or ""):
            arguments["maxAge"] = days
        body = await self._context.call(self._request, _SEARCH, arguments)
        self._note(body)
        return [
            {"url": row["url"], "title": row["title"], "description": row["summary"]}
            for row in body["results"]
        ]

    async def _news(self) -> list[Json]:
        options = self._options
        arguments: Json = {
            "query": options.query,
            "num_results": min(options.limit, _NEWS),
            "time_range": _RANGES.get(_range_of(options.tbs or "") or "", "month"),
        }
        body = await self._context.call(self._request, "news_search", self._placed(arguments))
        self._note(body)
        rows = [
            {
                "title": row["title"],
                "url": row["url"],
                "snippet": row.get("snippet", ""),
                "date": row.get("publishedAt"),
            }
            for row in body["articles"]
        ]
        return [_filled(row, place) for place, row in enumerate(rows, 1)]

    async def _images(self) -> list[Json]:
        options = self._options
        arguments: Json = {"query": options.query, "num_results": min(options.limit, _IMAGES)}
        body = await self._context.call(self._request, "image_search", self._placed(arguments))
        self._note(body)
        rows = [
            {
                "title": row["title"],
                "imageUrl": row["link"],
                "imageWidth": row.get("width"),
                "imageHeight": row.get("height"),
                "url": row.get("contextLink") or row["link"],
            }
            for row in body["images"]
        ]
        return [_filled(row, place) for place, row in enumerate(rows, 1)]

    def _placed(self, arguments: Json) -> Json:
        options = self._options
        place = {"country": options.country, "language": options.lang}
        return arguments | {name: value.lower() for name, value in place.items() if value}

    def _note(self, body: Json) -> None:
        unhonoured: Sequence[str] = body.get("unhonoured") or ()
        self._warnings += [f"{name}: no search engine here can honour it" for name in unhonoured]

    async def _scraped(self, rows: list[Json], options: FirecrawlPageOptions) -> list[Json]:
        """Return the results with their pages; a page that cannot be read says why."""
        slots = asyncio.Semaphore(_CONCURRENT)
        call = ScrapeCall(self._context, self._request, options)

        async def with_page(row: Json) -> Json:
            async with slots:
                try:
                    return row | await call.document(row["url"])
                except (ToolFailedError, WebquarryError) as error:
                    failure = {"sourceURL": row["url"], "error": str(error)}
                    return row | {"metadata": failure, "warning": str(error)}

        return list(await asyncio.gather(*map(with_page, rows)))


def _names(given: _Named | None) -> list[str]:
    """Return names that may be objects with a type."""
    return [
        entry if isinstance(entry, str) else str(entry.get("type", "")) for entry in given or ()
    ]


def _range_of(tbs: str) -> str | None:
    """Return the letter of a time range like `qdr:w`."""
    parts = [part for part in tbs.split(",") if part.startswith("qdr:")]
    letter = parts[0][4:5] if parts else ""
    return letter if letter in _DAYS and parts[0][5:] in {"", "1"} else None


def _filled(row: Json, place: int) -> Json:
    return {name: value for name, value in row.items() if value is not None} | {"position": place}
