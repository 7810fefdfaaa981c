"""`webquarry crawl`: runs a crawl and shows its progress."""

import asyncio
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

from webquarry.calls.visible_result import visible_json
from webquarry.cli.crawl_export_command import (
    As,
    ExportTarget,
    Force,
    Output,
    export,
    export_view,
)
from webquarry.cli.crawl_jobs_command import failures_view, list_errors, list_jobs, show_status
from webquarry.cli.default_command import default_group
from webquarry.cli.options import output_format, verbosity
from webquarry.cli.output import Json, Note, Part, Text, grid, object_field, plural
from webquarry.cli.step_file import StepsOption, step_arguments
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import ToolRequest, call_tool, run_in_library
from webquarry.cli.tool_command import ToolCommand, find_tool, set_signature, tool_arguments
from webquarry.errors import EXIT_INTERRUPTED
from webquarry.library.signature import parameters
from webquarry.tools.cinder_get_crawl_status import cinder_get_crawl_status

if TYPE_CHECKING:
    from webquarry.library import LibrarySession
    from webquarry.models.crawl import CrawlJob

_STATUS = cinder_get_crawl_status.name
_PAGES_PER_CALL = 100
_MAX_LISTED = 50  # pages in the table; --json has all of them
EXIT_INCOMPLETE = 1
_EXIT_CODES = {"cancelled": EXIT_INTERRUPTED}  # this command cancels a crawl only after Ctrl-C
_WEBHOOK_SECONDS = 15.0  # to wait for the webhook at the end
_EXPORT_OPTIONS = (("output", Output, None), ("form", As, None), ("force", Force, False))
_STEPS = ("steps", StepsOption, None)
# reasons why URLs were not read, where the code does not explain itself
_SKIPPED = {
    "robots": "excluded by robots.txt",
    "canonical": "copies of another URL",
    "redirect": "redirected",
    "content_type": "neither pages nor documents",
}


def _view(body: Json, *, is_indexed: bool = True) -> Iterator[Part]:
    if written := body.get("export"):
        yield Note(_summary(body))
        yield from failures_view(body)
        yield from export_view(written)
        return
    pages = body["pages"]
    if pages:
        rows = [(p["statusCode"], p.get("title"), p["url"]) for p in pages[:_MAX_LISTED]]
        yield grid(("status", "title", "URL"), rows)
    if len(pages) > _MAX_LISTED:
        yield Note(f"… and {len(pages) - _MAX_LISTED} more (--json lists all)")
    for page in pages:
        if text := object_field(page, "content").get("markdown"):
            yield Text(f"---\n\n<{page['url']}>\n\n{text}")
    yield Note(_summary(body))
    yield from failures_view(body)
    if body.get("error"):
        yield Note(body["error"], warning=True)
    if pages and is_indexed:
        yield Note("Search these pages: webquarry index search QUERY")
    yield Note(f"Crawl id: {body['crawlId']}")


def _summary(body: Json) -> str:
    """Return the end of the crawl in one sentence."""
    state = {"completed": "Done"}.get(body["status"], body["status"].capitalize())
    text = f"{state}: {plural(body['pagesCrawled'], 'page')}"
    if body.get("errors"):
        text += f", {plural(body['errors'], 'error')}"
    skipped = dict(object_field(body, "skipped"))
    parts: list[str] = []
    if over_limit := skipped.pop("page_limit", 0):
        parts.append(f"limit reached; {over_limit} more found")
    if unread := skipped.pop("saturated", 0):
        parts.append(f"further pages added nothing; {unread} not read")
    parts += [f"{n} {_SKIPPED.get(name, name.replace('_', ' '))}" for name, n in skipped.items()]
    return f"{text} ({', '.join(parts)})." if parts else f"{text}."


_CRAWL = ToolCommand(
    tool="cinder_crawl",
    view=_view,
    help="Crawl a website and show its pages; with -o, write them to a folder or file.\n\n"
    "Ctrl-C cancels the crawl and keeps the pages read.",
    main_argument="url",
    joins_words=False,
    option_names={
        "maxDepth": ("--depth", "-d"),
        "maxPages": ("--pages", "-n"),
        "includePatterns": ("--include",),
        "excludePatterns": ("--exclude",),
        "formats": ("--format", "-f"),
    },
    hidden=("wait", "idempotencyKey", "steps"),
    examples=(
        "webquarry crawl https://docs.example.com --pages 200 --depth 3",
        "webquarry crawl https://docs.example.com -o docs",
        "webquarry crawl https://docs.example.com --query 'renew a certificate'",
        "webquarry crawl https://example.com -f markdown --markdown > site.md",
    ),
)


