"""Reads a list of URLs into a folder, for `webquarry read -f`."""

import asyncio
import sys
from collections.abc import Iterable
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webquarry.cli.audit_command import read_text
from webquarry.cli.output import Json, Note, Part, grid, plural
from webquarry.cli.tool_calls import ProgressDisplay
from webquarry.errors import BadInputError, NotFoundError
from webquarry.library.bare_urls import with_scheme

if TYPE_CHECKING:
    from webquarry.crawl.service import CrawlService
    from webquarry.library import LibrarySession
    from webquarry.models.crawl import CrawlJob
    from webquarry.services.exports.batch_folder import BatchFolder

_MAX_SHOWN = 10  # failures after a list was read; the manifest has all
_MAX_NAMED = 5  # invalid lines in an error message
_PER_CALL = 500  # failures


@dataclass(frozen=True, kw_only=True)
class UrlList:
    """The URLs of a file, and how to read them."""

    urls: tuple[str, ...]  # normalised, each once
    folder: Path
    render: bool = False

    @classmethod
    def from_file(cls, path: str, folder: Path, *, render: bool) -> "UrlList":
        """Return the URLs of a file, one in each line; `BadInputError` names invalid lines."""
        from webquarry.crawl.new_jobs import ListedUrls

        lines = {
            number: with_scheme(line.strip())
            for number, line in enumerate(read_text(path).splitlines(), 1)
            if line.strip() and not line.lstrip().startswith("#")
        }
        name = "stdin" if path == "-" else path
        listed = ListedUrls.read(list(lines.values()))
        if bad := listed.invalid:
            numbers = list(lines)
            named = [
                f"line {numbers[each.index]}: {each.url!r} ({each.reason})"
                for each in bad[:_MAX_NAMED]
            ]
            more = f"; and {len(bad) - _MAX_NAMED} more" if len(bad) > _MAX_NAMED else ""
            raise BadInputError(f"{name} has invalid URLs: {'; '.join(named)}{more}")
        if not listed.valid:
            raise BadInputError(f"{name} has no URLs; write one in each line")
        return cls(urls=tuple(listed.valid), folder=folder, render=render)


class ListReader:
    """Reads the URLs of a list that have no file yet."""

    def __init__(self, library: "LibrarySession", wanted: UrlList, folder: "BatchFolder") -> None:
        self._crawling: CrawlService = library.app.services.crawling
        self._owner = library.app.owner
        self._wanted = wanted
        self._folder = folder
        self._failed: dict[str, Json] = {}
        self._done = 0  # files, also of earlier runs
        self._display = ProgressDisplay("reading")

    async def read(self) -> Json:
        """Read the list; return what was written and what failed. Ctrl-C stops it."""
        left = self._folder.plan(self._wanted.urls)
        before = self._done = len(self._wanted.urls) - len(left)
        stopped = False
        with self._display:
            try:
                await self._read_all(left)
            except asyncio.CancelledError:
                stopped = True
                await self._stop()
        left = self._folder.plan(self._wanted.urls)
        failed = [self._failed[url] for url in left if url in self._failed]
        return {
            "output": str(self._wanted.folder),
            "urls": len(self._wanted.urls),
            "written": len(self._wanted.urls) - len(left) - before,
            "before": before,
            "failed": len(failed),
            "stopped": stopped,
            "failures": failed,
        }

    async def _read_all(self, left: list[str]) -> None:
        from webquarry.crawl.new_jobs import MAX_BATCH_URLS
        from webquarry.models.crawl import CrawlRequest

        if left and self._folder.job_id:
            left = await self._continue_job(left)
        options = CrawlRequest(url="", render=self._wanted.render)
        for start in range(0, len(left), MAX_BATCH_URLS):
            urls = left[start : start + MAX_BATCH_URLS]
            job, _ = await self._crawling.start_batch(urls, options, self._owner)
            self._folder.begin(job.id)
            await self._write_pages(job.id)

    async def _continue_job(self, left: list[str]) -> list[str]:
        """Finish the batch of a killed process; return the URLs that are left after it."""
        try:
            job = await self._crawling.job(self._folder.job_id, self._owner)
        except NotFoundError:  # it has expired
            return left
        was_running = not job.ended
        self._crawling.resume()
        await self._write_pages(job.id, failures=was_running)
        left = self._folder.plan(self._wanted.urls)
        return [url for url in left if url not in self._failed]

    async def _write_pages(self, job_id: str, *, failures: bool = True) -> None:
        """Write the pages of a batch while it runs, then the URLs that failed."""
        from webquarry.services.cinder.cinder_crawls import job_changes
        from webquarry.services.exports.site_export import SiteExport

        place = 0
        async with aclosing(job_changes(self._crawling, job_id, self._owner)) as changes:
            async for job in changes:
                export = SiteExport(self._crawling, job, self._owner)
                async for page, markdown in export.pages_from(place):
                    place += 1
                    self._done += await asyncio.to_thread(self._folder.write, page, markdown)
                    await self._report(job)
                await self._report(job)
        if failures:
            await self._note_failures(job_id)

    async def _note_failures(self, job_id: str) -> None:
        offset = 0
        while True:
            found = await self._crawling.failures(job_id, self._owner, _PER_CALL, offset=offset)
            for failure in found:
                self._folder.fail(failure)
                self._failed[failure.url] = {
                    "url": failure.url, "reason": failure.reason, "message": failure.message,
                }  # fmt: skip
            offset += len(found)
            if len(found) < _PER_CALL:
                return

    async def _report(self, job: "CrawlJob") -> None:
        total = len(self._wanted.urls)
        errors = len(self._failed) + job.progress.errors + sum(job.progress.skipped.values())
        text = f"{job.progress.rate:.1f}/s" + (f", {plural(errors, 'error')}" if errors else "")
        await self._display.report(self._done + errors, total, text)

    async def _stop(self) -> None:
        """Cancel the batch after Ctrl-C and write the pages that it has read."""
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        sys.stderr.write("stopping…\n")
        if self._folder.job_id:
            job = await self._crawling.cancel(self._folder.job_id, self._owner)
            await self._write_pages(job.id)


def list_view(body: Json) -> Iterable[Part]:
    """Show what was written and what failed."""
    parts = [f"Wrote {plural(body['written'], 'file')} to {body['output']}"]
    if body["before"]:
        parts.append(f"{body['before']} already there")
    if body["failed"]:
        parts.append(f"{body['failed']} failed")
    if failures := body["failures"][:_MAX_SHOWN]:
        yield grid(("failed", "URL"), [(each["message"], each["url"]) for each in failures])
        if body["failed"] > len(failures):
            yield Note(f"… and {body['failed'] - len(failures)} more: see manifest.jsonl")
    yield Note(f"{', '.join(parts)}.")
    if body["stopped"]:
        yield Note("Stopped. Run the same command again to read the rest.", warning=True)
    elif body["failed"]:
        yield Note("Run the same command again to try these again.")
