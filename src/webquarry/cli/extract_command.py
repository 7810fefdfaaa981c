"""`webquarry extract`: extracts chosen fields of pages as data."""

import inspect
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from webquarry.cli.audit_command import read_text
from webquarry.cli.extract_table import TABLE_SUFFIXES, extract_from_crawl, write_table
from webquarry.cli.options import AsJson, AsMarkdown, output_format, single_command, verbosity
from webquarry.cli.output import Json, Note, Part, grid, object_field, one_line, plural
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import ToolRequest, run_in_library, run_tool
from webquarry.cli.tool_command import declare_options
from webquarry.errors import BadInputError
from webquarry.library.bare_urls import with_scheme

EXIT_UNREAD = 1
_MAX_QUOTE = 60  # characters of a quote in the table


_HELP = """Extract chosen fields of pages as data, each with the text it was read from.

With --crawl, from all pages of a crawl, without reading them again. -o writes a table: a row for
each page or record, and the words that each value was read from.

Exit code: 1 if no page could be read.
"""
_OPTIONS = (
    ("ctx", typer.Context, inspect.Parameter.empty),
    (
        "urls",
        Annotated[list[str] | None, typer.Argument(metavar="URL", help="Up to 20 pages.")],
        None,
    ),
    (
        "crawl",
        Annotated[
            str | None, typer.Option("--crawl", metavar="ID", help="All pages of this crawl.")
        ],
        None,
    ),
    (
        "prompt",
        Annotated[
            str | None,
            typer.Option("--prompt", help="What to extract, e.g. 'name, price and rating'."),
        ],
        None,
    ),
    (
        "schema",
        Annotated[
            Path | None, typer.Option("--schema", help="File with the JSON Schema of the data.")
        ],
        None,
    ),
    (
        "ungrounded",
        Annotated[
            bool,
            typer.Option(
                "--ungrounded",
                help="Keep values that a language model infers, marked as such (needs LLM_MODEL).",
            ),
        ],
        False,
    ),
    (
        "output",
        Annotated[
            Path | None,
            typer.Option("--output", "-o", help="Write a table: a .csv or .jsonl file."),
        ],
        None,
    ),
    ("as_json", AsJson, False),
    ("as_markdown", AsMarkdown, False),
)


def load(_: str) -> typer.Typer:
    """Return the command."""

    def extract(**values: Any) -> None:
        _extract(ExtractOptions(**values))

    declare_options(extract, _HELP, _OPTIONS)
    return single_command(extract)


@dataclass(frozen=True)
class ExtractOptions:
    """The options as typed."""

    ctx: typer.Context
    urls: list[str] | None
    crawl: str | None
    prompt: str | None
    schema: Path | None
    ungrounded: bool
    output: Path | None
    as_json: bool
    as_markdown: bool


def _extract(options: ExtractOptions) -> None:
    form = output_format(as_json=options.as_json, as_markdown=options.as_markdown)
    _check(options)
    arguments = _arguments(options)
    verbose = verbosity(options.ctx)
    if options.crawl:
        pages = run_in_library(
            lambda library: extract_from_crawl(library, arguments), verbose=verbose
        )
    else:
        pages = run_tool(ToolRequest("cinder_extract", arguments), verbose=verbose)["results"]
    body: Json = {"results": pages}
    if options.output:
        count = write_table(options.output, pages, arguments)
        show([Note(f"Wrote {options.output} ({plural(count, 'row')}).")], body, "text")
    else:
        show(_view(body), body, form)
    if not pages:
        show([Note("The crawl has no pages yet.", warning=True)], body, "text")
    elif all(page.get("error") for page in pages):
        raise typer.Exit(EXIT_UNREAD)


def _check(options: ExtractOptions) -> None:
    if options.prompt is None and options.schema is None:
        raise typer.BadParameter("choose what to extract with --prompt, --schema or both")
    if bool(options.urls) == bool(options.crawl):
        raise typer.BadParameter("choose pages: URLs, or --crawl ID")
    if options.output and options.output.suffix.lower() not in TABLE_SUFFIXES:
        raise typer.BadParameter(f"{options.output}: the table is a .csv or .jsonl file")


def _arguments(options: ExtractOptions) -> Json:
    """Return the arguments of the tool."""
    arguments: Json = {"prompt": options.prompt or "What the schema names."}
    if options.crawl:
        arguments["crawlId"] = options.crawl
    else:
        arguments["urls"] = [with_scheme(url) for url in options.urls or ()]
    if options.schema is not None:
        arguments["schema"] = _read_schema(options.schema)
    if options.ungrounded:
        arguments["ungrounded"] = True
    return arguments


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
