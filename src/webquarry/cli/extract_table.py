"""Extracts data from a crawl for `webquarry extract`, and writes it as a table."""

import json
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webquarry.calls.visible_result import visible_json
from webquarry.cli.crawl_export_command import find_job
from webquarry.cli.output import Json
from webquarry.cli.tool_calls import ProgressDisplay

if TYPE_CHECKING:
    from webquarry.library import LibrarySession

TABLE_SUFFIXES = (".csv", ".jsonl", ".ndjson")


async def extract_from_crawl(library: "LibrarySession", arguments: Json) -> list[Json]:
    """Return the data of all pages of a crawl."""
    from webquarry.services.extraction.job_extraction import JobExtraction
    from webquarry.services.extraction.service import LlmUsageTotal

    services, owner = library.app.services, library.app.owner
    request = services.extraction.request(
        arguments["prompt"],
        arguments.get("schema"),
        ungrounded=arguments.get("ungrounded", False),
    )
    job = await find_job(library, arguments["crawlId"])
    work = JobExtraction(services.crawling, services.extraction, request)
    pages: list[Json] = []
    with ProgressDisplay("extracting") as display:
        async with aclosing(work.pages(job, owner, LlmUsageTotal())) as found:
            async for page in found:
                pages.append(visible_json(page.model_dump(mode="json", exclude_none=True)))
                await display.report(len(pages), job.progress.pagesCrawled, page.url)
    return pages


def write_table(path: Path, pages: list[Json], arguments: Json) -> int:
    """Write the data as CSV or JSON lines; return the number of rows."""
    from webquarry.services.exports.export_folder import AtomicFile

    rows = _csv_rows(pages, arguments) if path.suffix.lower() == ".csv" else _json_lines(pages)
    path.parent.mkdir(parents=True, exist_ok=True)
    with AtomicFile(path) as file:
        for row in rows:
            file.write(row.encode("utf-8", "replace"))
    return len(rows) - (path.suffix.lower() == ".csv")


def _json_lines(pages: list[Json]) -> list[str]:
    return [json.dumps(page, ensure_ascii=False) + "\n" for page in pages]


def _csv_rows(pages: list[Json], arguments: Json) -> list[str]:
    """Return the header and the rows."""
    from webquarry.content.export.csv_rows import csv_row
    from webquarry.content.export.extraction_table import table_header, table_rows, table_shape
    from webquarry.services.extraction.service import extraction_request

    request = extraction_request(arguments["prompt"], arguments.get("schema"))
    shape = table_shape(request.schema)
    rows = [csv_row(table_header(shape))]
    for page in pages:
        sources: dict[str, Any] = page.get("sources") or {}
        error: Json = page.get("error") or {}
        note = str(error.get("reason") or page.get("note") or "")
        rows += map(csv_row, table_rows(shape, page["url"], page.get("data"), sources, note))
    return rows
