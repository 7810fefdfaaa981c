"""Exa's search, and pages similar to one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from starlette.requests import Request

from webquarry.content.ranking.result_urls import host_of, is_on_site
from webquarry.errors import BadInputError
from webquarry.server.compat.exa.exa_bodies import (
    ExaContentsBody,
    ExaSearchBody,
    ExaSimilarBody,
)
from webquarry.server.compat.exa.exa_contents import ExaContents, exa_date, warning
from webquarry.server.compat.vendor_body import given_fields
from webquarry.server.compat.vendor_context import ToolFailedError, VendorContext
from webquarry.server.compat.vendor_pages import PageWish, VendorPage, VendorPageReader
from webquarry.server.compat.vendor_search import (
    VendorHit,
    VendorHits,
    VendorQuery,
    VendorSearch,
    moment_of,
)

Json = dict[str, Any]

_MODES = {"fast": "fast", "instant": "fast", "lite": "fast", "deep": "deep",
          "deep-reasoning": "deep"}  # fmt: skip
_SITES: dict[str, tuple[str, ...]] = {
    "github": ("github.com",),
    "tweet": ("x.com", "twitter.com"),
    "linkedin profile": ("linkedin.com/in",),
}
_PAPERS = frozenset({"research paper", "publication"})
_MAX_PAPERS = 10
_WITHOUT_EFFECT = (
    "startCrawlDate", "endCrawlDate", "useAutoprompt", "moderation", "userLocation",
    "additionalQueries", "systemPrompt", "objective", "flags", "userIdentifier", "stream",
)  # fmt: skip
_KEY_TERMS = 6
_LINKED_BONUS = 0.2  # of a page that the source links to


@dataclass(frozen=True)
class ExaFound:
    """The results of a search, and warnings about its request."""

    results: list[Json]
    warnings: list[Json]


@dataclass(frozen=True)
class ExaSearch:
    """The searches of one request."""

    context: VendorContext
    request: Request

    async def search(self, body: ExaSearchBody) -> ExaFound:
        """Return the results of a query."""
        contents = self._contents(body, body.query)
        hits = await self._hits(body, contents)
        notes = [*_warnings(body), *(warning("/query", note, "NOTE") for note in hits.notes)]
        return await self._found(body, hits.items, contents, notes)

    async def similar(self, body: ExaSimilarBody) -> ExaFound:
        """Return pages about the same, found by the title, the key terms and the links of one."""
        reader = VendorPageReader(self.context, self.request)
        (source,) = await reader.read([body.url], PageWish(formats=("links",)))
        if source.problem:
            raise BadInputError(f"url: {source.problem.message}")
        terms = await reader.key_terms(source, _KEY_TERMS)
        words = dict.fromkeys([*source.title.split(), *terms])
        text = " ".join(words)[:300].strip()
        if not text:
            raise BadInputError("url: the page has no text to compare with")
        contents = self._contents(body, text)
        query = replace(_query(body, text), count=min(body.numResults * 2 + 1, 100))
        hits = await VendorSearch(self.context, self.request).find(query, _wish(contents))
        items = [hit for hit in hits.items if _is_other(hit, source, body)]
        items = _by_links(items, source)
        notes = [*_warnings(body), *(warning("/url", note, "NOTE") for note in hits.notes)]
        return await self._found(body, items, contents, notes)

    async def _hits(self, body: ExaSearchBody, contents: ExaContents) -> VendorHits:
        if body.category in _PAPERS:
            return await self._papers(body, contents)
        query = _query(body, body.query)
        query = replace(query, mode=_MODES.get(body.type, "balanced"))
        return await VendorSearch(self.context, self.request).find(query, _wish(contents))

    async def _papers(self, body: ExaSearchBody, contents: ExaContents) -> VendorHits:
        arguments = {"query": body.query, "num_results": min(body.numResults, _MAX_PAPERS)}
        found = await self.context.call(self.request, "academic_search", arguments)
        rows: list[Json] = [row for row in found["papers"] if row.get("url")]
        hits = [
            VendorHit(
                url=row["url"],
                title=row["title"],
                snippet=row.get("abstract") or "",
                score=round(1 - 0.5 * index / max(len(rows), 1), 3),
                published=str(row.get("publicationDate") or row.get("year") or ""),
                source=", ".join(row.get("authors") or ()),
            )
            for index, row in enumerate(rows)
        ]
        hits = [hit for hit in hits if _fits(hit, _query(body, body.query))]
        if wish := _wish(contents):
            reader = VendorPageReader(self.context, self.request)
            pages = await reader.read([hit.url for hit in hits], wish)
            hits = [replace(hit, page=page) for hit, page in zip(hits, pages, strict=True)]
        capped = body.numResults > _MAX_PAPERS
        notes = [f"At most {_MAX_PAPERS} papers are returned."] if capped else []
        return VendorHits(hits, notes)

    def _contents(self, body: ExaSearchBody | ExaSimilarBody, query: str) -> ExaContents:
        return ExaContents(self.context, self.request, body.contents or ExaContentsBody(), query)

    async def _found(
        self,
        body: ExaSearchBody | ExaSimilarBody,
        hits: Sequence[VendorHit],
        contents: ExaContents,
        notes: list[Json],
    ) -> ExaFound:
        kept = [
            hit
            for hit in hits
            if not _has_phrase(hit, body.excludeText or ()) and _is_about(hit, body.includeText)
        ]
        rows = [await _row(hit, contents) for hit in kept[: body.numResults]]
        unread = [hit.url for hit in kept if hit.page and hit.page.problem]
        if unread:
            text = f"{len(unread)} pages could not be read, so their contents are missing."
            notes.append(warning("/contents", text, "CONTENTS_MISSING"))
        if contents.body.filterEmptyResults:
            rows = [row for row in rows if row.get("text") or row.get("highlights")]
        return ExaFound(rows, [*notes, *contents.warnings("/contents")])


def _query(body: ExaSearchBody | ExaSimilarBody, text: str) -> VendorQuery:
    return VendorQuery(
        text=text,
        count=body.numResults,
        news=body.category == "news",
        include=body.includeDomains or _SITES.get(body.category or "", ()),
        exclude=body.excludeDomains or (),
        required=body.includeText or (),
        after=_moment(body.startPublishedDate, "startPublishedDate"),
        before=_moment(body.endPublishedDate, "endPublishedDate"),
    )


def _wish(contents: ExaContents) -> PageWish | None:
    return contents.wish if contents.body.reads else None


def _moment(text: str | None, name: str) -> float | None:
    if text is None:
        return None
    moment = moment_of(text)
    if moment is None:
        raise BadInputError(f"{name}: must be a date like 2026-05-01 or 2026-05-01T00:00:00.000Z")
    return moment


def _warnings(body: ExaSearchBody | ExaSimilarBody) -> list[Json]:
    names = [name for name in _WITHOUT_EFFECT if name in type(body).model_fields]
    given = [name for name in given_fields(body, names) if getattr(body, name) is not False]
    found = [warning(f"/{name}", f"{name} has no effect on this server.") for name in given]
    known = {*_SITES, *_PAPERS, "news"}
    if body.category and body.category not in known:
        text = f"category {body.category!r} has no effect; known here: {', '.join(sorted(known))}."
        found.append(warning("/category", text))
    return found


def _is_other(hit: VendorHit, source: VendorPage, body: ExaSimilarBody) -> bool:
    if hit.url.rstrip("/") == source.url.rstrip("/"):
        return False
    return not (body.excludeSourceDomain and is_on_site(hit.url, (host_of(source.url),)))


def _by_links(hits: list[VendorHit], source: VendorPage) -> list[VendorHit]:
    """Return the results by score; pages that the source links to have more."""
    linked = {str(link).rstrip("/") for link in source.body.get("links") or ()}
    scored = [
        replace(hit, score=min(1.0, round(hit.score + _LINKED_BONUS, 3)))
        if hit.url.rstrip("/") in linked
        else hit
        for hit in hits
    ]
    return sorted(scored, key=lambda hit: -hit.score)


def _fits(hit: VendorHit, query: VendorQuery) -> bool:
    """Apply the filters that a search for papers does not know."""
    if query.exclude and is_on_site(hit.url, query.exclude):
        return False
    if query.include and not is_on_site(hit.url, query.include):
        return False
    if query.dated and hit.moment is None:
        return False
    early = query.after is not None and (hit.moment or 0.0) < query.after
    late = query.before is not None and (hit.moment or 0.0) > query.before
    return not (early or late)


def _has_phrase(hit: VendorHit, phrases: Sequence[str]) -> bool:
    text = f"{hit.title} {hit.snippet} {hit.page.markdown if hit.page else ''}".lower()
    return any(phrase.lower() in text for phrase in phrases)


def _is_about(hit: VendorHit, phrases: Sequence[str] | None) -> bool:
    """Tell whether a page that was read has all phrases; the provider checked the others."""
    if hit.page is None or hit.page.problem:
        return True
    text = f"{hit.title} {hit.page.markdown}".lower()
    return all(phrase.lower() in text for phrase in phrases or ())


async def _row(hit: VendorHit, contents: ExaContents) -> Json:
    row: Json = {"id": hit.url, "url": hit.url, "title": hit.title, "score": hit.score}
    if date := exa_date(hit.published):
        row["publishedDate"] = date
    if hit.source:
        row["author"] = hit.source
    if hit.page and hit.page.problem is None:
        page = await contents.result(hit.page)
        row = page | row | {"title": hit.title or page["title"]}
    return row


async def answer(
    context: VendorContext, request: Request, query: str
) -> tuple[str, list[Json], str]:
    """Return an answer, its sources, and a note about how it was made."""
    found = await context.call(request, "answer", {"query": query, "provider": "local"})
    citations: list[Json] = [
        {
            "id": row["url"],
            "url": row["url"],
            "title": row.get("title"),
            "publishedDate": exa_date(row.get("publishedDate") or ""),
        }
        for row in found["citations"]
    ]
    return found["answer"], citations, str(found.get("note") or "")


async def add_texts(context: VendorContext, request: Request, citations: list[Json]) -> None:
    """Add the text of each source; one that cannot be read has none."""
    try:
        pages = await VendorPageReader(context, request).read(
            [c["url"] for c in citations], PageWish()
        )
    except ToolFailedError:
        return
    for citation, page in zip(citations, pages, strict=True):
        if page.problem is None:
            citation["text"] = page.markdown
            citation["author"] = page.detail("author")
