"""`webquarry extract`: chosen fields of pages as data."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from webquarry.cli.audit_command import read_text
from webquarry.cli.options import AsJson, AsMarkdown, form_of, plain, verbosity
from webquarry.cli.output import Json, Note, Part, grid, inside
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import ToolRequest, ask
from webquarry.errors import BadInputError

EXIT_UNREAD = 1
_QUOTED = 60  # characters of a quote worth showing in a table


def load(_: str) -> typer.Typer:
    """Return the command."""
    made = plain()
    made.command()(extract)
    return made


def extract(
    ctx: typer.Context,
    urls: Annotated[list[str], typer.Argument(help="Up to 20 pages.", show_default=False)],
    *,
    prompt: Annotated[
        str | None, typer.Option("--prompt", help="What to extract: 'name, price and rating'.")
    ] = None,
    schema: Annotated[
        Path | None, typer.Option("--schema", help="File with the JSON Schema of the data.")
    ] = None,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Get chosen fields of pages as data, each with the words it was read from.

    Exit status: 1 if no page could be read.
    """
    form = form_of(as_json=as_json, as_markdown=as_markdown)
    if prompt is None and schema is None:
        raise typer.BadParameter("say what to extract with --prompt, --schema or both")
    arguments: Json = {"urls": urls, "prompt": prompt or "What the schema names."}
    if schema is not None:
        arguments["schema"] = _schema(schema)
    body = ask(ToolRequest("cinder_extract", arguments), verbose=verbosity(ctx, 0))
    show(_extracted(body), body, form)
    if all(page.get("error") for page in body["results"]):
        raise typer.Exit(EXIT_UNREAD)


def _schema(path: Path) -> Any:
    try:
        return json.loads(read_text(str(path)))
    except ValueError as exc:
        raise BadInputError(f"{path} is not JSON: {exc}") from exc


def _extracted(body: Json) -> Iterator[Part]:
    for page in body["results"]:
        yield Note(page["url"])
        if error := page.get("error"):
            yield Note(f"not read: {error['reason']}", warning=True)
        rows = list(_rows(page))
        if rows:
            yield grid(("field", "value", "read from", "by"), rows)
        if page.get("note"):
            yield Note(page["note"])


def _rows(page: Json) -> Iterator[tuple[str, str, str, str]]:
    sources = inside(page, "sources")
    for pointer, value in _leaves("", page.get("data")):
        source: Json = sources.get(pointer) or {}
        quote = str(source.get("quote", ""))
        yield (
            pointer.removeprefix("/"),
            str(value),
            quote if len(quote) <= _QUOTED else f"{quote[:_QUOTED]}…",
            str(source.get("method", "")),
        )
    for pointer, why in inside(page, "missing").items():
        yield pointer.removeprefix("/"), "—", str(why), ""


def _leaves(pointer: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield every value with its JSON pointer."""
    if isinstance(value, dict):
        for name, each in cast("dict[str, Any]", value).items():
            yield from _leaves(f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}", each)
    elif isinstance(value, list):
        for place, each in enumerate(cast("list[Any]", value)):
            yield from _leaves(f"{pointer}/{place}", each)
    elif value is not None:
        yield pointer, value
