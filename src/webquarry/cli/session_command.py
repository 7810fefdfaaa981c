"""`webquarry session list|show|export`: what was researched."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from webquarry.cli.options import AsJson, AsMarkdown, form_of, plain
from webquarry.cli.output import Item, Items, Json, Note, Part, Text, facts, grid
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import ToolRequest, arguments_of, ask, run
from webquarry.errors import BadInputError

if TYPE_CHECKING:
    from webquarry.library import LibrarySession

app = plain("List, show or export research sessions.")

Ident = Annotated[str, typer.Argument(metavar="ID", help="Id of the session, or its beginning.")]


def load(_: str) -> typer.Typer:
    """Return the commands about sessions."""
    return app


@app.command("list")
def list_sessions(*, as_json: AsJson = False, as_markdown: AsMarkdown = False) -> None:
    """Show the sessions there are, the most recently used first."""
    listed = run(_listed)
    show(_overview(listed), {"sessions": listed}, form_of(as_json=as_json, as_markdown=as_markdown))


@app.command("show")
def show_session(
    ident: Ident,
    *,
    step: Annotated[int | None, typer.Option(help="Only this step, in full.")] = None,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Show goal, steps, gaps and sources of a session."""
    arguments = arguments_of({"sessionId": run(lambda q: _whole_id(q, ident)), "stepId": step})
    body = ask(ToolRequest("get_research_session", arguments))
    show(_shown(body), body, form_of(as_json=as_json, as_markdown=as_markdown))


@app.command()
def export(
    ident: Ident,
    *,
    form: Annotated[
        Literal["markdown", "json", "html"], typer.Option("--format", "-f", help="What to write.")
    ] = "markdown",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file, not to stdout.")
    ] = None,
    attach: Annotated[
        list[str] | None,
        typer.Option(
            help="Write beside the output: bibtex, ris, csl-json, prisma-s (may be repeated)."
        ),
    ] = None,
    verify_links: Annotated[
        bool, typer.Option("--verify-links", help="Check every source, find archived copies.")
    ] = False,
) -> None:
    """Write a session as a report, with references and a PRISMA-S search log if wanted."""
    if attach and output is None:
        raise typer.BadParameter("--attach needs --output: the files are written beside it")
    arguments: Json = {"sessionId": run(lambda q: _whole_id(q, ident)), "format": form}
    if attach:
        arguments["attach"] = list(attach)
    body = ask(ToolRequest("research_export", arguments | {"verify_links": verify_links}))
    document = _document(body["document"])
    if output is None:
        typer.echo(document)
        return
    files = {output: document} | {
        output.with_name(each["name"]): each["text"] for each in body.get("attachments") or ()
    }
    for path, text in files.items():
        _write(path, text)
        typer.echo(f"wrote {path}", err=True)


async def _listed(quarry: "LibrarySession") -> list[Json]:
    sessions = quarry.app.offer.services.sessions
    return [
        {
            "sessionId": notebook.id,
            "researchGoal": notebook.goal,
            "steps": len(notebook.steps),
            "sources": notebook.source_count,
            "startedAt": notebook.started_at,
            "isComplete": notebook.complete,
        }
        for notebook in await sessions.notebooks(quarry.app.owner)
    ]


async def _whole_id(quarry: "LibrarySession", given: str) -> str:
    """Return the id that begins like this, if there is exactly one."""
    ids = await quarry.app.offer.services.sessions.ids(quarry.app.owner)
    fitting = [each for each in ids if each.startswith(given)]
    if len(fitting) > 1:
        raise BadInputError(f"{given}: {len(fitting)} sessions begin like this; say more of it")
    return fitting[0] if fitting else given


def _overview(listed: list[Json]) -> Iterator[Part]:
    if not listed:
        yield Note("There are no sessions; assistants begin them with the sequential_search tool.")
        return
    yield grid(
        ("id", "goal", "steps", "sources", "started", "state"),
        [
            (s["sessionId"], s["researchGoal"], s["steps"], s["sources"],
             s["startedAt"][:16].replace("T", " "), "complete" if s["isComplete"] else "open")
            for s in listed
        ],
    )  # fmt: skip


def _shown(body: Json) -> Iterator[Part]:
    if body.get("step"):
        step = body["step"]
        yield Text(f"## Step {step['stepNumber']}: {step['description']}")
        yield from (Text(step[name]) for name in ("reasoning", "knowledgeGap") if step.get(name))
        return
    yield Text(f"## {body.get('researchGoal') or 'Research'}")
    state = "complete" if body.get("isComplete") else "open"
    yield Note(f"{body['sessionId']} · {state} · since {body['startedAt']}")
    if body.get("summary"):
        yield Text(body["summary"])
    if body.get("stepIndex"):
        rows = [
            (s["stepNumber"], s["oneLiner"], s.get("confidence"), s.get("branchId"))
            for s in body["stepIndex"]
        ]
        yield grid(("step", "what", "confidence", "branch"), rows)
    for gap in body.get("gaps") or ():
        yield Note(f"Open: {gap['description']}", warning=True)
    if body.get("sources"):
        yield Items(tuple(_source(source) for source in body["sources"]))


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
        raise BadInputError(f"{path} cannot be written: {exc.strerror}") from exc
