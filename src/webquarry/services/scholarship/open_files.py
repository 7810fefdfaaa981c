"""Reads papers from open PDFs and from the pages of publishers."""

from dataclasses import dataclass

from webquarry.content.manuscript.manuscript_model import Manuscript, ManuscriptSource
from webquarry.content.papers.manuscript_paper import paper_of_manuscript
from webquarry.errors import BlockedError, NotFoundError, PageError
from webquarry.models.caller import Caller
from webquarry.models.page_length import MAX_LENGTH
from webquarry.models.paper_text import PaperFormat, PaperText
from webquarry.models.reading import Reading
from webquarry.net.fetch import Fetcher, FetchRequest
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.reading.documents.document_type import sniff
from webquarry.reading.manuscript_reader import ManuscriptReader, manuscript_of_text
from webquarry.reading.service import ReadingService

_SECONDS = 45.0
_PARSE_SECONDS = 20.0  # of CPU time
_ARTICLE_WORDS, _ARTICLE_SECTIONS = 1_200, 3  # a page with less shows the abstract only
_PDF_WORDS = 250
_REFUSALS = frozenset({401, 402, 403, 407, 429, 451})


@dataclass(frozen=True)
class OpenFile:
    """A paper that was read from a file or a page."""

    paper: PaperText
    format: PaperFormat
    url: str
    reading: Reading | None = None  # of a page
    complete: bool = True  # False: a page that shows less than an article


@dataclass(frozen=True)
class OpenFiles:
    """Reads PDFs with their citation markers, and pages by their main content."""

    fetcher: Fetcher
    reading: ReadingService
    manuscripts: ManuscriptReader
    parsers: Parsers
    max_bytes: int

    async def read(self, url: str, caller: Caller, *, is_pdf: bool) -> OpenFile:
        """Return the paper at a URL; `complete` tells whether that is an article."""
        if is_pdf and (found := await self._pdf(url)):
            return found
        result = await self.reading.scrape(url, "full", MAX_LENGTH, caller)
        reading = result.reading
        if reading is None or reading.wall:
            raise BlockedError(f"{url} shows a page instead of the paper.")
        if reading.kind == "pdf" and (found := await self._pdf(reading.final_url)):
            return found
        return await self._page(reading)

    async def _pdf(self, url: str) -> OpenFile | None:
        """Return the paper; None if the URL has another kind of content."""
        request = FetchRequest(url=url, timeout=_SECONDS, max_document_bytes=self.max_bytes)
        response = await self.fetcher.fetch(request)
        if response.status in _REFUSALS:
            raise BlockedError(f"{url} cannot be read: HTTP {response.status}.")
        if not 200 <= response.status < 300:
            raise NotFoundError(f"{url} cannot be read: HTTP {response.status}.")
        if sniff(response.content, response.headers.get("content-type", ""), response.url) != "pdf":
            return None
        if response.ending != "complete":
            raise PageError(f"{url} could not be read to its end.")
        source = ManuscriptSource(response.content, response.url, "application/pdf")
        paper = paper_of_manuscript(await self.manuscripts.read_manuscript(source))
        return OpenFile(paper, "pdf", response.url, complete=paper.words >= _PDF_WORDS)

    async def _page(self, reading: Reading) -> OpenFile:
        task = ParseTask(manuscript_of_text, subject=reading.final_url, seconds=_PARSE_SECONDS)
        text = reading.markdown.encode("utf-8", "replace")
        manuscript: Manuscript = await self.parsers.run(
            task, text, format_="markdown", title=reading.metadata.title
        )
        paper = paper_of_manuscript(manuscript)
        described = paper.model_copy(
            update={
                "authors": reading.metadata.authors,
                "published": reading.metadata.published,
                "doi": reading.doi or reading.metadata.doi,
            }
        )
        return OpenFile(
            described, "html", reading.final_url, reading, complete=_is_article(described)
        )


def _is_article(paper: PaperText) -> bool:
    titled = sum(1 for section in paper.sections if section.title and section.text)
    return paper.words >= _ARTICLE_WORDS and titled >= _ARTICLE_SECTIONS
