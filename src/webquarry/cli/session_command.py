"""`webquarry session list|show|export`: research sessions."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from webquarry.cli.options import AsJson, AsMarkdown, output_format, typer_app
from webquarry.cli.output import Item, Items, Json, Note, Part, Text, facts, grid, list_field
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import ToolRequest, run_in_library, run_tool, without_empty
from webquarry.errors import BadInputError

if TYPE_CHECKING:
    from webquarry.library import LibrarySession

app = typer_app("List, show or export research sessions.")

# field of a step by column heading
_STEPS = {
    "step": "stepNumber",
    "description": "oneLiner",
    "confidence": "confidence",
    "branch": "branchId",
}
SessionId = Annotated[str, typer.Argument(metavar="ID", help="Session id, or the start of it.")]


def load(_: str) -> typer.Typer:
    """Return the commands about sessions."""
    return app


@app.command("list")
def list_sessions(*, as_json: AsJson = False, as_markdown: AsMarkdown = False) -> None:
    """List the sessions, the most recently used first."""
    form = output_format(as_json=as_json, as_markdown=as_markdown)
    sessions = run_in_library(_list_sessions)
    show(_list_view(sessions), {"sessions": sessions}, form)


@app.command("show")
def show_session(
    session_id: SessionId,
    *,
    step: Annotated[int | None, typer.Option(help="Only this step, in full.")] = None,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Show the goal, steps, open questions and sources of a session."""
    arguments = without_empty({"sessionId": full_session_id(session_id), "stepId": step})
    body = run_tool(ToolRequest("get_research_session", arguments))
    show(_session_view(body), body, output_format(as_json=as_json, as_markdown=as_markdown))


@app.command()
def export(
    session_id: SessionId,
    *,
    form: Annotated[
        Literal["markdown", "json", "html"],
        typer.Option("--format", "-f", help="Format of the report."),
    ] = "markdown",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write to this file instead of stdout."),
    ] = None,
    attach: Annotated[
        list[str] | None,
        typer.Option(
            help="Also write this file next to the output: bibtex, ris, csl-json or prisma-s "
            "(may be repeated)."
        ),
    ] = None,
    verify_links: Annotated[
        bool,
        typer.Option("--verify-links", help="Check all links and find archived copies."),
    ] = False,
) -> None:
    """Export a session as a report, optionally with references and a PRISMA-S search log."""
    if attach and output is None:
        raise typer.BadParameter("--attach needs --output: the files are written next to it")
    arguments: Json = {"sessionId": full_session_id(session_id), "format": form}
    if attach:
        arguments["attach"] = list(attach)
    body = run_tool(ToolRequest("research_export", arguments | {"verify_links": verify_links}))
    document = _document(body["document"])
    if output is None:
        typer.echo(document)
        return
    files = {output: document} | {
        output.with_name(file["name"]): file["text"] for file in list_field(body, "attachments")
    }
    for path, text in files.items():
        _write(path, text)
        typer.echo(f"Wrote {path}", err=True)


async def _list_sessions(library: "LibrarySession") -> list[Json]:
    sessions = library.app.services.sessions
    return [
        {
            "sessionId": state.id,
            "researchGoal": state.goal,
            "steps": len(state.steps),
            "sources": state.source_count,
            "startedAt": state.started_at,
            "isComplete": state.is_complete,
        }
        for state in await sessions.all_states(library.app.owner)
    ]


def full_session_id(prefix: str) -> str:
    """Return the id of the one session that starts with the prefix, else the prefix itself."""
    ids = run_in_library(lambda library: library.app.services.sessions.ids(library.app.owner))
    matching = [session_id for session_id in ids if session_id.startswith(prefix)]
    if len(matching) > 1:
        raise BadInputError(f"{len(matching)} sessions start with {prefix}. Give more of the id.")
    return matching[0] if matching else prefix


def _list_view(sessions: list[Json]) -> Iterator[Part]:
    if not sessions:
        yield Note("No sessions yet. Assistants start them with the sequential_search tool.")
        return
    rows = [
        (
            session["sessionId"],
            session["researchGoal"],
            session["steps"],
            session["sources"],
            session["startedAt"][:16].replace("T", " "),
            _state(session),
        )
        for session in sessions
    ]
    yield grid(("id", "goal", "steps", "sources", "started", "state"), rows)


def _state(session: Json) -> str:
    return "complete" if session.get("isComplete") else "in progress"


def _session_view(body: Json) -> Iterator[Part]:
    if body.get("step"):
        yield from _step_view(body["step"])
        return
    yield Text(f"## {body.get('researchGoal') or 'Untitled'}")
    yield Note(f"{body['sessionId']} · {_state(body)} · started {body['startedAt']}")
    if body.get("summary"):
        yield Text(body["summary"])
    if steps := list_field(body, "stepIndex"):
        yield grid(list(_STEPS), [[step.get(name) for name in _STEPS.values()] for step in steps])
    for gap in list_field(body, "gaps"):
        yield Note(f"Open question: {gap['description']}", warning=True)
    if sources := list_field(body, "sources"):
        yield Items(tuple(_source(source) for source in sources))


def _step_view(step: Json) -> Iterator[Part]:
    yield Text(f"## Step {step['stepNumber']}: {step['description']}")
    yield from (Text(step[name]) for name in ("reasoning", "knowledgeGap") if step.get(name))


def _source(source: Json) -> Item:
    step = source.get("foundInStep")
    about = facts(f"step {step}" if step else None)
    return Item(source.get("title") or source["url"], source["url"], about)


def _document(document: Any) -> str:
    if isinstance(document, str):
        return document
    return json.dumps(document, ensure_ascii=False, indent=2)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise BadInputError(f"Cannot write {path}: {exc.strerror}.") from exc
