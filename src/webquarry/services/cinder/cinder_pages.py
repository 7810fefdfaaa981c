"""Pages as the Cinder contract spells them, in the format that was asked for."""

import html
import time
from typing import Any
from urllib.parse import urljoin

from webquarry.content.markdown.structure import outlined, pictures_in
from webquarry.content.text.token_count import compact_json
from webquarry.models.caller import Caller
from webquarry.models.cinder import CinderPage, PageDetails, ReturnFormat, ScrapeMode
from webquarry.models.reading import Mode, Reading, ReadMode
from webquarry.reading.service import ReadingService, ReadResult

_MOST_PICTURES = 100


class ReadsFormats:
    """Reads pages in one manner, for whoever reads several side by side."""

    def __init__(self, reading: ReadingService, manner: ReadMode) -> None:
        self._reading = reading
        self._manner = manner
        self.milliseconds: dict[str, int] = {}  # what each page took

    async def scrape(self, url: str, mode: Mode, length: int, caller: Caller) -> ReadResult:
        del mode
        began = time.perf_counter()
        scraped = await self._reading.scrape_as(url, self._manner, length, caller)
        self.milliseconds[url] = milliseconds_since(began)
        return scraped


def manner_of(mode: ScrapeMode, returned: ReturnFormat) -> ReadMode:
    """Return how a page is read for this wish."""
    return ReadMode(way=mode, html=returned == "html")


def cinder_page(
    url: str, scraped: ReadResult, returned: ReturnFormat, milliseconds: int, *, details: bool
) -> CinderPage:
    """Return a page that was read, in the words of the contract."""
    reading = scraped.reading
    if reading is None:
        raise ValueError("a raw answer is not a page")
    return CinderPage(
        url=url,
        title=reading.metadata.title or None,
        content=_content(reading, scraped.page.content, returned),
        metadata=details_of(reading) if details else None,
        statusCode=reading.status,
        loadTime=milliseconds,
    )


def details_of(reading: Reading) -> PageDetails:
    """Return what the page says about itself."""
    about = reading.metadata
    stated = reading.structured.model_dump(mode="json")
    return PageDetails(
        description=about.description or None,
        keywords=about.keywords or None,
        images=_pictures(reading) or None,
        author=", ".join(about.authors) or None,
        publishDate=about.published or None,
        structuredData={name: value for name, value in stated.items() if value} or None,
    )


def milliseconds_since(began: float) -> int:
    """Return the milliseconds since a moment of `time.perf_counter`."""
    return round((time.perf_counter() - began) * 1000)


def _content(reading: Reading, markdown: str, returned: ReturnFormat) -> str:
    if returned == "markdown":
        return markdown
    if returned == "json":
        return compact_json(_data(reading, markdown))
    # documents, and pages whose text is in their data, have no HTML of their own
    return reading.html or f"<pre>{html.escape(markdown, quote=False)}</pre>"


def _data(reading: Reading, markdown: str) -> dict[str, Any]:
    about = reading.metadata
    stated: dict[str, Any] = {
        "url": reading.address,
        "title": about.title,
        "description": about.description,
        "authors": list(about.authors),
        "site": about.site,
        "published": about.published,
        "modified": about.modified,
        "language": about.language,
        "keywords": list(about.keywords),
        "doi": reading.doi,
        "wordCount": reading.words,
        **outlined(markdown),
        **reading.structured.model_dump(mode="json"),
    }
    return {name: value for name, value in stated.items() if value}


def _pictures(reading: Reading) -> tuple[str, ...]:
    cover = reading.structured.openGraph.get("og:image", "")
    shown = (_joined(reading.address, cover), *pictures_in(reading.markdown))
    return tuple(dict.fromkeys(url for url in shown if url))[:_MOST_PICTURES]


def _joined(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference) if reference else ""
    except ValueError:
        return ""
