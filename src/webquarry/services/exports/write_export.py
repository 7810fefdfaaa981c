"""Writes exports to disk."""

import asyncio
from contextlib import aclosing
from pathlib import Path

from webquarry.concurrency.coalesce import ReportsProgress
from webquarry.crawl.service import CrawlService
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlJob
from webquarry.services.exports.export_folder import (
    AtomicFile,
    ExportFolder,
    FolderSummary,
)
from webquarry.services.exports.export_streams import ExportStream
from webquarry.services.exports.site_export import INDEX, SiteExport


async def export_folder(
    crawling: CrawlService,
    job: CrawlJob,
    caller: Caller,
    folder: Path,
    *,
    force: bool = False,
    report: ReportsProgress | None = None,
) -> FolderSummary:
    """Write the pages of a job into a folder as Markdown, or update what an export wrote there."""
    target = ExportFolder(folder, force=force)
    known = await asyncio.to_thread(target.open)
    export, site = SiteExport(crawling, job, caller), job.request.url
    paths = await export.paths(known)
    planned = paths if INDEX in paths.values() else paths | {"": INDEX}
    await asyncio.to_thread(target.plan, planned, site=site)
    done = 0
    async for file in export.files(paths):
        await asyncio.to_thread(target.write, file)
        done += 1
        if report:
            await report(done, len(planned), file.path)
    return await asyncio.to_thread(target.finish, site=site)


async def export_file(stream: ExportStream, path: Path) -> int:
    """Write an export to one file, completely or not at all; return its size."""
    path.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with AtomicFile(path) as file:
        async with aclosing(stream.chunks) as chunks:
            async for chunk in chunks:
                size += await asyncio.to_thread(file.write, chunk)
    return size
