"""Methods for what most programs do: read, search, crawl, map and extract."""

from collections.abc import AsyncGenerator, Generator, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from webquarry.errors import BadInputError, PageError
from webquarry.library.background_loop import BackgroundApp
from webquarry.library.bare_urls import with_scheme
from webquarry.library.methods import Methods, SyncMethods
from webquarry.library.progress_callbacks import ProgressCallback
from webquarry.models.page_length import MAX_LENGTH

if TYPE_CHECKING:
    from webquarry.app import App
    from webquarry.models.cinder_crawl_status import CinderPageRow
    from webquarry.models.crawl import CrawlJob
    from webquarry.models.reading import ScrapePageOut
    from webquarry.tools.cinder_extract import CinderExtractOut
    from webquarry.tools.cinder_map import CinderMapOut
    from webquarry.tools.web_search import WebSearchOut

_PAGES_PER_CALL = 100
_SCHEMA_ONLY = "What the schema names."


class Shortcuts(Methods):
    """Short names for the most used tools, with the defaults that suit a program."""

    app: "App"

    async def read(
        self,
        url: str,
        *,
        max_length: int = MAX_LENGTH,
        fresh: bool = False,
        report: ProgressCallback | None = None,
    ) -> "ScrapePageOut":
        """Read a page or document as Markdown, whole: see `content` and `citation`."""
        return await self.scrape_page(
            with_scheme(url), max_length=max_length, fresh=fresh, report=report
        )

    async def search(self, query: str, *, num_results: int = 5, **options: Any) -> "WebSearchOut":
        """Search the web; options are those of `web_search`."""
        return await self.web_search(query, num_results=num_results, **options)

    async def map(self, url: str, *, limit: int = 200, search: str | None = None) -> "CinderMapOut":
        """List the URLs of a site without reading them."""
        return await self.cinder_map(with_scheme(url), limit=limit, search=search)

    async def extract(
        self,
        urls: str | Sequence[str],
        schema: Mapping[str, Any] | None = None,
        *,
        prompt: str | None = None,
        **options: Any,
    ) -> "CinderExtractOut":
        """Extract the fields of a JSON Schema, or those that a prompt names, from pages."""
        listed = [with_scheme(url) for url in ([urls] if isinstance(urls, str) else urls)]
        wanted: dict[str, Any] = {} if schema is None else {"schema": dict(schema)}
        if prompt is None and schema is None:
            raise BadInputError("give prompt, schema or both")
        wanted["prompt"] = prompt or _SCHEMA_ONLY
        return await self.typed("cinder_extract", urls=listed, **wanted, **options)

    async def crawl(
        self, url: str, *, max_pages: int = 100, max_depth: int = 2, **options: Any
    ) -> "AsyncGenerator[CinderPageRow]":
        """Crawl a site and yield each page when it is read, with its `markdown`.

        Options are those of `cinder_crawl`. Leaving the loop early cancels the crawl. A crawl
        that cannot read a single page raises `PageError`.
        """
        from webquarry.services.cinder.cinder_crawls import job_changes

        formats = {"formats": ["markdown"]} | options
        started = await self.typed(
            "cinder_crawl",
            url=with_scheme(url),
            max_pages=max_pages,
            max_depth=max_depth,
            **formats,
        )
        crawling, owner = self.app.services.crawling, self.app.owner
        count, job = 0, None
        try:
            async with aclosing(job_changes(crawling, started.crawlId, owner)) as changes:
                async for job in changes:
                    async with aclosing(self._pages_from(job, count)) as pages:
                        async for page in pages:
                            count += 1
                            yield page
        finally:
            if job is None or not job.ended:
                await crawling.cancel(started.crawlId, owner)
        if job is not None and job.state == "failed":
            raise PageError(job.error or "the crawl failed")

    async def _pages_from(self, job: "CrawlJob", place: int) -> "AsyncGenerator[CinderPageRow]":
        """Yield the stored pages of a crawl from this position on."""
        from webquarry.services.cinder.cinder_crawls import crawl_status

        crawling, owner = self.app.services.crawling, self.app.owner
        while True:
            status = await crawl_status(crawling, job, owner, (place, _PAGES_PER_CALL))
            pages = status.pages or ()
            for page in pages:
                yield page
            place += len(pages)
            if len(pages) < _PAGES_PER_CALL:
                return


class SyncShortcuts(SyncMethods):
    """`Shortcuts` for programs without an event loop."""

    opened: BackgroundApp

    def read(
        self,
        url: str,
        *,
        max_length: int = MAX_LENGTH,
        fresh: bool = False,
        report: ProgressCallback | None = None,
    ) -> "ScrapePageOut":
        """Read a page or document as Markdown, whole: see `content` and `citation`."""
        library = self.opened.library
        return self.opened.wait(
            library.read, url, max_length=max_length, fresh=fresh, report=report
        )

    def search(self, query: str, *, num_results: int = 5, **options: Any) -> "WebSearchOut":
        """Search the web; options are those of `web_search`."""
        return self.opened.wait(
            self.opened.library.search, query, num_results=num_results, **options
        )

    def map(self, url: str, *, limit: int = 200, search: str | None = None) -> "CinderMapOut":
        """List the URLs of a site without reading them."""
        return self.opened.wait(self.opened.library.map, url, limit=limit, search=search)

    def extract(
        self,
        urls: str | Sequence[str],
        schema: Mapping[str, Any] | None = None,
        *,
        prompt: str | None = None,
        **options: Any,
    ) -> "CinderExtractOut":
        """Extract the fields of a JSON Schema, or those that a prompt names, from pages."""
        return self.opened.wait(self.opened.library.extract, urls, schema, prompt=prompt, **options)

    def crawl(
        self, url: str, *, max_pages: int = 100, max_depth: int = 2, **options: Any
    ) -> "Generator[CinderPageRow]":
        """Crawl a site and yield each page when it is read, with its `markdown`.

        Options are those of `cinder_crawl`. Leaving the loop early cancels the crawl. A crawl
        that cannot read a single page raises `PageError`.
        """
        opened = self.opened
        pages = opened.library.crawl(url, max_pages=max_pages, max_depth=max_depth, **options)

        async def next_page() -> "CinderPageRow | None":
            return await anext(pages, None)

        try:
            while (page := opened.wait(next_page)) is not None:
                yield page
        finally:
            opened.wait(pages.aclose)
