"""Imports archives of other programs: their pages become searchable, readable and quotable."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller
from webquarry.models.evidence_bundle import ImportedPage, ImportSummary
from webquarry.models.reading import Reading
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.reading.response_reader import ResponseReader
from webquarry.services.bundles.bundle_archive import BundleArchive, IndexedRecord, unix_time
from webquarry.services.bundles.bundle_reading import fetched_response
from webquarry.services.bundles.capturing import Capturing
from webquarry.services.research.evidence import normalized_text
from webquarry.storage.captures import Captures
from webquarry.storage.exchange_store import CaptureGroup
from webquarry.storage.indexed_page import IndexedPage
from webquarry.storage.page_index import PageIndex

_PAGE_TYPES = ("text/html", "application/xhtml+xml", "text/markdown", "application/pdf")
_MAX_FAILURES = 100


@dataclass(frozen=True, kw_only=True)
class ArchiveImport:
    """Reads the pages of an archive into what a person has captured and indexed."""

    capturing: Capturing
    captures: Captures
    responses: ResponseReader
    index: PageIndex | None
    parsers: Parsers

    async def run(self, path: Path, caller: Caller) -> ImportSummary:
        """Import a file; what comes before damage is imported, and the damage is reported."""
        pages: list[ImportedPage] = []
        failures: list[str] = []
        with await asyncio.to_thread(BundleArchive.open, path, tolerant=True) as archive:
            name = hashlib.sha256(str(path).encode()).hexdigest()[:16]
            group = CaptureGroup(caller.tenant, caller.user, f"import.{name}")
            await self.capturing.exchanges.erase_group(group)  # an earlier import of the file
            async for record, reading in self._pages(archive, group, failures):
                pages.append(await self._keep(record, reading, caller))
            damage = str(archive.damage) if archive.damage else None
        return ImportSummary(
            file=path.name,
            pages=len(pages),
            imported=pages,
            failures=failures[:_MAX_FAILURES],
            damage=damage,
        )

    async def _pages(
        self, archive: BundleArchive, group: CaptureGroup, failures: list[str]
    ) -> AsyncIterator[tuple[IndexedRecord, Reading]]:
        for record in archive.records:
            if record.type not in {"response", "revisit"}:
                continue
            try:
                exchange = archive.exchange(record)
                media_type = exchange.header("content-type").partition(";")[0].strip().lower()
                if exchange.status != 200 or media_type not in _PAGE_TYPES:
                    continue
                fetched = fetched_response(exchange)
                reading = await self.responses.read(fetched, exchange.url, "archive")
            except WebquarryError as error:
                failures.append(f"{record.url}: {error}")
                continue
            await self.capturing.exchanges.save(group, [exchange])
            yield record, reading

    async def _keep(self, record: IndexedRecord, reading: Reading, caller: Caller) -> ImportedPage:
        """Make a page searchable, with the time of its capture."""
        if self.index:
            page = IndexedPage(
                url=reading.final_url,
                title=reading.metadata.title,
                text=reading.markdown,
                published=reading.metadata.published or None,
                read_at=unix_time(record.date),
            )
            await self.index.add([page], tenant=caller.tenant, owner=caller.user)
        title, at = reading.metadata.title, unix_time(record.date)
        task = ParseTask(normalized_text, f"The page {record.url}")
        text = await self.parsers.run(task, reading.markdown.encode("utf-8", "replace"))
        capture = await self.captures.save_read_at(
            at, record.url, title, text, tenant=caller.tenant, owner=caller.user
        )
        return ImportedPage(
            url=record.url, title=title, capturedAt=record.date, sha256=capture.sha256
        )
