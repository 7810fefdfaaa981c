"""Extracts data from the stored pages of a crawl or batch, without reading them again."""

import asyncio
import hashlib
import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from webquarry.content.text.token_count import compact_json
from webquarry.crawl.service import CrawlService
from webquarry.crawl.stored_pages import StoredReading
from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.cinder import ReadFailure
from webquarry.models.crawl import CrawlJob
from webquarry.models.extraction import ExtractedPage
from webquarry.services.extraction.service import (
    ExtractionRequest,
    ExtractionService,
    LlmUsageTotal,
)

_CONCURRENT = 4  # pages; the time goes by waiting for the language model
_FILE = "extract-"  # start of the names of stored results


@dataclass(frozen=True)
class JobExtraction:
    """Extracts the data of one request from the pages of jobs."""

    crawling: CrawlService
    extraction: ExtractionService
    request: ExtractionRequest

    async def pages(
        self, job: CrawlJob, caller: Caller, usage: LlmUsageTotal, offset: int = 0
    ) -> AsyncGenerator[ExtractedPage]:
        """Yield the data of each page from an offset on. What was extracted before is stored."""
        stored = self.crawling.stored_pages
        while readings := await stored.readings(job.id, offset, _CONCURRENT):
            pages = await asyncio.gather(
                *(self._page(job.id, reading, caller, usage) for reading in readings)
            )
            for page in pages:
                yield page
            offset += len(readings)

    async def _page(
        self, job_id: str, stored: StoredReading, caller: Caller, usage: LlmUsageTotal
    ) -> ExtractedPage:
        files = self.crawling.stored_pages
        if known := await files.file(job_id, stored.key, self._name):
            return ExtractedPage.model_validate_json(known)
        url = stored.url
        try:
            reading = await files.read(stored)
            page = await self.extraction.extract(url, reading, self.request, caller, usage)
        except WebquarryError as error:  # the other pages are still wanted
            return ExtractedPage(url=url, error=_failure(error))
        if page.note is None or not self.extraction.uses_model:  # the model may work next time
            content = page.model_dump_json(exclude_none=True).encode("utf-8", "replace")
            await files.store_file(job_id, stored.key, self._name, content)
        return page

    @property
    def _name(self) -> str:
        """The name of the stored result: equal for equal requests."""
        request = self.request
        identity = [
            request.prompt, request.schema, request.ungrounded, self.extraction.uses_model
        ]  # fmt: skip
        return _FILE + hashlib.sha256(compact_json(identity).encode()).hexdigest()[:32]


def extracted_line(page: ExtractedPage) -> str:
    """Return the data of a page as one line of JSON."""
    return json.dumps(page.model_dump(mode="json", exclude_none=True), ensure_ascii=False) + "\n"


def _failure(error: WebquarryError) -> ReadFailure:
    block = error.block()
    return ReadFailure(
        kind=block["kind"],
        reason=str(error),
        retryable=block["retryable"],
        suggestedAction=block["suggestedAction"],
    )
