"""`webquarry read`: reads one page, or a list of URLs into a folder."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from webquarry.cli import result_views
from webquarry.cli.options import output_format, single_command, verbosity
from webquarry.cli.output import Json
from webquarry.cli.terminal import show
from webquarry.cli.tool_calls import ToolRequest, run_in_library, run_tool
from webquarry.cli.tool_command import (
    ToolCommand,
    find_tool,
    is_scalar,
    set_signature,
    tool_arguments,
)
from webquarry.cli.url_list import ListReader, UrlList, list_view
from webquarry.library.signature import parameters

EXIT_INCOMPLETE = 1
_READ = ToolCommand(
    tool="scrape_page",
    view=result_views.page,
    help="Read a page, PDF, Office file, video, thread or repository as Markdown.\n\n"
    "With -f, read a list of URLs into a folder: a Markdown file for each, and manifest.jsonl."
    " URLs that have their file are not read again.",
    main_argument="url",
    joins_words=False,
    examples=(
        "webquarry read https://example.com/report.pdf --markdown > report.md",
        "webquarry read https://example.com --mode preview",
        "webquarry read -f urls.txt -o pages",
    ),
)
_File = Annotated[
    str | None,
    typer.Option(
        "--file",
        "-f",
        metavar="FILE",
        help="Read the URLs in this file, one in each line (- for stdin).",
    ),
]
_Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="DIR", help="With -f: folder to write to.")
]
_Render = Annotated[bool, typer.Option("--render", help="With -f: render pages in a browser.")]
_LIST_OPTIONS = (("file", _File, None), ("output", _Output, None), ("render", _Render, False))


def load(_: str) -> typer.Typer:
    """Return the command."""
    listed = [
        replace(each, required=False) if each.name == _READ.main_argument else each
        for each in parameters(find_tool(_READ.tool))
        if is_scalar(each)
    ]

    def read(**values: Any) -> None:
        verbose = verbosity(values.pop("ctx"), values.pop("verbose"))
        form = output_format(as_json=values.pop("as_json"), as_markdown=values.pop("as_markdown"))
        file, output, render = (values.pop(name) for name, _, _ in _LIST_OPTIONS)
        arguments = tool_arguments(_READ, listed, values)
        if file is None:
            if output or render:
                raise typer.BadParameter("-o and --render are for a list of URLs: -f FILE")
            if not arguments:
                raise typer.BadParameter("give a URL, or a list of URLs with -f FILE -o DIR")
            body = run_tool(ToolRequest(_READ.tool, arguments), verbose=verbose)
            show(_READ.view(body), body, form)
            return
        if arguments or output is None:
            raise typer.BadParameter("a list of URLs needs -f FILE -o DIR, and no other argument")
        body = _read_list(UrlList.from_file(file, output, render=render), verbose)
        show(list_view(body), body, form)
        if body["failed"] or body["stopped"]:
            raise typer.Exit(EXIT_INCOMPLETE)

    set_signature(read, _READ, listed, _LIST_OPTIONS)
    return single_command(read, _READ.examples)


def _read_list(wanted: UrlList, verbose: int) -> Json:
    from webquarry.services.exports.batch_folder import BatchFolder

    folder = BatchFolder(wanted.folder)
    folder.open()
    return run_in_library(
        lambda library: ListReader(library, wanted, folder).read(), verbose=verbose
    )
