"""`webquarry audit FILE` checks a bibliography; `audit verify` checks the audit trail."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from webquarry.cli.error_messages import EXIT_FAILED
from webquarry.cli.options import AsJson, AsMarkdown, form_of, plain, verbosity
from webquarry.cli.output import Json, Note, Part, grid
from webquarry.cli.result_views import EXIT_REFUTED, EXIT_UNCHECKED
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import ToolRequest, arguments_of, ask
from webquarry.errors import BadInputError

TRAIL = "verify"
_SUMS = {
    "total": "references",
    "deadLink": "have a dead link",
    "notFound": "do not exist",
    "mismatch": "differ from their record",
    "ok": "stand",
}


def load(_: str) -> typer.Typer:
    """Return the command."""
    made = plain()
    made.command()(audit)
    return made


def audit(
    ctx: typer.Context,
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE", help="A .bib, .ris or CSL-JSON file, - for stdin; or `verify`."
        ),
    ] = None,
    trail: Annotated[
        Path | None, typer.Argument(help="With `verify`: the trail; else AUDIT_OUTPUT_PATH.")
    ] = None,
    *,
    session: Annotated[
        str | None, typer.Option(help="Check the sources of this research session instead.")
    ] = None,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Check every reference of a bibliography: whether it exists, is retracted, or is dead.

    `webquarry audit verify` checks instead that no line of the audit trail was changed or removed.

    Exit status: 0 all stand, 1 there is evidence against one, 3 some could not be checked.
    """
    if what == TRAIL:
        _check_trail(trail)
        return
    if (what is None) == (session is None) or trail is not None:
        raise typer.BadParameter("name one FILE, or a --session, or say `audit verify [TRAIL]`")
    arguments = arguments_of(
        {"bibliography": None if what is None else read_text(what), "sessionId": session}
    )
    asked = ToolRequest("audit_bibliography", arguments)
    body = ask(asked, verbose=verbosity(ctx, 0))
    show(audited(body), body, form_of(as_json=as_json, as_markdown=as_markdown))
    if status := audit_verdict(body):
        raise typer.Exit(status)


def read_text(path: str) -> str:
    """Return a file, or stdin when it is called `-`."""
    if path == "-":
        return sys.stdin.read()
    try:
        return Path(path).read_text("utf-8-sig")
    except OSError as exc:
        raise BadInputError(f"{path} cannot be read: {exc.strerror}") from exc
    except UnicodeDecodeError as exc:
        raise BadInputError(f"{path} is not UTF-8 text; convert it first") from exc


def audited(body: Json) -> Iterator[Part]:
    """Show the references, those with a problem first."""
    entries = sorted(body["entries"], key=lambda entry: -len(entry["flags"]))
    if entries:
        yield grid(
            ("#", "reference", "found", "why"),
            [
                (e["index"] + 1, e.get("title") or e.get("doi") or e.get("url"),
                 ", ".join(e["flags"]).replace("_", " ") or "stands", e.get("reason"))
                for e in entries
            ],
        )  # fmt: skip
    for bad in body.get("unreadable") or ():
        yield Note(f"line {bad['line']}: {bad['problem']}", warning=True)
    if body.get("skippedNote"):
        yield Note(body["skippedNote"], warning=True)
    counts = [f"{n} {_SUMS.get(name, name)}" for name, n in body["summary"].items() if n]
    yield Note(f"Of {', '.join(counts)}" if counts else "There are no references in it.")


def audit_verdict(body: Json) -> int:
    """Return 1 for evidence of a problem, 3 for what could not be checked."""
    flags = {flag for entry in body["entries"] for flag in entry["flags"]}
    if flags - {"unchecked"}:
        return EXIT_REFUTED
    return EXIT_UNCHECKED if flags or body.get("unreadable") or body.get("skipped") else 0


def _check_trail(path: Path | None) -> None:
    text, ok = verify_trail(path)
    typer.echo(text, err=not ok)
    if not ok:
        raise typer.Exit(EXIT_FAILED)


def verify_trail(path: Path | None) -> tuple[str, bool]:
    """Return a sentence about the trail, and whether all of it is as it was written."""
    # imported here: a bibliography needs none of it
    from webquarry.observe.hash_chain import verify
    from webquarry.observe.rotation import older_files
    from webquarry.serving import read_settings
    from webquarry.wiring.open_storage import storage_keys

    settings = read_settings({})
    path = path or settings.audit.output_path
    if path is None:
        raise BadInputError("Name the file, or set AUDIT_OUTPUT_PATH: there is no audit trail.")
    older = older_files(path)
    found = verify(path, storage_keys(settings).current, older=older)
    where = path.name if not older else f"{path.name} and {len(older)} older files"
    if found.ok:
        return f"{where}: every line is as it was written, and none is missing.", True
    line = f" (line {found.bad_line})" if found.bad_line else ""
    return f"{where}: {found.problem}{line}.", False
