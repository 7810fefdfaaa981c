"""Tavily's search: results with their best passages, and an answer, images and pages if wanted."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime
from typing import Any, cast
from urllib.parse import urlsplit

from starlette.requests import Request

from webquarry.content.ranking.result_urls import is_on_site
from webquarry.server.compat.tavily.tavily_bodies import DAYS, TavilySearchBody, TextForm
from webquarry.server.compat.vendor_body import given_fields
from webquarry.server.compat.vendor_context import ToolFailedError, VendorContext
from webquarry.server.compat.vendor_pages import PageWish, VendorPage, VendorPageReader
from webquarry.server.compat.vendor_search import VendorHit, VendorHits, VendorQuery, VendorSearch

Json = dict[str, Any]

_DAY = 86_400.0
_IMAGES = 5
_CHUNK_CHARS = 500
CHUNK_GAP = " [...] "
_MODES = {"ultra-fast": "fast", "fast": "fast", "basic": "balanced", "advanced": "balanced"}
_PHRASE = re.compile(r'"([^"]{1,200})"')
# what no provider here can apply, or what has no effect on this server
_WITHOUT_EFFECT = ("country", "language", "filter_by_language", "cache_fallback", "safe_search")
# a lens that limits a search to sites about finance
FINANCE_LENS = "finance"
_MOST_OF_LENS = 10


@dataclass(frozen=True)
class TavilySearch:
    """One search."""

    context: VendorContext
    request: Request
    body: TavilySearchBody
    now: Callable[[], float] = time.time

    async def response(self) -> tuple[Json, list[str]]:
        """Return the fields of the response, and what the client should know."""
        body = self.body
        hits = await self._hits()
        notes = [*self._without_effect(), *hits.notes]
        results = [await self._result(hit) for hit in hits.items]
        answer, about_answer = await self._answer()
        images, about_images = await self._images()
        found: Json = {
            "query": body.query,
            "follow_up_questions": None,
            "answer": answer,
            "images": images,
            "results": results,
        }
        if body.auto_parameters:
            found["auto_parameters"] = {"topic": body.topic, "search_depth": body.search_depth}
        return found, [*notes, *about_answer, *about_images]

    async def _hits(self) -> VendorHits:
        if self.body.max_results == 0:
            return VendorHits([])
        query = self._query()
        if self.body.topic == FINANCE_LENS and not query.include:
            return await self._finance()
        hits = await VendorSearch(self.context, self.request).find(query, self._wish())
        if self.body.include_domains_mode == "prefer" and self.body.include_domains:
            preferred = self.body.include_domains
            hits.items.sort(key=lambda hit: not is_on_site(hit.url, preferred))
        return hits

    def _query(self) -> VendorQuery:
        body = self.body
        prefers = body.include_domains_mode == "prefer"
        return VendorQuery(
            text=body.query,
            count=body.max_results,
            mode=_MODES[body.search_depth],
            news=body.topic == "news",
            include=() if prefers else body.include_domains or (),
            exclude=body.exclude_domains or (),
            required=tuple(_PHRASE.findall(body.query)) if body.exact_match else (),
            after=self._after(),
            before=_midnight(body.end_date + timedelta(days=1)) if body.end_date else None,
        )

    def _after(self) -> float | None:
        """Return the earliest time that any of the fields allows."""
        body = self.body
        days = [body.days] if body.days and body.topic == "news" else []
        days += [DAYS[body.time_range[0]]] if body.time_range else []
        moments = [self.now() - count * _DAY for count in days]
        moments += [_midnight(body.start_date)] if body.start_date else []
        return max(moments, default=None)

    def _wish(self) -> PageWish | None:
        body = self.body
        if not body.include_raw_content and body.search_depth != "advanced":
            return None
        return PageWish(fresh=body.max_age_hours == 0, seconds=body.fetch_timeout)

    async def _finance(self) -> VendorHits:
        """Search sites about finance only."""
        arguments = {
            "query": self.body.query,
            "num_results": min(self.body.max_results, _MOST_OF_LENS),
            "lens": FINANCE_LENS,
            "time_range": _named_period(self.body.time_range),
        }
        found = await self.context.call(self.request, "web_search", arguments)
        count = len(found["results"])
        hits = [
            VendorHit(
                url=row["url"],
                title=row["title"],
                snippet=row["snippet"],
                score=round(1 - 0.5 * index / max(count, 1), 3),
                published=row.get("publishedAt") or "",
            )
            for index, row in enumerate(found["results"])
        ]
        hits = [hit for hit in hits if not is_on_site(hit.url, self.body.exclude_domains or ())]
        notes = [f"{name}: could not be applied." for name in found.get("unhonoured") or ()]
        notes += [
            f"{name}: has no effect with topic finance."
            for name in given_fields(self.body, ("start_date", "end_date", "exact_match"))
        ]
        if self.body.max_results > _MOST_OF_LENS:
            notes.append(f"max_results: topic finance returns at most {_MOST_OF_LENS}.")
        if wish := self._wish():
            pages = await VendorPageReader(self.context, self.request).read(
                [h.url for h in hits], wish
            )
            hits = [_with(hit, page) for hit, page in zip(hits, pages, strict=True)]
        return VendorHits(hits, notes)

    async def _result(self, hit: VendorHit) -> Json:
        body = self.body
        row: Json = {
            "url": hit.url,
            "title": hit.title,
            "content": await self._content(hit),
            "score": hit.score,
            "raw_content": await self._raw(hit.page),
        }
        if hit.moment is not None:
            row["published_date"] = format_datetime(
                datetime.fromtimestamp(hit.moment, UTC), usegmt=True
            )
        if body.include_favicon:
            row["favicon"] = favicon(hit.url)
        return row

    async def _content(self, hit: VendorHit) -> str:
        """Return the snippet, or with depth advanced the best passages of the page."""
        if self.body.search_depth != "advanced" or hit.page is None or hit.page.problem:
            return hit.snippet
        reader = VendorPageReader(self.context, self.request)
        count = self.body.chunks_per_source
        excerpts = await reader.excerpts(hit.page, self.body.query, count, _CHUNK_CHARS)
        return CHUNK_GAP.join(excerpt.text for excerpt in excerpts) or hit.snippet

    async def _raw(self, page: VendorPage | None) -> str | None:
        wanted = self.body.include_raw_content
        if not wanted or page is None or page.problem:
            return None
        form: TextForm = "text" if wanted == "text" else "markdown"
        return await content_as(VendorPageReader(self.context, self.request), page.markdown, form)

    async def _answer(self) -> tuple[str | None, list[str]]:
        if not self.body.include_answer:
            return None, []
        # without a model the sources are quoted; nothing is paid
        arguments = {"query": self.body.query, "provider": "local"}
        try:
            found = await self.context.call(self.request, "answer", arguments)
        except ToolFailedError as error:
            return None, [f"include_answer: {error}"]
        note = found.get("note")
        return found["answer"] or None, [f"answer: {note}"] if note else []

    async def _images(self) -> tuple[list[Any], list[str]]:
        body = self.body
        if not (body.include_images or body.include_image_descriptions):
            return [], []
        arguments = {"query": body.query, "num_results": _IMAGES}
        try:
            found = await self.context.call(self.request, "image_search", arguments)
        except ToolFailedError as error:  # the other results are worth having
            return [], [f"include_images: {error}"]
        images = cast("list[Json]", found["images"])
        if not body.include_image_descriptions:
            return [image["link"] for image in images], []
        return [{"url": image["link"], "description": image["title"]} for image in images], []

    def _without_effect(self) -> list[str]:
        notes = [
            f"{name}: has no effect on this server."
            for name in given_fields(self.body, _WITHOUT_EFFECT)
        ]
        if self.body.days and self.body.topic != "news":
            notes.append("days: is only for topic news; use time_range.")
        return notes


async def content_as(reader: VendorPageReader, markdown: str, form: TextForm) -> str:
    """Return a page as Markdown or as plain text."""
    return await reader.text(markdown) if form == "text" else markdown


def favicon(url: str) -> str:
    """Return where browsers look for the icon of a site."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/favicon.ico"


def _midnight(day: date) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()


def _named_period(period: str | None) -> str | None:
    names = {"d": "day", "w": "week", "m": "month", "y": "year"}
    return names[period[0]] if period else None


def _with(hit: VendorHit, page: VendorPage) -> VendorHit:
    return VendorHit(
        url=hit.url, title=hit.title, snippet=hit.snippet, score=hit.score,
        published=hit.published, page=page,
    )  # fmt: skip
