"""Reads pages for vendors' APIs, several at a time; a page that fails is a result too."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from starlette.requests import Request

from webquarry.content.ranking.excerpts import Excerpt, best_excerpts, key_terms, plain_text
from webquarry.models.result import Problem, error_result
from webquarry.parsing.task import ParseTask
from webquarry.server.compat.vendor_context import ToolFailedError, VendorContext
from webquarry.server.problem_details import status_of

_TOOL = "cinder_scrape"
_MAX_TOKENS = 1_000_000
_CONCURRENCY = 5
_SUBJECT = "Excerpts of a page"


@dataclass(frozen=True, kw_only=True)
class PageWish:
    """How pages are read, and what is returned of them besides Markdown."""

    formats: tuple[str, ...] = ()
    fresh: bool = False
    mode: str = "smart"
    schema: dict[str, Any] | None = None
    seconds: float | None = None  # for all pages together; None: the limits of the tool


@dataclass(frozen=True)
class VendorPage:
    """A page as read, or why it could not be read."""

    url: str
    body: dict[str, Any]  # of `cinder_scrape`; empty if there is a problem
    problem: Problem | None = None
    cached: bool = False

    @property
    def markdown(self) -> str:
        """The main content."""
        return str(self.body.get("content") or "")

    @property
    def title(self) -> str:
        """The title; empty if the page states none."""
        return str(self.body.get("title") or "")

    @property
    def status(self) -> int:
        """The HTTP status of the page, or the one that fits its problem."""
        return status_of(self.problem.block) if self.problem else int(self.body["statusCode"])

    def detail(self, name: str) -> Any:
        """Return a field of the metadata; None if the page does not state it."""
        metadata: dict[str, Any] = self.body.get("metadata") or {}
        return metadata.get(name) or None


@dataclass(frozen=True)
class VendorPageReader:
    """Reads pages and finds passages in them, for one request."""

    context: VendorContext
    request: Request

    async def read(self, urls: Sequence[str], wish: PageWish) -> list[VendorPage]:
        """Return a page for each URL; raise if the caller may read none at all."""
        slots = asyncio.Semaphore(_CONCURRENCY)
        ends = None if wish.seconds is None else asyncio.get_running_loop().time() + wish.seconds

        async def one(url: str) -> VendorPage:
            async with slots:
                return await self._read(url, wish, ends)

        pages = list(await asyncio.gather(*map(one, urls)))
        _raise_for_all(pages)
        return pages

    async def excerpts(
        self, page: VendorPage, query: str, count: int, max_chars: int
    ) -> list[Excerpt]:
        """Return the passages of a page that are most relevant to the query."""
        task = ParseTask(best_excerpts, _SUBJECT)
        return await self.context.offer.services.parsers.run(
            task, page.markdown.encode("utf-8", "replace"), query=query, count=count,
            max_chars=max_chars,
        )  # fmt: skip

    async def text(self, markdown: str) -> str:
        """Return Markdown as plain text."""
        task = ParseTask(plain_text, _SUBJECT)
        content = markdown.encode("utf-8", "replace")
        return await self.context.offer.services.parsers.run(task, content)

    async def key_terms(self, page: VendorPage, count: int) -> list[str]:
        """Return the words that a page uses most."""
        task = ParseTask(key_terms, _SUBJECT)
        content = page.markdown.encode("utf-8", "replace")
        return await self.context.offer.services.parsers.run(task, content, count=count)

    async def _read(self, url: str, wish: PageWish, ends: float | None) -> VendorPage:
        try:
            async with asyncio.timeout_at(ends):
                return await self._scrape(url, wish)
        except TimeoutError:
            block = {"kind": "network", "retryable": True}
            text = f"{url} was not read within {wish.seconds:g} seconds."
            return VendorPage(url, {}, Problem(message=text, block=block))

    async def _scrape(self, url: str, wish: PageWish) -> VendorPage:
        arguments: dict[str, Any] = {
            "url": url,
            "mode": wish.mode,
            "returnFormat": "markdown",
            "max_tokens": _MAX_TOKENS,
            "fresh": wish.fresh,
        }
        if wish.formats:
            arguments["formats"] = list(wish.formats)
        if wish.schema is not None:
            arguments["schema"] = wish.schema
        try:
            result = await self.context.result(self.request, _TOOL, arguments)
        except ToolFailedError as error:
            problem = error.result.problem or Problem(message=str(error), block={})
            return VendorPage(url, {}, problem)
        return VendorPage(url, result.structured or {}, cached=bool(result.meta.get("cached")))


def _raise_for_all(pages: Iterable[VendorPage]) -> None:
    """Raise the problem of a caller who may not call the tool, and is not told page by page."""
    problems = [page.problem for page in pages]
    if problems and all(p and p.block.get("kind") == "auth_required" for p in problems):
        raise_problem(problems[0])


def raise_problem(problem: Problem | None) -> NoReturn:
    """Raise the problem of a page as the error of the request."""
    message = problem.message if problem else "the page could not be read"
    raise ToolFailedError(error_result(message).model_copy(update={"problem": problem}))