def load(_: str) -> typer.Typer:
    """Return the command."""
    hidden = _CRAWL.hidden
    listed = [p for p in parameters(find_tool(_CRAWL.tool)) if p.name not in hidden]

    def crawl(**values: Any) -> None:
        steps = step_arguments(values.pop("steps"))
        verbose = verbosity(values.pop("ctx"), values.pop("verbose"))
        target = _export_target(values)
        form = output_format(as_json=values.pop("as_json"), as_markdown=values.pop("as_markdown"))
        arguments = tool_arguments(_CRAWL, listed, values) | steps
        body = run_in_library(
            lambda library: _crawl_to_end(library, arguments, verbose, target), verbose=verbose
        )
        show(_view(body, is_indexed=arguments.get("index", True)), body, form)
        if body["status"] != "completed":
            raise typer.Exit(_EXIT_CODES.get(body["status"], EXIT_INCOMPLETE))

    set_signature(crawl, _CRAWL, listed, (*_EXPORT_OPTIONS, _STEPS))
    commands = {"list": list_jobs, "status": show_status, "errors": list_errors, "export": export}
    return default_group(crawl, commands, _CRAWL.examples)


def _export_target(values: Json) -> ExportTarget | None:
    """Return where to write the pages; raise before the crawl if that is not possible."""
    output, form, force = (values.pop(name) for name, _, _ in _EXPORT_OPTIONS)
    if output is None and form is None:
        return None
    target = ExportTarget.chosen(output, form, force=force)
    target.check()
    return target


async def _crawl_to_end(
    library: "LibrarySession", arguments: Json, verbose: int, target: ExportTarget | None
) -> Json:
    """Return the status of the crawl at its end, with all pages or with what was written."""
    started = await call_tool(library, ToolRequest(_CRAWL.tool, arguments), verbose=verbose)
    crawl_id = started["crawlId"]
    try:
        await _watch(library, crawl_id)
    except asyncio.CancelledError:  # Ctrl-C: show the pages read so far
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        sys.stderr.write("cancelling the crawl…\n")
        await library.call(_STATUS, id=crawl_id, cancel=True)
    if "webhook" in arguments:
        await _send_notifications(library, crawl_id)
    if target is None:
        return await _status_with_all_pages(library, crawl_id)
    from webquarry.services.cinder.cinder_crawls import summary_with_failures

    crawling, owner = library.app.services.crawling, library.app.owner
    job = await crawling.job(crawl_id, owner)
    summary = await summary_with_failures(crawling, job, owner)
    status = visible_json(summary.model_dump(mode="json", exclude_none=True))
    if not job.progress.pagesCrawled:
        return status | {"pages": []}  # there is nothing to write
    return status | {"export": await target.write(library, job)}


async def _send_notifications(library: "LibrarySession", crawl_id: str) -> None:
    """Send what the crawl has to tell its webhook before this process ends."""
    crawling = library.app.services.crawling
    if left := await crawling.finish_deliveries(crawl_id, _WEBHOOK_SECONDS):
        sys.stderr.write(
            f"{plural(left, 'webhook notification')} not accepted yet; a running server"
            " (webquarry serve) sends again what is due.\n"
        )


async def _watch(library: "LibrarySession", crawl_id: str) -> None:
    from webquarry.services.cinder.cinder_crawls import job_changes

    crawling = library.app.services.crawling
    with CrawlProgressLine() as line:
        async for job in job_changes(crawling, crawl_id, library.app.owner):
            line.update(job)


async def _status_with_all_pages(library: "LibrarySession", crawl_id: str) -> Json:
    from webquarry.services.cinder.cinder_crawls import crawl_status

    crawling, owner = library.app.services.crawling, library.app.owner
    job = await crawling.job(crawl_id, owner)
    body: Json = {}
    pages: list[Json] = []
    offset: int | None = 0
    while offset is not None:
        status = await crawl_status(crawling, job, owner, (offset, _PAGES_PER_CALL))
        body = visible_json(status.model_dump(mode="json", exclude_none=True))
        pages += body["pages"]
        offset = body.pop("nextOffset", None) if body["pages"] else None
    return body | {"pages": pages}


class CrawlProgressLine:
    """Shows the progress of a crawl on stderr: live on a terminal, its last state elsewhere."""

    def __init__(self) -> None:
        self._status: Any = None
        self._text = ""

    def __enter__(self) -> "CrawlProgressLine":
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.status import Status

            self._status = Status("starting…", console=Console(stderr=True, markup=False))
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()
        elif self._text:
            sys.stderr.write(f"{self._text}\n")

    def update(self, job: "CrawlJob") -> None:
        """Show the state of the crawl."""
        self._text = progress_line(job)
        if self._status is not None:
            self._status.update(self._text)


def progress_line(job: "CrawlJob") -> str:
    """Return pages, rate, depth, queue and errors of a crawl."""
    progress, request = job.progress, job.request
    done = progress.pagesCrawled + progress.errors
    queue = 0 if job.ended else max(0, min(progress.pagesFound, request.max_pages) - done)
    return (
        f"{job.state} · {progress.pagesCrawled}/{request.max_pages} pages · "
        f"{progress.rate:.1f}/s · depth {progress.depth}/{request.max_depth} · "
        f"queue {queue} · {plural(progress.errors, 'error')}"
    )
