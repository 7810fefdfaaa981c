"""Formats of stored pages that are derived from their text: data of a schema, and summaries."""

import asyncio
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from webquarry.content.text.token_count import compact_json
from webquarry.crawl.store.crawl_values import StoredPage
from webquarry.crawl.stored_pages import StoredPages, StoredReading
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawledPage, CrawlRequest
from webquarry.models.page_formats import Format, FormatContent
from webquarry.models.reading import Reading

_CONCURRENT = 4  # pages; the time goes by waiting for a language model


@dataclass(frozen=True, kw_only=True)
class DerivedContent:
    """A derived format of a page."""

    content: FormatContent
    final: bool = True  # False: another attempt may bring more


class DerivesFormats(Protocol):
    """Makes the formats that need more than a parser."""

    def check(self, formats: Sequence[Format], schema: dict[str, Any] | None) -> None:
        """Raise for a request that cannot be answered."""
        ...

    async def derive(
        self, name: Format, reading: Reading, schema: dict[str, Any] | None, caller: Caller
    ) -> DerivedContent:
        """Return a page in the format."""
        ...


def derived(formats: Sequence[Format], schema: dict[str, Any] | None) -> list[Format]:
    """Return those of the formats that are derived."""
    return [
        name for name in formats if name == "summary" or (name == "json" and schema is not None)
    ]


class DerivedFormats:
    """Adds derived formats to stored pages. What was derived before is stored."""

    def __init__(self, stored: StoredPages, source: DerivesFormats) -> None:
        self._stored = stored
        self._source = source

    def check(self, request: CrawlRequest) -> None:
        """Raise for a job whose formats cannot be made."""
        self._source.check(request.formats, request.json_schema)

    async def add(
        self,
        job: tuple[str, CrawlRequest],
        rows: Sequence[StoredPage],
        pages: Sequence[CrawledPage],
        formats: Sequence[Format],
        caller: Caller,
    ) -> tuple[CrawledPage, ...]:
        """Return the pages of a job with the derived ones of these formats."""
        job_id, request = job
        names = derived(formats, request.json_schema)
        if not names:
            return tuple(pages)
        slots = asyncio.Semaphore(_CONCURRENT)

        async def complete(row: StoredPage, page: CrawledPage) -> CrawledPage:
            async with slots:
                made = {n: await self._content(job_id, request, row, n, caller) for n in names}
            contents = {**page.content, **made}
            ordered = {name: contents[name] for name in dict.fromkeys(formats)}
            return page.model_copy(update={"content": ordered})

        return tuple(await asyncio.gather(*map(complete, rows, pages)))

    async def _content(
        self, job_id: str, request: CrawlRequest, row: StoredPage, name: Format, caller: Caller
    ) -> FormatContent:
        file_name = _file_name(name, request.json_schema)
        if known := await self._stored.file(job_id, row.key, file_name):
            return json.loads(known)
        meta = json.loads(row.meta)
        stored = StoredReading(row.key, meta["url"], meta, row.body, None)
        try:
            reading = await self._stored.read(stored)
            made = await self._source.derive(name, reading, request.json_schema, caller)
        except WebquarryError as error:  # the other pages are still wanted
            return {"error": str(error)}
        if made.final:
            content = json.dumps(made.content, ensure_ascii=False).encode("utf-8", "replace")
            await self._stored.store_file(job_id, row.key, file_name, content)
        return made.content


def _file_name(name: Format, schema: dict[str, Any] | None) -> str:
    if name != "json":
        return name
    return f"json-{hashlib.sha256(compact_json(schema).encode()).hexdigest()[:32]}"
