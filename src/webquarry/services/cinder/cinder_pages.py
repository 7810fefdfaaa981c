"""Pages in the format of the Cinder tools."""

import time
from collections.abc import Collection
from urllib.parse import urljoin

from webquarry.content.html.format_conversion import as_html
from webquarry.content.html.page_data import page_data
from webquarry.content.markdown.structure import image_urls
from webquarry.content.text.token_count import compact_json
from webquarry.models.caller import Caller
from webquarry.models.cinder import CinderPage, PageDetails, ReturnFormat, ScrapeMode
from webquarry.models.page_formats import Format
from webquarry.models.reading import Mode, Reading, ReadMode
from webquarry.reading.service import ReadingService, ReadResult

_MAX_IMAGES = 100
# formats for which the HTML of the entire page is needed; data of a schema is read from it too
_FROM_SOURCE: frozenset[Format] = frozenset(("rawHtml", "text", "links", "images", "json"))


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


def read_mode_of(
    mode: ScrapeMode, returned: ReturnFormat | None, formats: Collection[Format] = ()
) -> ReadMode:
    """Return the read mode for a scrape mode, a return format and further formats."""
    return ReadMode(
        strategy=mode,
        keep_html=returned == "html" or "html" in formats,
        keep_source=bool(_FROM_SOURCE & set(formats)),
    )


def cinder_page(
    url: str,
    scraped: ReadResult,
    returned: ReturnFormat | None,
    milliseconds: int,
    *,
    details: bool,
) -> CinderPage:
    """Return a page in the format of the Cinder tools; without a return format, no content."""
    reading = scraped.reading
    if reading is None:
        raise ValueError("a raw response is not a page")
    return CinderPage(
        url=url,
        title=reading.metadata.title,
        content=_content(reading, scraped.page.content, returned) if returned else "",
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
        return compact_json(page_data(reading, markdown))
    # documents, and pages whose text is in scripts, have no HTML
    return reading.html or as_html(markdown)


def _images(reading: Reading) -> tuple[str, ...]:
    cover = reading.structured.openGraph.get("og:image", "")
    urls = (_joined(reading.final_url, cover), *image_urls(reading.markdown))
    return tuple(dict.fromkeys(url for url in urls if url))[:_MAX_IMAGES]


def _joined(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference) if reference else ""
    except ValueError:
        return ""
