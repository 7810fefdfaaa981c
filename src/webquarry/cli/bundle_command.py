"""`webquarry bundle`: writes, verifies and opens evidence bundles."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webquarry.cli.bundle_views import check_view, import_view, summary_view
from webquarry.cli.error_messages import EXIT_REFUTED, EXIT_UNCHECKED
from webquarry.cli.options import AsJson, typer_app
from webquarry.cli.output import Note, Part
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import run_in_library
from webquarry.errors import BadInputError

if TYPE_CHECKING:
    from webquarry.library import LibrarySession
    from webquarry.models.evidence_bundle import BundleSubject
    from webquarry.services.bundles.bundle_plan import BundlePlan

app = typer_app(
    "Write what was captured to one file that anyone can verify, verify such a file, or open it."
)

Output = Annotated[
    Path, typer.Option("--output", "-o", help="The .wacz file; .warc.gz has records only.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the contents, and write nothing.")]
BundleFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="A .wacz, .warc or .warc.gz file.")
]
_EXIT_CODES = {"intact": 0, "altered": EXIT_REFUTED}


def load(_: str) -> typer.Typer:
    """Return the commands about bundles."""
    return app


@app.command()
def session(
    session_id: Annotated[str, typer.Argument(metavar="ID", help="Session id.")],
    *,
    output: Output,
    everything: Annotated[
        bool, typer.Option("--all", help="Include all other captures of the same time.")
    ] = False,
    force: Force = False,
    dry_run: DryRun = False,
) -> None:
    """Write the evidence of a research session."""
    from webquarry.cli.session_command import full_session_id

    target = BundleTarget(output, force=force, dry_run=dry_run, everything=everything)
    target.write("session", full_session_id(session_id))


@app.command()
def crawl(
    crawl_id: Annotated[str, typer.Argument(metavar="ID", help="Crawl id, or the start of it.")],
    *,
    output: Output,
    force: Force = False,
    dry_run: DryRun = False,
) -> None:
    """Write the evidence of a crawl or batch."""
    from webquarry.cli.crawl_export_command import find_job

    job = run_in_library(lambda library: find_job(library, crawl_id))
    BundleTarget(output, force=force, dry_run=dry_run).write("crawl", job.id)


@app.command()
def check(
    check_id: Annotated[str, typer.Argument(metavar="ID", help="Id of the check of a document.")],
    *,
    output: Output,
    force: Force = False,
    dry_run: DryRun = False,
) -> None:
    """Write the evidence of the check of a document."""
    BundleTarget(output, force=force, dry_run=dry_run).write("check", check_id)


@app.command()
def change(
    change_id: Annotated[
        str, typer.Argument(metavar="ID.N", help="Id of the monitor and number of the change.")
    ],
    *,
    output: Output,
    force: Force = False,
    dry_run: DryRun = False,
) -> None:
    """Write the evidence of a change that a monitor found: both versions as captured."""
    BundleTarget(output, force=force, dry_run=dry_run).write("change", change_id)


@app.command()
def quote(
    anchor: Annotated[
        str,
        typer.Argument(metavar="ANCHOR", help="An anchor as JSON, a JSON file, or - for stdin."),
    ],
    *,
    output: Output,
    force: Force = False,
    dry_run: DryRun = False,
) -> None:
    """Write the evidence of one quotation: its page as captured."""
    from webquarry.cli.quote_command import load_json
    from webquarry.services.research.found_anchors import anchors_in

    found = next(anchors_in(load_json(anchor)), None)
    if found is None:
        raise BadInputError("No anchor found: it has url, quote and sha256.")
    BundleTarget(output, force=force, dry_run=dry_run).write("quote", found)


@app.command()
def verify(
    file: BundleFile,
    *,
    key: Annotated[
        str, typer.Option(help="Fingerprint of the signing key (see keys show-signing).")
    ] = "",
    tsa: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Certificates (PEM) that vouch for the time stamp; otherwise those that this "
            "machine trusts.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check a bundle offline: every byte, the signature, and every quotation in its source.

    Exit codes: 0 intact, 1 altered or a quotation is not in its source, 3 not signed, or a
    quotation could not be looked up.
    """
    result = run_in_library(
        lambda library: library.app.services.bundles.verify(file, key=key, tsa=tsa)
    )
    if as_json:
        typer.echo(result.model_dump_json(indent=2, exclude_none=True))
    else:
        _show_lines(check_view(result))
    if code := _EXIT_CODES.get(result.verdict, EXIT_UNCHECKED):
        raise typer.Exit(code)


@app.command("import")
def import_archive(file: BundleFile, *, as_json: AsJson = False) -> None:
    """Make the pages of an archive of any program searchable and quotable, with their dates.

    Exit code: 1 if the archive is damaged; what comes before the damage is imported.
    """
    result = run_in_library(
        lambda library: library.app.services.bundles.import_archive(file, library.app.owner)
    )
    if as_json:
        typer.echo(result.model_dump_json(indent=2, exclude_none=True))
    else:
        _show_lines(import_view(result, file))
    if result.damage:
        raise typer.Exit(EXIT_REFUTED)


@app.command("open")
def open_bundle(
    file: BundleFile,
    *,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port (0: any free one).")] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open it in your browser.")
    ] = True,
) -> None:
    """Show the pages of a bundle as they were, on this machine only, without any live request."""
    from webquarry.cli.replay_server import serve_bundle

    run_in_library(lambda library: serve_bundle(library, file, port=port, open_browser=browser))


@dataclass(frozen=True, kw_only=True)
class BundleTarget:
    """Where a bundle goes."""

    output: Path = field(kw_only=False)
    force: bool
    dry_run: bool
    everything: bool = False

    def write(self, subject: "BundleSubject", what: Any) -> None:
        """Say what the bundle carries, and write it."""
        if not self.output.name.endswith((".wacz", ".warc.gz")):
            raise typer.BadParameter("the name of the output must end in .wacz or .warc.gz")
        if self.output.exists() and not self.force and not self.dry_run:
            raise BadInputError(f"{self.output} exists; overwrite it with --force")

        async def work(library: "LibrarySession") -> None:
            plan = await self._plan(library, subject, what)
            _show_lines(summary_view(plan.summary))
            if not self.dry_run:
                await _write_file(library, plan, self.output)

        run_in_library(work)

    async def _plan(
        self, library: "LibrarySession", subject: "BundleSubject", what: Any
    ) -> "BundlePlan":
        bundles, caller = library.app.services.bundles, library.app.owner
        if subject == "quote":
            return await bundles.plan_quote(what, caller)
        return await bundles.plan(subject, what, caller, everything=self.everything)


async def _write_file(library: "LibrarySession", plan: "BundlePlan", output: Path) -> None:
    from webquarry.services.exports.export_folder import AtomicFile

    try:
        with AtomicFile(output) as file:
            form = "warc" if output.name.endswith(".warc.gz") else "wacz"
            await library.app.services.bundles.write(plan, file, form)
            size = file.tell()
    except OSError as error:
        raise BadInputError(f"Cannot write {output}: {error.strerror}.") from error
    _show_lines([Note(f"Wrote {output} ({size:,} bytes).")])


def _show_lines(parts: list[Part]) -> None:
    """Print the parts without empty lines between them: they form one list."""
    for part in parts:
        show([part], {}, "text")
