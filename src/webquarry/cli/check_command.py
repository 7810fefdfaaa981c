"""`webquarry check FILE|URL|-`: checks every claim and every reference of a document."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from webquarry.cli.error_messages import EXIT_REFUTED, EXIT_UNCHECKED
from webquarry.cli.options import AsJson, single_command, verbosity
from webquarry.cli.output import Note, Part, grid, one_line
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import ProgressDisplay, run_in_library
from webquarry.errors import BadInputError

if TYPE_CHECKING:
    from webquarry.content.manuscript.manuscript_model import ManuscriptSource
    from webquarry.library import LibrarySession
    from webquarry.models.document_check import CheckOptions, CheckProgress, DocumentCheck
    from webquarry.services.checking.check_jobs import CheckJobs
    from webquarry.services.checking.reports.check_files import CheckFile

FormName = Literal["json", "md", "html", "csv", "docx", "pdf", "noted"]
_FORMS = {".json": "json", ".md": "md", ".html": "html", ".htm": "html", ".csv": "csv",
          ".docx": "docx", ".pdf": "pdf"}  # fmt: skip
_COPY_FORMS = (".html", ".htm", ".docx", ".pdf", ".odt", ".tex")
_EXAMPLES = (
    "webquarry check report.md",
    "webquarry check paper.pdf --format html -o report.html",
    "webquarry check thesis.docx --format docx -o thesis-checked.docx",
)
_URL = re.compile(r"[a-z][a-z0-9+.-]{1,20}://", re.IGNORECASE)
_TERMINAL_CLASSES = ("contradicted", "not_found_in_source", "could_not_check", "partly")
_MAX_SECONDS = 7200.0
_Sources = Annotated[int, typer.Option(min=0, max=500, help="Maximum number of sources to read.")]
_Tokens = Annotated[
    int,
    typer.Option(min=0, help="Maximum tokens of the configured language model (0: do not use it)."),
]
_All = Annotated[bool, typer.Option("--all", help="Also check sentences without a citation.")]


def load(_: str) -> typer.Typer:
    """Return the command."""
    return single_command(check, _EXAMPLES)


# each parameter is an option of the command
def check(  # noqa: PLR0913
    ctx: typer.Context,
    document: Annotated[
        str, typer.Argument(metavar="FILE", help="A file, a URL, or - for a text on stdin.")
    ],
    *,
    form: Annotated[
        FormName | None,
        typer.Option(
            "--format",
            "-f",
            help="json, md, html or csv: the report; docx, pdf or noted: the document with notes "
            "[default: by the name of the output].",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File for the report (- for stdout).")
    ] = None,
    max_sources: _Sources = 150,
    deadline: Annotated[
        int, typer.Option(min=1, max=7200, help="Stop after this many seconds.")
    ] = 900,
    max_model_tokens: _Tokens = 200_000,
    all_sentences: _All = False,
    as_json: AsJson = False,
) -> None:
    """Check that every reference of a document exists, and that its sources say what it says.

    If a check is interrupted, run the same command to continue it.

    Exit codes: 0 no finding, 1 a finding, 2 an unreadable document, 3 something not checked.
    """
    from webquarry.models.document_check import CheckOptions

    _require_folder(output)
    chosen = "json" if as_json else form or _form_of(output)
    options = CheckOptions(
        max_sources=max_sources,
        deadline=float(deadline),
        all_sentences=all_sentences,
        max_model_tokens=max_model_tokens,
    )
    job = _CheckRun(document, options, chosen, output, verbosity(ctx))
    result, file = run_in_library(job.run, verbose=job.verbose)
    if file is None:
        show(_view(result), result.model_dump(mode="json", exclude_none=True), "text")
    else:
        _write(file, output)
    if code := _exit_code(result):
        raise typer.Exit(code)


@dataclass(frozen=True)
class _CheckRun:
    """One check from the terminal."""

    document: str
    options: "CheckOptions"
    form: str | None
    output: Path | None
    verbose: int

    async def run(self, library: "LibrarySession") -> "tuple[DocumentCheck, CheckFile | None]":
        from webquarry.services.checking.reports.check_files import check_form

        services, caller = library.app.services, library.app.owner
        checks = services.document_checks
        source = await self._source(library)
        await self._require_copy(checks, source)
        job = await checks.start(source, self.options, caller)
        with ProgressDisplay("check", verbose=self.verbose) as progress:

            async def report(done: "CheckProgress") -> None:
                total = done.referencesTotal + done.claimsTotal
                message = "references" if done.references < done.referencesTotal else "claims"
                await progress.report(done.references + done.claims, total, f"checking {message}")

            job = await checks.wait(job, caller, _MAX_SECONDS, report)
        result = await checks.result(job)
        if self.form is None or result.status == "failed":
            return result, None
        return result, await checks.file(job, check_form(self.form), services.parsers)

    async def _require_copy(self, checks: "CheckJobs", source: "ManuscriptSource") -> None:
        """Refuse a copy in another format before the check, which may be long."""
        from webquarry.services.checking.reports.check_files import check_form, copy_ending

        if self.form not in ("docx", "pdf", "noted"):
            return
        manuscript = await checks.reader.read_manuscript(source)
        ending = copy_ending(check_form(self.form), manuscript.format)
        given = self.output.suffix.lower() if self.output else ""
        if given in _COPY_FORMS and _FORMS.get(given) != ending:
            raise BadInputError(
                f"--output {self.output}: the copy of this document is a .{ending} file."
            )

    async def _source(self, library: "LibrarySession") -> "ManuscriptSource":
        from webquarry.content.manuscript.manuscript_model import ManuscriptSource

        inputs = library.app.services.document_inputs
        if self.document == "-":
            data = sys.stdin.buffer.read()
            if not data.strip():
                raise BadInputError("-: stdin is empty. Pipe a document into this command.")
            return ManuscriptSource(data, "document.md")
        if _URL.match(self.document):
            return await inputs.from_url(self.document)
        return inputs.from_file(Path(self.document))


def _form_of(output: Path | None) -> str | None:
    """Return the form that the name of a file stands for."""
    if output is None:
        return None
    if form := _FORMS.get(output.suffix.lower()):
        return form
    raise BadInputError(f"{output}: name a form with --format, or a file like report.html.")


def _require_folder(output: Path | None) -> None:
    """Refuse an output that cannot be written, before the check."""
    if output is None or str(output) == "-":
        return
    if output.is_dir():
        raise BadInputError(f"--output {output} is a folder: name a file in it.")
    if not output.parent.is_dir():
        raise BadInputError(f"--output {output}: there is no folder {output.parent}.")


def _write(file: "CheckFile", output: Path | None) -> None:
    if output is None or str(output) == "-":
        sys.stdout.buffer.write(file.content)
        sys.stdout.buffer.flush()
        return
    try:
        output.write_bytes(file.content)
    except OSError as error:
        raise BadInputError(f"Cannot write {output}: {error.strerror}.") from error
    sys.stderr.write(f"{output}\n")


def _view(result: "DocumentCheck") -> Iterator[Part]:
    """Show the findings, the claims to look at, and the summary."""
    from webquarry.services.checking.reports.check_rows import CLASS_NAMES, headline, location

    if result.findings:
        rows = [
            (each.kind.replace("_", " "), location(each.place), each.message, one_line(each.text))
            for each in result.findings
        ]
        yield grid(("finding", "where", "why", "text"), rows)
    found = {finding.claim for finding in result.findings}
    others = [
        (CLASS_NAMES[each.claimClass], location(each.place), each.reason or "", each.claim)
        for each in result.claims
        if each.claimClass in _TERMINAL_CLASSES and each.number not in found
    ]
    if others:
        yield grid(("class", "where", "why", "claim"), others)
    for note in result.notes:
        yield Note(note, warning=True)
    yield Note(headline(result))


def _exit_code(result: "DocumentCheck") -> int:
    if result.findings or result.status == "failed":
        return EXIT_REFUTED
    unchecked = any(claim.claimClass == "could_not_check" for claim in result.claims)
    unchecked = unchecked or any("unchecked" in each.flags for each in result.references)
    return EXIT_UNCHECKED if unchecked or not result.complete else 0
