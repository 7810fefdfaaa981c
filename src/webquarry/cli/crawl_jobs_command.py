"""`webquarry crawl list|status|errors`: crawls and batches, and what they could not read."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from webquarry.cli.crawl_export_command import find_job
from webquarry.cli.options import AsJson, AsMarkdown, output_format
from webquarry.cli.output import Json, Note, Part, grid, list_field, plural
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import run_in_library, without_empty

if TYPE_CHECKING:
    from webquarry.library import LibrarySession

_STATUS = "cinder_get_crawl_status"
_PER_CALL = 100
_MAX_SHOWN = 10  # failures at the end of a crawl
CrawlId = Annotated[str, typer.Argument(metavar="ID", help="Crawl id, or the start of it.")]
StateName = Literal["queued", "running", "completed", "failed", "cancelled"]


def list_jobs(
    *,
    status: Annotated[StateName | None, typer.Option(help="Only crawls in this state.")] = None,
    kind: Annotated[
        Literal["crawl", "batch"] | None, typer.Option(help="Only crawls or only batches.")
    ] = None,
    number: Annotated[
        int, typer.Option("--number", "-n", min=1, help="Maximum number to list.")
    ] = 20,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """List your crawls and batches, the newest first."""
    arguments = without_empty({"status": status, "kind": kind})

    async def work(library: "LibrarySession") -> Json:
        return await _all_of(library, "crawls", arguments, number)

    body = run_in_library(work)
    show(_list_view(body), body, output_format(as_json=as_json, as_markdown=as_markdown))


def show_status(
    crawl_id: CrawlId, *, as_json: AsJson = False, as_markdown: AsMarkdown = False
) -> None:
    """Show the progress of a crawl and its failed URLs."""

    async def work(library: "LibrarySession") -> Json:
        job = await find_job(library, crawl_id)
        body = await library.call(_STATUS, id=job.id, limit=1)
        kept = {name: value for name, value in body.items() if name not in ("pages", "nextOffset")}
        return {"kind": job.kind, "url": job.request.url} | kept

    body = run_in_library(work)
    show(_status_view(body), body, output_format(as_json=as_json, as_markdown=as_markdown))


def list_errors(
    crawl_id: CrawlId,
    *,
    skipped: Annotated[
        bool, typer.Option("--skipped", help="Also list URLs that were skipped on purpose.")
    ] = False,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """List the URLs of a crawl that could not be read, with the reasons."""

    async def work(library: "LibrarySession") -> Json:
        job = await find_job(library, crawl_id)
        arguments = {"id": job.id, "errors": True, "skipped": skipped}
        return await _all_of(library, "failures", arguments)

    body = run_in_library(work)
    show(_errors_view(body), body, output_format(as_json=as_json, as_markdown=as_markdown))


def failures_view(body: Json) -> Iterator[Part]:
    """Show the first failed URLs of a crawl, and how to list all."""
    failures = list_field(body, "failures")[:_MAX_SHOWN]
    if not failures:
        return
    yield grid(("failed", "URL"), [(each["message"], each["url"]) for each in failures])
    if (more := (body.get("errors") or 0) - len(failures)) > 0:
        yield Note(f"… and {more} more: webquarry crawl errors {body['crawlId']}")


async def _all_of(
    library: "LibrarySession", name: str, arguments: Json, number: int | None = None
) -> Json:
    """Return all rows of a list that comes in pages, or so many."""
    rows: list[Json] = []
    while True:
        limit = _PER_CALL if number is None else min(_PER_CALL, number - len(rows))
        body = await library.call(_STATUS, **arguments, offset=len(rows), limit=limit)
        rows += body[name]
        if body.get("nextOffset") is None or len(rows) == number:
            return {**body, name: rows}


def _list_view(body: Json) -> Iterator[Part]:
    if not body["crawls"]:
        yield Note("No crawls. Start one with `webquarry crawl URL`.")
        return
    headings = ("id", "started", "kind", "status", "pages", "errors", "URL")
    yield grid(
        headings,
        [
            (
                row["crawlId"],
                row["createdAt"][:16].replace("T", " "),
                row["kind"],
                row["status"],
                row["pagesCrawled"],
                row.get("errors"),
                row["url"],
            )
            for row in body["crawls"]
        ],
    )
    if body.get("nextOffset") is not None:
        yield Note("There are more: list them with -n.")


def _status_view(body: Json) -> Iterator[Part]:
    yield Note(f"{body['kind'].capitalize()} of {body['url']}")
    counts = f"{plural(body['pagesCrawled'], 'page')}, {plural(body['pagesFound'], 'URL')} found"
    if body.get("errors"):
        counts += f", {plural(body['errors'], 'error')}"
    yield Note(f"{body['status'].capitalize()}: {counts} ({body['progress']:g} %).")
    if body.get("skipped"):
        parts = [f"{count} {name.replace('_', ' ')}" for name, count in body["skipped"].items()]
        yield Note(f"Skipped: {', '.join(parts)}. List them: webquarry crawl errors --skipped ID")
    yield from failures_view(body)
    if body.get("error"):
        yield Note(body["error"], warning=True)
    if body["pagesCrawled"]:
        yield Note(f"Write its pages to a folder: webquarry crawl export {body['crawlId']} -o DIR")


def _errors_view(body: Json) -> Iterator[Part]:
    failures = body["failures"]
    if not failures:
        yield Note("Every URL was read.")
        return
    rows = [(each["message"], each.get("attempts"), each["url"]) for each in failures]
    yield grid(("reason", "attempts", "URL"), rows)
