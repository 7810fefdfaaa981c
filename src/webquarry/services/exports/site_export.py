"""The pages of a crawl or batch as Markdown files that link to each other."""

import re
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from webquarry.content.export.file_names import SUFFIX, file_paths
from webquarry.content.export.front_matter import Property, with_front_matter
from webquarry.content.export.llms_text import ListedPage, describe, llms_txt, summarize
from webquarry.content.visibility.invisible_characters import without_invisible
from webquarry.crawl.service import CrawlService
from webquarry.crawl.stored_pages import PageListing
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawledPage, CrawlJob
from webquarry.services.cinder.cinder_crawls import rfc3339_of
from webquarry.services.exports.site_links import SiteLinks

_BATCH = 20  # pages
INDEX = "index.md"
_BACKTICKS = re.compile("`{3,}")


@dataclass(frozen=True)
class ExportedFile:
    """One file of an export."""

    path: str
    text: str
    url: str = ""  # '' for a file that is not a page
    image: bytes | None = None  # instead of the text

    @property
    def content(self) -> bytes:
        """The bytes of the file."""
        return self.text.encode("utf-8", "replace") if self.image is None else self.image


class SiteExport:
    """Writes the pages that a job has when the export starts."""

    def __init__(self, crawling: CrawlService, job: CrawlJob, caller: Caller) -> None:
        self._crawling = crawling
        self._job = job
        self._caller = caller

    async def paths(self, known: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the path of each page; `known` are those of an earlier export."""
        listing = await self._listing()
        home = urlsplit(self._job.request.url).netloc if self._job.kind == "crawl" else ""
        return file_paths((page.url for page in listing), home=home, known=known)

    async def files(self, paths: Mapping[str, str]) -> AsyncGenerator[ExportedFile]:
        """Yield the files of these pages, and an index if no page is one."""
        aliases = {page.final_url: page.url for page in await self._listing()}
        links = SiteLinks(paths, {k: v for k, v in aliases.items() if k not in paths})
        async for _, page, markdown in self.pages(len(paths)):
            links.collect(page.url, markdown)
        listed: list[ListedPage] = []
        async for place, page, markdown in self.pages(len(paths)):
            if page.url not in paths:
                continue
            path = paths[page.url]
            listed.append(listed_page(page, markdown, link=quote(path)))
            text = await self._anchored(place, markdown, links.names(page.url))
            properties = page_properties(page)
            if image := await self._crawling.stored_pages.screenshot(self._job.id, place + 1):
                image_path = path.removesuffix(SUFFIX) + image.suffix
                properties["screenshot"] = image_path.rpartition("/")[2]
                yield ExportedFile(image_path, "", image=image.content)
            text = with_front_matter(properties, links.rewrite(page.url, text))
            yield ExportedFile(path, without_invisible(text), page.url)
        if INDEX not in paths.values():
            title = f"Pages of {self._job.request.url}"
            yield ExportedFile(INDEX, without_invisible(llms_txt(title, "", listed)))

    async def llms(self) -> str:
        """Return llms.txt: the title of the site, a summary, and its pages by folder."""
        title, summary = "", ""
        listed: list[ListedPage] = []
        async for place, page, markdown in self.pages():
            listed.append(listed_page(page, markdown, link=page.url))
            if place == 0:
                title, summary = page.title, summarize(markdown)
        return without_invisible(llms_txt(title or self._job.request.url, summary, listed))

    async def pages(self, limit: int | None = None) -> AsyncGenerator[tuple[int, CrawledPage, str]]:
        """Yield each page with its place and its Markdown."""
        place = 0
        while limit is None or place < limit:
            batch, _ = await self._crawling.pages(
                self._job.id, self._caller, place, _BATCH, ("markdown",)
            )
            for page in batch:
                yield place, page, _markdown(page)
                place += 1
            if len(batch) < _BATCH:
                return

    async def pages_from(self, place: int) -> AsyncGenerator[tuple[CrawledPage, str]]:
        """Yield the pages that were stored after the first `place` ones, with their Markdown."""
        while True:
            batch, _ = await self._crawling.pages(
                self._job.id, self._caller, place, _BATCH, ("markdown",)
            )
            for page in batch:
                yield page, _markdown(page)
            place += len(batch)
            if len(batch) < _BATCH:
                return

    async def _anchored(self, place: int, markdown: str, names: tuple[str, ...]) -> str:
        if not names:
            return markdown
        return await self._crawling.stored_pages.anchored(self._job.id, place, markdown, names)

    async def _listing(self) -> list[PageListing]:
        return [page async for page in self._crawling.stored_pages.listing(self._job.id)]


def listed_page(page: CrawledPage, markdown: str, *, link: str) -> ListedPage:
    """Return a page as a list shows it."""
    return ListedPage(link, page.url, page.title, describe(markdown))


def page_properties(page: CrawledPage) -> dict[str, Property]:
    """Return the front matter of a page."""
    return {
        "url": page.url,
        "final_url": page.final_url if page.final_url != page.url else None,
        "title": page.title,
        "fetched": rfc3339_of(page.fetched_at),
        "hash": f"sha256:{page.hash}",
        "words": page.words,
        "http_status": page.status,
        "changed": page.changed,
        "near_duplicate_of": page.near_duplicate_of,
    }


def _markdown(page: CrawledPage) -> str:
    text = str(page.content["markdown"])
    if page.media_type != "text/plain":
        return text
    longest = max(map(len, _BACKTICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}text\n{text.rstrip()}\n{fence}"
