"""`webquarry extract`: extracts chosen fields of pages as data."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from webquarry.cli.audit_command import read_text
from webquarry.cli.options import AsJson, AsMarkdown, output_format, single_command, verbosity
from webquarry.cli.output import Json, Note, Part, grid, object_field, one_line
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import ToolRequest, run_tool
from webquarry.cli.tool_command import with_scheme
from webquarry.errors import BadInputError

EXIT_UNREAD = 1
_MAX_QUOTE = 60  # characters of a quote in the table


def load(_: str) -> typer.Typer:
    """Return the command."""
    return single_command(extract)


def extract(
    ctx: typer.Context,
    urls: Annotated[list[str], typer.Argument(metavar="URL", help="Up to 20 pages.")],
    *,
    prompt: Annotated[
        str | None, typer.Option("--prompt", help="What to extract, e.g. 'name, price and rating'.")
    ] = None,
    schema: Annotated[
        Path | None, typer.Option("--schema", help="File with the JSON Schema of the data.")
    ] = None,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """Extract chosen fields of pages as data, each with the text it was read from.

    Exit code: 1 if no page could be read.
    """
    form = output_format(as_json=as_json, as_markdown=as_markdown)
    if prompt is None and schema is None:
        raise typer.BadParameter("choose what to extract with --prompt, --schema or both")
    arguments: Json = {
        "urls": [with_scheme(url) for url in urls],
        "prompt": prompt or "What the schema names.",
    }
    if schema is not None:
        arguments["schema"] = _read_schema(schema)
    body = run_tool(ToolRequest("cinder_extract", arguments), verbose=verbosity(ctx))
    show(_view(body), body, form)
    if all(page.get("error") for page in body["results"]):
        raise typer.Exit(EXIT_UNREAD)


def _read_schema(path: Path) -> Any:
    try:
        return json.loads(read_text(str(path)))
    except ValueError as exc:
        raise BadInputError(f"{path} is not valid JSON: {exc}.") from exc


def _view(body: Json) -> Iterator[Part]:
    for page in body["results"]:
        yield Note(page["url"])
        if error := page.get("error"):
            yield Note(f"could not be read: {error['reason']}", warning=True)
        rows = list(_rows(page))
        if rows:
            yield grid(("field", "value", "read from", "method"), rows)
        if page.get("note"):
            yield Note(page["note"])


def _rows(page: Json) -> Iterator[tuple[str, str, str, str]]:
    sources = object_field(page, "sources")
    for pointer, value in _leaves("", page.get("data")):
        source: Json = sources.get(pointer) or {}
        quote = one_line(source.get("quote", ""), _MAX_QUOTE)
        yield pointer.removeprefix("/"), str(value), quote, str(source.get("method", ""))
    for pointer, reason in object_field(page, "missing").items():
        yield pointer.removeprefix("/"), "—", str(reason), ""


def _leaves(pointer: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield every value with its JSON pointer."""
    if isinstance(value, dict):
        for name, child in cast("dict[str, Any]", value).items():
            yield from _leaves(f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}", child)
    elif isinstance(value, list):
        for index, child in enumerate(cast("list[Any]", value)):
            yield from _leaves(f"{pointer}/{index}", child)
    elif value is not None:
        yield pointer, value
