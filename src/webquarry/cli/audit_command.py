"""`webquarry audit FILE` checks a bibliography; `audit verify` checks the server's audit log."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic.alias_generators import to_camel

from webquarry.cli.error_messages import EXIT_FAILED, EXIT_REFUTED, EXIT_UNCHECKED
from webquarry.cli.options import AsJson, AsMarkdown, output_format, single_command, verbosity
from webquarry.cli.output import Grid, Json, Note, Part, grid, list_field, plural
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import ToolRequest, call_tool, run_in_library, without_empty
from webquarry.errors import BadInputError

if TYPE_CHECKING:
    from webquarry.library import LibrarySession

_VERIFY = "verify"
# by name in the result's summary: a count in words
_COUNTS = {
    "retracted": "{} retracted",
    "notFound": "{} not found",
    "mismatch": "{} with differences from the record",
    "mischaracterized": "{} mischaracterized",
    "deadLink": "{} dead link{s}",
    "unchecked": "{} could not be checked",
    "ok": "{} OK",
}


def load(_: str) -> typer.Typer:
    """Return the command."""
    return single_command(audit)


def audit(
    ctx: typer.Context,
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="A .bib, .ris or CSL-JSON file (- for stdin), or the word verify.",
        ),
    ] = None,
    trail: Annotated[
        Path | None,
        typer.Argument(
            metavar="LOG", help="With verify: the audit log [default: AUDIT_OUTPUT_PATH]."
        ),
    ] = None,
    *,
    session: Annotated[
        str | None, typer.Option(help="Check the sources of this research session instead.")
    ] = None,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Check that the references of a bibliography exist, are not retracted and have live links.

    `webquarry audit verify` is unrelated: it checks that no line of a server's audit log was
    changed or removed.

    Exit codes: 0 all references are OK, 1 evidence against at least one, 3 some could not be
    checked.
    """
    if what == _VERIFY:
        _verify(trail)
        return
    if (what is None) == (session is None) or trail is not None:
        raise typer.BadParameter("give one FILE, or --session ID, or `audit verify [LOG]`")
    arguments = without_empty(
        {"bibliography": None if what is None else read_text(what), "sessionId": session}
    )
    verbose = verbosity(ctx)
    body = run_in_library(lambda library: audit_all(library, arguments, verbose), verbose=verbose)
    show(audit_view(body), body, output_format(as_json=as_json, as_markdown=as_markdown))
    if code := audit_exit_code(body):
        raise typer.Exit(code)


async def audit_all(library: "LibrarySession", arguments: Json, verbose: int) -> Json:
    """Return the results for all references, also if one call has no time for them."""
    entries: dict[int, Json] = {}
    cursor, first = 0, dict[str, Any]()
    while True:
        request = ToolRequest("audit_bibliography", arguments | {"cursor": cursor})
        body = await call_tool(library, request, verbose=verbose)
        first = first or body
        entries |= {entry["index"]: entry for entry in body["entries"]}
        reached = body.get("nextCursor")
        if reached is None or reached <= cursor:  # the second: there is no progress
            break
        cursor = reached
    merged = [entries[index] for index in sorted(entries)]
    rest = {name: body.get(name) for name in ("skipped", "skippedNote", "nextCursor")}
    kept = {name: value for name, value in (first | rest).items() if value is not None}
    return kept | {
        "entryCount": len(merged),
        "summary": _count(merged, first["summary"]),
        "entries": merged,
        "checkedAt": body["checkedAt"],
    }


def _count(entries: list[Json], names: Json) -> Json:
    """Return how many of all entries have each flag, under the names of one call's summary."""
    counts = Counter(to_camel(flag) for entry in entries for flag in entry["flags"])
    ok = sum(not entry["flags"] for entry in entries)
    return {name: counts[name] for name in names} | {"total": len(entries), "ok": ok}


def read_text(path: str) -> str:
    """Return the text of a file; `-` is stdin."""
    if path == "-":
        return sys.stdin.read()
    try:
        return Path(path).read_text("utf-8-sig")
    except OSError as exc:
        raise BadInputError(f"Cannot read {path}: {exc.strerror}.") from exc
    except UnicodeDecodeError as exc:
        raise BadInputError(f"{path} is not UTF-8 text. Convert it to UTF-8 first.") from exc


def audit_view(body: Json) -> Iterator[Part]:
    """Show the references, those with most problems first, and a summary."""
    entries = sorted(body["entries"], key=lambda entry: -len(entry["flags"]))
    if entries:
        yield _table(entries)
    for bad in list_field(body, "unreadable"):
        yield Note(f"line {bad['line']}: {bad['problem']}", warning=True)
    if body.get("skippedNote"):
        yield Note(body["skippedNote"], warning=True)
    yield Note(_summary(body["summary"]))


def _table(entries: list[Json]) -> Grid:
    rows = [
        (
            entry["index"] + 1,
            entry.get("title") or entry.get("doi") or entry.get("url"),
            ", ".join(entry["flags"]).replace("_", " ") or "OK",
            entry.get("reason"),
        )
        for entry in entries
    ]
    return grid(("#", "reference", "status", "reason"), rows)


def _summary(counts: Json) -> str:
    if not counts["total"]:
        return "There are no references in this file."
    parts = [
        text.format(number, s="" if number == 1 else "s")
        for name, text in _COUNTS.items()
        if (number := counts.get(name))
    ]
    return f"{plural(counts['total'], 'reference')}: {', '.join(parts)}."


def audit_exit_code(body: Json) -> int:
    """Return 1 for evidence of a problem, 3 if something could not be checked."""
    flags = {flag for entry in body["entries"] for flag in entry["flags"]}
    if flags - {"unchecked"}:
        return EXIT_REFUTED
    return EXIT_UNCHECKED if flags or body.get("unreadable") or body.get("skipped") else 0


def _verify(path: Path | None) -> None:
    text, intact = verify_audit_log(path)
    typer.echo(text, err=not intact)
    if not intact:
        raise typer.Exit(EXIT_FAILED)


def verify_audit_log(path: Path | None) -> tuple[str, bool]:
    """Return a sentence about the audit log, and whether it is complete and unchanged."""
    # imported here: checking a bibliography needs none of it
    from webquarry.observe.hash_chain import verify
    from webquarry.observe.rotation import older_files
    from webquarry.serving import read_settings
    from webquarry.wiring.open_storage import storage_keys

    settings = read_settings({})
    path = path or settings.audit.output_path
    if path is None:
        raise BadInputError("There is no audit log: name the file or set AUDIT_OUTPUT_PATH.")
    older = older_files(path)
    report = verify(path, storage_keys(settings).current, older=older)
    name = f"{path.name} and {plural(len(older), 'older file')}" if older else path.name
    if report.ok:
        return f"{name}: OK, no line was changed or removed.", True
    line = f" (line {report.bad_line})" if report.bad_line else ""
    return f"{name}: {report.problem}{line}.", False
