"""Pages in the format of the Cinder tools."""

import html
import time
from typing import Any
from urllib.parse import urljoin

from webquarry.content.markdown.structure import image_urls, markdown_structure
from webquarry.content.text.token_count import compact_json
from webquarry.models.caller import Caller
from webquarry.models.cinder import CinderPage, PageDetails, ReturnFormat, ScrapeMode
from webquarry.models.reading import Mode, Reading, ReadMode
from webquarry.reading.service import ReadingService, ReadResult

_MAX_IMAGES = 100


class ReadsFormats:
    """Reads pages in one mode, and measures how long each takes."""

    def __init__(self, reading: ReadingService, read_mode: ReadMode) -> None:
        self._reading = reading
        self._read_mode = read_mode
        self.milliseconds: dict[str, int] = {}  # by URL

    async def scrape(self, url: str, mode: Mode, length: int, caller: Caller) -> ReadResult:
        del mode
        started = time.perf_counter()
        scraped = await self._reading.scrape(url, "full", length, caller, read_mode=self._read_mode)
        self.milliseconds[url] = milliseconds_since(started)
        return scraped


def read_mode_of(mode: ScrapeMode, returned: ReturnFormat) -> ReadMode:
    """Return the read mode for a scrape mode and a return format."""
    return ReadMode(strategy=mode, keep_html=returned == "html")


def cinder_page(
    url: str, scraped: ReadResult, returned: ReturnFormat, milliseconds: int, *, details: bool
) -> CinderPage:
    """Return a page in the format of the Cinder tools."""
    reading = scraped.reading
    if reading is None:
        raise ValueError("a raw response is not a page")
    return CinderPage(
        url=url,
        title=reading.metadata.title,
        content=_content(reading, scraped.page.content, returned),
        metadata=page_details(reading) if details else None,
        statusCode=reading.status,
        loadTime=milliseconds,
    )


def page_details(reading: Reading) -> PageDetails:
    """Return the metadata of the page."""
    metadata = reading.metadata
    return PageDetails(
        description=metadata.description,
        keywords=metadata.keywords,
        images=_images(reading),
        author=", ".join(metadata.authors),
        publishDate=metadata.published,
        structuredData=reading.structured.as_result(),
    )


def milliseconds_since(started: float) -> int:
    """Return the milliseconds since a value of `time.perf_counter`."""
    return round((time.perf_counter() - started) * 1000)


def _content(reading: Reading, markdown: str, returned: ReturnFormat) -> str:
    if returned == "markdown":
        return markdown
    if returned == "json":
        return compact_json(_data(reading, markdown))
    # documents, and pages whose text is in scripts, have no HTML
    return reading.html or f"<pre>{html.escape(markdown, quote=False)}</pre>"


def _data(reading: Reading, markdown: str) -> dict[str, Any]:
    metadata = reading.metadata
    data: dict[str, Any] = {
        "url": reading.final_url,
        "title": metadata.title,
        "description": metadata.description,
        "authors": list(metadata.authors),
        "site": metadata.site,
        "published": metadata.published,
        "modified": metadata.modified,
        "language": metadata.language,
        "keywords": list(metadata.keywords),
        "doi": reading.doi,
        "wordCount": reading.word_count,
        **markdown_structure(markdown),
        **reading.structured.model_dump(mode="json"),
    }
    return {name: value for name, value in data.items() if value}


def _images(reading: Reading) -> tuple[str, ...]:
    cover = reading.structured.openGraph.get("og:image", "")
    urls = (_joined(reading.final_url, cover), *image_urls(reading.markdown))
    return tuple(dict.fromkeys(url for url in urls if url))[:_MAX_IMAGES]


def _joined(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference) if reference else ""
    except ValueError:
        return ""
