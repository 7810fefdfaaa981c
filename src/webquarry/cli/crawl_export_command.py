"""`webquarry crawl export`: the pages of a crawl as files."""

import sys
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webquarry.cli.options import verbosity
from webquarry.cli.output import Json, Note, Part, plural
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import ProgressDisplay, run_in_library
from webquarry.errors import BadInputError, NotFoundError

if TYPE_CHECKING:
    from webquarry.library import LibrarySession
    from webquarry.models.crawl import CrawlJob
    from webquarry.services.exports.export_streams import ExportForm

_FORMS = "markdown, jsonl, csv, parquet, llms or llms-full"
# the form that the name of a file stands for
_FORM_OF_NAME = {"llms.txt": "llms", "llms-full.txt": "llms-full"}
_FORM_OF_SUFFIX = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".parquet": "parquet", ".zip": "markdown",
}  # fmt: skip
_STDOUT = Path("-")

Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        help="Folder for Markdown files that link to each other, or a file: "
        ".jsonl, .csv, .parquet, .zip, llms.txt, llms-full.txt (- for stdout).",
    ),
]
As = Annotated[
    str | None,
    typer.Option("--as", help=f"{_FORMS} [default: from the name of the output]."),
]
Force = Annotated[
    bool,
    typer.Option("--force", help="Overwrite files that are not from an earlier export, or edited."),
]


def export(
    ctx: typer.Context,
    crawl_id: Annotated[str, typer.Argument(metavar="ID", help="Crawl id, or the start of it.")],
    *,
    output: Output = None,
    form: As = None,
    formats: Annotated[
        list[str] | None,
        typer.Option("--format", "-f", help="Content in jsonl, csv and parquet (may be repeated)."),
    ] = None,
    force: Force = False,
) -> None:
    """Write the pages of a crawl to a folder of Markdown files, or to one file."""
    target = ExportTarget.chosen(output, form, force=force)
    target.check()

    async def work(library: "LibrarySession") -> Json:
        return await target.write(library, await find_job(library, crawl_id), formats or ())

    body = run_in_library(work, verbose=verbosity(ctx))
    if target.path != _STDOUT:
        show(export_view(body), body, "text")


class ExportTarget:
    """Where an export goes, and in which form."""

    def __init__(self, path: Path, form: "ExportForm", *, force: bool) -> None:
        self.path = path
        self._form: ExportForm = form
        self._force = force

    @classmethod
    def chosen(cls, output: Path | None, form: str | None, *, force: bool) -> "ExportTarget":
        """Return the target that the options describe."""
        from webquarry.services.exports.export_streams import export_form

        if output is None and form is None:
            raise typer.BadParameter("choose a folder or file with -o, or a form with --as")
        path = output or _STDOUT
        named = _FORM_OF_NAME.get(path.name) or _FORM_OF_SUFFIX.get(path.suffix.lower())
        target = cls(path, export_form(form or named or "markdown"), force=force)
        if path == _STDOUT and target._form in ("markdown", "parquet"):
            raise typer.BadParameter(f"--as {target._form} cannot go to the terminal; use -o")
        return target

    @property
    def _is_folder(self) -> bool:
        return self._form == "markdown" and self.path.suffix.lower() != ".zip"

    def check(self) -> None:
        """Raise before a long crawl if its result could not be written."""
        from webquarry.services.exports.export_folder import ExportFolder
        from webquarry.services.exports.page_rows import load_arrow

        if self._form == "parquet":
            load_arrow()
        if self._is_folder:
            ExportFolder(self.path, force=self._force).open()
        elif self.path.is_dir():
            raise BadInputError(f"{self.path} is a folder; --as {self._form} needs a file")
        elif self.path.exists() and not self._force and self.path != _STDOUT:
            raise BadInputError(f"{self.path} exists; overwrite it with --force")

    async def write(self, library: "LibrarySession", job: "CrawlJob", formats: Any = ()) -> Json:
        """Write the pages of a job; return what was written."""
        from webquarry.services.exports.write_export import export_folder

        crawling, caller = library.app.services.crawling, library.app.owner
        body: Json = {"crawlId": job.id, "output": str(self.path), "as": self._form}
        if not self._is_folder:
            return body | {"bytes": await self._write_file(library, job, formats)}
        if formats:
            raise typer.BadParameter("--format is for jsonl, csv and parquet")
        with ProgressDisplay("writing files") as display:
            summary = await export_folder(
                crawling, job, caller, self.path, force=self._force, report=display.report
            )
        return body | vars(summary)

    async def _write_file(self, library: "LibrarySession", job: "CrawlJob", formats: Any) -> int:
        from webquarry.services.exports.export_streams import export_stream, page_formats
        from webquarry.services.exports.write_export import export_file

        crawling, caller = library.app.services.crawling, library.app.owner
        stream = export_stream(crawling, job, caller, self._form, page_formats(formats))
        if self.path != _STDOUT:
            return await export_file(stream, self.path)
        size = 0
        async with aclosing(stream.chunks) as chunks:
            async for chunk in chunks:
                size += sys.stdout.write(chunk.decode())
        return size


def export_view(body: Json) -> "list[Part]":
    """Return what was written, in one or two sentences."""
    if "bytes" in body:
        return [Note(f"Wrote {body['output']} ({body['bytes']:,} bytes).")]
    parts = [f"Wrote {plural(body['written'], 'file')} to {body['output']}"]
    if body["unchanged"]:
        parts.append(f"{body['unchanged']} unchanged")
    if body["older"]:
        parts.append(f"{body['older']} of earlier exports kept")
    notes: list[Part] = [Note(f"{', '.join(parts)}.")]
    if body["edited"]:
        files = plural(body["edited"], "edited file")
        notes.append(Note(f"{files} not overwritten (--force does).", warning=True))
    return notes


async def find_job(library: "LibrarySession", crawl_id: str) -> "CrawlJob":
    """Return the job with this id, or the only one whose id begins so."""
    crawling, owner = library.app.services.crawling, library.app.owner
    try:
        return await crawling.job(crawl_id, owner)
    except NotFoundError:
        jobs = [job for job in await crawling.jobs(owner) if job.id.startswith(crawl_id)]
        if len(jobs) > 1:
            raise BadInputError(f"{len(jobs)} crawls begin with {crawl_id!r}; give more") from None
        if not jobs:
            raise
        return jobs[0]
