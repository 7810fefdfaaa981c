"""`webquarry crawl`: starts a crawl and shows how it goes."""

import asyncio
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import typer

from webquarry.cli.options import form_of, plain, verbosity
from webquarry.cli.output import Json, Note, Part, Text, counted, grid, inside
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import ToolRequest, answer, run
from webquarry.cli.tool_command import ToolCommand, dress, find_tool, typed_in
from webquarry.library.signature import parameters
from webquarry.tools.cinder_get_crawl_status import cinder_get_crawl_status

if TYPE_CHECKING:
    from webquarry.library import LibrarySession
    from webquarry.models.crawl import CrawlJob

_STATUS = cinder_get_crawl_status.name
_BATCH = 100  # pages that one call brings
_SHOWN = 50  # pages listed for people; the rest is in --json
EXIT_INCOMPLETE = 1


def _pages(body: Json) -> Iterator[Part]:
    pages = body["pages"]
    if pages:
        rows = [(page["statusCode"], page.get("title"), page["url"]) for page in pages[:_SHOWN]]
        yield grid(("", "title", "page"), rows)
    if len(pages) > _SHOWN:
        yield Note(f"… and {len(pages) - _SHOWN} more; --json lists all of them")
    for page in pages:
        if text := inside(page, "content").get("markdown"):
            yield Text(f"---\n\n<{page['url']}>\n\n{text}")
    skipped = ", ".join(f"{n} {why}" for why, n in inside(body, "skipped").items())
    pages_read, errors = counted(body["pagesCrawled"], "page"), counted(body.get("errors"), "error")
    told = f"{body['status']}: {pages_read}, {errors}"
    yield Note(told + (f"; left out: {skipped}" if skipped else ""))
    if body.get("error"):
        yield Note(body["error"], warning=True)
    yield Note(f"Search them: webquarry index search WORDS · crawl {body['crawlId']}")


_CRAWL = ToolCommand(
    tool="cinder_crawl",
    view=_pages,
    help="Crawl a website and watch it. Ctrl-C ends it and keeps what it has.",
    main="url",
    words=False,
    names={
        "maxDepth": ("--depth", "-d"),
        "maxPages": ("--pages", "-n"),
        "includePatterns": ("--include",),
        "excludePatterns": ("--exclude",),
        "formats": ("--format", "-f"),
    },
    hide=("wait", "idempotencyKey"),
    examples=(
        "webquarry crawl https://docs.example.com --pages 200 --depth 3",
        "webquarry crawl https://example.com -f markdown --markdown > site.md",
    ),
)


def load(_: str) -> typer.Typer:
    """Return the command."""
    hidden = _CRAWL.hide
    listed = [p for p in parameters(find_tool(_CRAWL.tool)) if p.name not in hidden]

    def crawl(**given: Any) -> None:
        verbose = verbosity(given.pop("ctx"), given.pop("verbose"))
        form = form_of(as_json=given.pop("as_json"), as_markdown=given.pop("as_markdown"))
        arguments = typed_in(_CRAWL, listed, given)
        body = run(lambda quarry: _crawled(quarry, arguments, verbose), verbose=verbose)
        show(_pages(body), body, form)
        if body["status"] != "completed":
            raise typer.Exit(EXIT_INCOMPLETE)

    dress(crawl, _CRAWL, listed)
    made = plain()
    made.command(epilog="\n\n".join(("Examples:", *_CRAWL.examples)))(crawl)
    return made


async def _crawled(quarry: "LibrarySession", arguments: Json, verbose: int) -> Json:
    """Return the crawl as it ended, with all of its pages."""
    begun = await answer(quarry, ToolRequest(_CRAWL.tool, arguments), verbose=verbose)
    ident = begun["crawlId"]
    try:
        await _watched(quarry, ident)
    except asyncio.CancelledError:  # Ctrl-C: what was read is still worth showing
        task = asyncio.current_task()
        if task is not None:
            task.uncancel()
        sys.stderr.write("ending the crawl…\n")
        await quarry.call(_STATUS, id=ident, cancel=True)
    return await _all_pages(quarry, ident)


async def _watched(quarry: "LibrarySession", ident: str) -> None:
    from webquarry.services.cinder.cinder_crawls import changes, needed

    crawling = needed(quarry.app.offer.services.crawling)
    with Live() as live:
        async for job in changes(crawling, ident, quarry.app.owner):
            live.update(job)


async def _all_pages(quarry: "LibrarySession", ident: str) -> Json:
    body = await quarry.call(_STATUS, id=ident, limit=_BATCH)
    pages = list(body["pages"])
    while (offset := body.get("nextOffset")) is not None and body["pages"]:
        body = await quarry.call(_STATUS, id=ident, offset=offset, limit=_BATCH)
        pages += body["pages"]
    return {k: v for k, v in body.items() if k != "nextOffset"} | {"pages": pages}


class Live:
    """One line on stderr that tells how a crawl goes; a line per change where nobody looks."""

    def __init__(self) -> None:
        self._status: Any = None
        self._told = ""

    def __enter__(self) -> "Live":
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.status import Status

            self._status = Status("starting…", console=Console(stderr=True, markup=False))
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()
        elif self._told:  # a log wants the end, not every step
            sys.stderr.write(f"{self._told}\n")

    def update(self, job: "CrawlJob") -> None:
        """Show where the crawl is."""
        self._told = progress_line(job)
        if self._status is not None:
            self._status.update(self._told)


def progress_line(job: "CrawlJob") -> str:
    """Return pages, rate, depth, queue and errors of a crawl."""
    at = job.progress
    gone = at.pagesCrawled + at.errors
    queue = 0 if job.ended else max(0, min(at.pagesFound, job.request.max_pages) - gone)
    return (
        f"{job.state} · {at.pagesCrawled}/{job.request.max_pages} pages · {at.rate:.1f}/s · "
        f"depth {at.depth}/{job.request.max_depth} · queue {queue} · {counted(at.errors, 'error')}"
    )
