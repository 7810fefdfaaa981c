"""Tavily's crawl and map: the pages of a site, or only their URLs."""

import asyncio
from dataclasses import dataclass
from typing import Any, cast

from starlette.requests import Request

from webquarry.content.claims.claim_sentences import stems
from webquarry.content.ranking.relevance import QueryTerms
from webquarry.crawl.scope import compile_patterns
from webquarry.errors import BadInputError, DeadlineError
from webquarry.server.compat.tavily.tavily_bodies import TavilyCrawlBody, TavilySiteBody
from webquarry.server.compat.tavily.tavily_search import CHUNK_GAP, content_as, favicon
from webquarry.server.compat.vendor_body import given_fields
from webquarry.server.compat.vendor_context import VendorContext
from webquarry.server.compat.vendor_pages import VendorPage, VendorPageReader

Json = dict[str, Any]

_CRAWL, _STATUS, _MAP = "cinder_crawl", "cinder_get_crawl_status", "cinder_map"
_MAX_PATTERNS = 50
_CHUNK_CHARS = 500
_MARGIN = 5.0  # seconds to send the pages before the client gives up
_MAX_WAIT = 120.0
_TASK_MARGIN = 10.0  # that a crawl keeps of its time limit
_PAGES_AT_A_TIME = 100


@dataclass(frozen=True)
class TavilySite:
    """The crawls and maps of one request."""

    context: VendorContext
    request: Request

    async def crawl(self, body: TavilyCrawlBody) -> tuple[Json, list[str]]:
        """Crawl until the end or the timeout; return the pages."""
        notes = _without_effect(body, ("max_breadth",))
        started = await self._start(body)
        identifier = started["crawlId"]
        if started["status"] in ("queued", "running"):
            await self.context.call(self.request, _STATUS, {"id": identifier, "cancel": True})
            notes.append("timeout: the crawl was stopped; these are the pages read until then.")
        rows, status = await self._pages(identifier)
        if not rows and (error := status.get("error") or _first_failure(status)):
            notes.append(f"url: {error}")
        results = [await self._row(row, body) for row in rows]
        return {"base_url": body.url, "results": results}, notes

    async def map(self, body: TavilySiteBody) -> tuple[Json, list[str]]:
        """Return the URLs of a site that fit the patterns."""
        notes = _without_effect(body, ("max_depth", "max_breadth", "allow_external"))
        include, exclude = _patterns(body)
        filters = include or exclude or body.instructions
        limit = 5000 if filters else body.limit
        try:
            async with asyncio.timeout(body.timeout):
                found = await self.context.call(
                    self.request, _MAP, {"url": body.url, "limit": limit}
                )
        except TimeoutError as error:
            raise DeadlineError(f"timeout: no map within {body.timeout:g} seconds") from error
        rows = cast("list[Json]", found["urls"])
        rows = [row for row in rows if _fits(row["url"], include, exclude)]
        if body.instructions:
            rows, about = _by_instructions(rows, body.instructions)
            notes += about
        return {"base_url": body.url, "results": [row["url"] for row in rows[: body.limit]]}, notes

    async def _start(self, body: TavilyCrawlBody) -> Json:
        include, exclude = _patterns(body)
        wait = min(max(body.timeout - _MARGIN, body.timeout / 2), _MAX_WAIT)
        arguments: Json = {
            "url": body.url,
            "query": body.instructions,
            "maxDepth": body.max_depth + 1,  # ours counts the start page
            "maxPages": body.limit,
            "includePatterns": list(include) or None,
            "excludePatterns": list(exclude) or None,
            "externalLinks": body.allow_external,
            "formats": ["markdown", *(["images"] if body.include_images else [])],
            "wait": True,
        }
        return await self.context.call(
            self.request, _CRAWL, arguments, time_limit=wait + _TASK_MARGIN
        )

    async def _pages(self, identifier: str) -> tuple[list[Json], Json]:
        rows: list[Json] = []
        offset: int | None = 0
        status: Json = {}
        while offset is not None:
            arguments = {
                "id": identifier,
                "offset": offset,
                "limit": _PAGES_AT_A_TIME,
                "max_tokens": 1_000_000,
            }
            status = await self.context.call(self.request, _STATUS, arguments)
            found = cast("list[Json]", status.get("pages") or [])
            rows += found
            offset = status.get("nextOffset") if found else None
        return rows, status

    async def _row(self, row: Json, body: TavilyCrawlBody) -> Json:
        content: Json = row.get("content") or {}
        page = VendorPage(row["url"], {"content": content.get("markdown") or ""})
        result: Json = {"url": row["url"], "raw_content": await self._content(page, body)}
        if body.include_images:
            result["images"] = list(content.get("images") or ())
        if body.include_favicon:
            result["favicon"] = favicon(row["url"])
        return result

    async def _content(self, page: VendorPage, body: TavilyCrawlBody) -> str:
        reader = VendorPageReader(self.context, self.request)
        if body.instructions and "chunks_per_source" in body.model_fields_set:
            count = body.chunks_per_source
            excerpts = await reader.excerpts(page, body.instructions, count, _CHUNK_CHARS)
            return CHUNK_GAP.join(excerpt.text for excerpt in excerpts)
        return await content_as(reader, page.markdown, body.format)


def _without_effect(body: TavilySiteBody, names: tuple[str, ...]) -> list[str]:
    return [f"{name}: has no effect on this server." for name in given_fields(body, names)]


def _first_failure(status: Json) -> str:
    failures = cast("list[Json]", status.get("failures") or [])
    return str(failures[0].get("message") or failures[0]["reason"]) if failures else ""


def _patterns(body: TavilySiteBody) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return patterns of URLs to include and to exclude, from those of paths and domains."""
    domains = [_of_domain(pattern) for pattern in body.select_domains or ()]
    paths = body.select_paths or ()
    hosts = domains or ([r"^https?://[^/?#]+"] if paths else [])
    include = [f"{host}{_of_path(path)}" for host in hosts for path in paths or ("",)]
    exclude = [rf"^https?://[^/?#]+{_of_path(path)}" for path in body.exclude_paths or ()]
    exclude += [_of_domain(pattern) for pattern in body.exclude_domains or ()]
    if len(include) > _MAX_PATTERNS:
        raise BadInputError(
            f"select_paths: with select_domains, at most {_MAX_PATTERNS} combinations are allowed",
            details={"fields": ["select_paths", "select_domains"]},
        )
    return tuple(include), tuple(exclude)


def _of_domain(pattern: str) -> str:
    inner = pattern.removeprefix("^").removesuffix("$")
    return rf"^https?://{'' if pattern.startswith('^') else '[^/?#]*'}(?:{inner})(?::[0-9]+)?"


def _of_path(pattern: str) -> str:
    if not pattern:
        return ""
    return pattern[1:] if pattern.startswith("^") else f".*(?:{pattern})"


def _fits(url: str, include: tuple[str, ...], exclude: tuple[str, ...]) -> bool:
    if any(pattern.search(url) for pattern in compile_patterns(exclude)):
        return False
    return not include or any(pattern.search(url) for pattern in compile_patterns(include))


def _by_instructions(rows: list[Json], instructions: str) -> tuple[list[Json], list[str]]:
    """Return the URLs that share words with the instructions, the best first."""
    terms = QueryTerms(instructions)
    scored = [
        (terms.coverage(stems(f"{row['url']} {row.get('title') or ''}")), row) for row in rows
    ]
    fitting = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])
    if fitting:
        return [row for _, row in fitting], []
    return rows, ["instructions: no URL has one of its words, so all are listed."]
