"""Several formats of one page, as `cinder_scrape` returns them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from webquarry.content.html.format_conversion import as_html, html_formats, text_formats
from webquarry.content.html.page_data import page_data
from webquarry.crawl.derived_formats import derived
from webquarry.models.caller import Caller
from webquarry.models.page_formats import Format, FormatContent
from webquarry.models.reading import Reading
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.reading.service import ReadResult
from webquarry.services.extraction.derived_content import PageDerivation

_PARSED: tuple[Format, ...] = ("text", "links", "images")


@dataclass(frozen=True, kw_only=True)
class FormatRequest:
    """The formats that a caller asks for."""

    formats: tuple[Format, ...]
    schema: dict[str, Any] | None = None  # of json


@dataclass(frozen=True)
class PageFormats:
    """Makes the formats of a page that was read."""

    parsers: Parsers
    derivation: PageDerivation

    async def contents(
        self, scraped: ReadResult, request: FormatRequest, caller: Caller
    ) -> dict[Format, FormatContent]:
        """Return the page in each format, without its screenshot."""
        reading = scraped.reading
        if reading is None:
            raise ValueError("a raw response is not a page")
        made = derived(request.formats, request.schema)
        plain: list[Format] = [name for name in request.formats if name not in made]
        contents = await self._plain(reading, scraped.page.content, plain)
        for name in made:
            derivation = await self.derivation.derive(name, reading, request.schema, caller)
            contents[name] = derivation.content
        return contents

    async def _plain(
        self, reading: Reading, markdown: str, formats: Sequence[Format]
    ) -> dict[Format, FormatContent]:
        url = reading.final_url
        if not reading.source:  # a document, or a page that a site has an API for
            title = reading.metadata.title
            contents = text_formats(markdown, url=url, title=title, formats=formats)
        else:
            contents = await self._from_source(reading, formats)
        own: dict[Format, FormatContent] = {
            "markdown": markdown,
            "html": reading.html or as_html(markdown),
            "json": page_data(reading, markdown) if "json" in formats else {},
        }
        contents.update((name, own[name]) for name in formats if name in own)
        return contents

    async def _from_source(
        self, reading: Reading, formats: Sequence[Format]
    ) -> dict[Format, FormatContent]:
        contents: dict[Format, FormatContent] = {}
        if "rawHtml" in formats:
            contents["rawHtml"] = reading.source
        wanted: list[Format] = [name for name in formats if name in _PARSED]
        if wanted:
            task = ParseTask(html_formats, subject=f"The page {reading.final_url}")
            source = reading.source.encode("utf-8", "replace")
            contents |= await self.parsers.run(
                task,
                source,
                url=reading.final_url,
                content_type="text/html; charset=utf-8",
                formats=wanted,
            )
        return contents
