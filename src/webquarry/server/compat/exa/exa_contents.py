"""Exa's contents: the text, highlights, summary, links and subpages of pages."""

from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from starlette.requests import Request

from webquarry.server.compat.exa.exa_bodies import (
    ExaContentsBody,
    ExaExtras,
    ExaHighlightOptions,
    ExaSummaryOptions,
    ExaTextOptions,
)
from webquarry.server.compat.vendor_body import given_fields
from webquarry.server.compat.vendor_context import VendorContext
from webquarry.server.compat.vendor_pages import PageWish, VendorPage, VendorPageReader
from webquarry.server.compat.vendor_search import moment_of

Json = dict[str, Any]

_SENTENCE_CHARS = 200  # of one sentence of a highlight
_SUMMARY_PASSAGES, _SUMMARY_CHARS = 3, 400
_WITHOUT_EFFECT = ("snapshotAsOf", "context", "metadata")
# statuses of Exa by the kind of our error
_TAGS = {
    "not_found": "CRAWL_NOT_FOUND",
    "validation": "UNSUPPORTED_URL",
    "blocked": "SOURCE_NOT_AVAILABLE",
    "network": "CRAWL_TIMEOUT",
}
_LIVECRAWL_NEVER = "never reading a page is not possible here: an hour-old copy is read at most"


@dataclass(frozen=True)
class ExaContents:
    """Makes the fields of results from pages, for one request."""

    context: VendorContext
    request: Request
    body: ExaContentsBody
    query: str = ""  # of highlights and summaries without a query of their own

    @property
    def wish(self) -> PageWish:
        """How the pages are read."""
        body, formats = self.body, list[str]()
        extras = body.extras or ExaExtras()
        if body.subpages or extras.links:
            formats.append("links")
        if extras.imageLinks:
            formats.append("images")
        schema = body.summary.schema_ if isinstance(body.summary, ExaSummaryOptions) else None
        if schema is not None:
            formats.append("json")
        elif body.summary and self._has_model:
            formats.append("summary")
        return PageWish(
            formats=tuple(formats),
            fresh=body.livecrawl == "always" or body.maxAgeHours == 0,
            schema=schema,
            seconds=body.livecrawlTimeout / 1000 if body.livecrawlTimeout else None,
        )

    def warnings(self, prefix: str = "") -> list[Json]:
        """Return what has no effect, as Exa reports it."""
        found = [
            warning(f"{prefix}/{name}", f"{name} has no effect on this server.")
            for name in given_fields(self.body, _WITHOUT_EFFECT)
        ]
        if self.body.livecrawl == "never" or self.body.maxAgeHours == -1:
            name = "livecrawl" if self.body.livecrawl == "never" else "maxAgeHours"
            found.append(warning(f"{prefix}/{name}", f"{name}: {_LIVECRAWL_NEVER}."))
        for name in ("text", "highlights", "summary", "extras"):
            options = getattr(self.body, name)
            for extra in getattr(options, "model_extra", None) or ():
                text = f"{name}.{extra} has no effect on this server."
                found.append(warning(f"{prefix}/{name}/{extra}", text))
        if self.body.summary and not self._has_model:
            text = "No language model is configured: summaries consist of the page's sentences."
            found.append(warning(f"{prefix}/summary", text, "DEGRADED"))
        return found

    async def result(self, page: VendorPage) -> Json:
        """Return the fields of a page that was read."""
        row = page_row(page) | await self._texts(page)
        if extras := self._extras(page):
            row["extras"] = extras
        if self.body.subpages:
            row["subpages"] = await self._subpages(page)
        return row

    async def _texts(self, page: VendorPage) -> Json:
        """Return text, highlights and summary."""
        found: Json = {}
        if self.body.text:
            options = self.body.text if isinstance(self.body.text, ExaTextOptions) else None
            limit = options.maxCharacters if options else None
            found["text"] = page.markdown[:limit]
        if self.body.highlights:
            found |= await self._highlights(page)
        if self.body.summary:
            found["summary"] = await self._summary(page)
        return found

    async def _highlights(self, page: VendorPage) -> Json:
        chosen = self.body.highlights
        options = chosen if isinstance(chosen, ExaHighlightOptions) else ExaHighlightOptions()
        query = options.query or self.query or page.title
        excerpts = await self._reader.excerpts(
            page, query, options.highlightsPerUrl, options.numSentences * _SENTENCE_CHARS
        )
        room = options.maxCharacters
        texts = [excerpt.text for excerpt in excerpts]
        return {
            "highlights": texts if room is None else _within(texts, room),
            "highlightScores": [excerpt.score for excerpt in excerpts],
        }

    async def _summary(self, page: VendorPage) -> str:
        """Return the summary of a language model, data of a schema, or the best sentences."""
        from webquarry.content.text.token_count import compact_json

        for name in ("summary", "json"):
            made = page.body.get(name)
            if made:
                return made if isinstance(made, str) else compact_json(made)
        chosen = self.body.summary
        asked = chosen.query if isinstance(chosen, ExaSummaryOptions) else None
        excerpts = await self._reader.excerpts(
            page, asked or self.query or page.title, _SUMMARY_PASSAGES, _SUMMARY_CHARS
        )
        return " ".join(excerpt.text for excerpt in excerpts)

    def _extras(self, page: VendorPage) -> Json:
        extras = self.body.extras or ExaExtras()
        wanted = {"links": ("links", extras.links), "imageLinks": ("images", extras.imageLinks)}
        return {
            name: list(page.body.get(source) or ())[:count]
            for name, (source, count) in wanted.items()
            if count
        }

    async def _subpages(self, page: VendorPage) -> list[Json]:
        links = cast("list[str]", list(page.body.get("links") or ()))
        urls = _same_site(page.url, links, self.body.subpageTarget)[: self.body.subpages]
        pages = await self._reader.read(urls, PageWish(fresh=self.wish.fresh))
        # a subpage has no subpages
        return [page_row(sub) | await self._texts(sub) for sub in pages if sub.problem is None]

    @property
    def _reader(self) -> VendorPageReader:
        return VendorPageReader(self.context, self.request)

    @property
    def _has_model(self) -> bool:
        return self.context.offer.services.page_derivation.model() is not None


def page_row(page: VendorPage) -> Json:
    """Return the fields that every result has, as the page states them."""
    images = page.detail("images") or ()
    row: Json = {
        "id": page.url,
        "url": page.url,
        "title": page.title or None,
        "publishedDate": exa_date(str(page.detail("publishDate") or "")),
        "author": page.detail("author"),
        "image": images[0] if images else None,
    }
    return {name: value for name, value in row.items() if value is not None or name == "title"}


def status_row(page: VendorPage) -> Json:
    """Return whether a page was read, and from where."""
    if page.problem is None:
        return {
            "id": page.url,
            "status": "success",
            "source": "cached" if page.cached else "crawled",
        }
    tag = _TAGS.get(str(page.problem.block.get("kind")), "CRAWL_UNKNOWN_ERROR")
    # `message` is ours: Exa only has a code
    error = {"tag": tag, "httpStatusCode": page.status, "message": page.problem.message}
    return {"id": page.url, "status": "error", "error": error}


def exa_date(text: str) -> str | None:
    """Return a date in the form of Exa; None for a text that is no date."""
    from datetime import UTC, datetime

    moment = moment_of(text) if text else None
    if moment is None:
        return None
    stated = datetime.fromtimestamp(moment, UTC)
    return stated.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def warning(path: str, message: str, code: str = "IGNORED_FIELD") -> Json:
    """Return a warning about a field of the request; `path` is a JSON Pointer."""
    return {"code": code, "path": path, "message": message}


def _within(texts: list[str], room: int) -> list[str]:
    kept: list[str] = []
    for text in texts:
        if room <= 0:
            break
        kept.append(text[:room])
        room -= len(text)
    return kept


def _same_site(url: str, links: list[str], target: str | tuple[str, ...] | None) -> list[str]:
    """Return the links to other pages of the site, those with a word of the target first."""
    host, own = urlsplit(url).netloc, url.rstrip("/")
    pages = [link for link in links if urlsplit(link).netloc == host and link.rstrip("/") != own]
    words = [target] if isinstance(target, str) else list(target or ())
    if not words:
        return pages
    return [link for link in pages if any(word.lower() in link.lower() for word in words)]
