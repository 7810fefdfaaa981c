"""`webquarry read`: reads pages and files, or a list of URLs into a folder."""

import base64
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from webquarry.cli import result_views
from webquarry.cli.options import output_format, single_command, verbosity
from webquarry.cli.output import Json, Note
from webquarry.cli.step_file import StepsOption, step_arguments
from webquarry.cli.terminal import (
    OutputFormat,
    print_notes,
    show,
    show_document,
    unstyled,
    without_notes,
)
from webquarry.cli.tool_calls import ToolRequest, run_in_library, run_tool
from webquarry.cli.tool_command import (
    ToolCommand,
    find_tool,
    is_scalar,
    set_signature,
    tool_arguments,
)
from webquarry.cli.url_list import ListReader, UrlList, list_view
from webquarry.errors import EXIT_INTERRUPTED, BadInputError
from webquarry.library.bare_urls import with_scheme
from webquarry.library.signature import Parameter, parameters
from webquarry.models.page_length import MAX_LENGTH
from webquarry.reading.file_urls import is_file_url, path_of

EXIT_INCOMPLETE = 1
_READ = ToolCommand(
    tool="scrape_page",
    view=result_views.page,
    help="Read a page, video, thread or repository, or files of your own (PDF, Office, e-mail,"
    " notebook, subtitles, zip …), as Markdown.\n\n"
    "A terminal shows the page in a pager. A file or pipe gets the whole page; notes about it go"
    " to stderr.\n\n"
    "With -f, read a list of URLs into a folder: a Markdown file for each, and manifest.jsonl."
    " URLs that have their file are not read again.",
    main_argument="url",
    joins_words=False,
    examples=(
        "webquarry read example.com > page.md",
        "webquarry read https://example.com/report.pdf -o report.md",
        "webquarry read report.pdf minutes.docx",
        "webquarry read example.com --mode preview",
        "webquarry read example.com --steps steps.json",
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
    Path | None,
    typer.Option(
        "--output", "-o", metavar="PATH", help="File to write to; with -f, folder to write to."
    ),
]
_Render = Annotated[bool, typer.Option("--render", help="With -f: render pages in a browser.")]
_Targets = Annotated[
    list[str] | None,
    typer.Argument(metavar="URL|FILE", help="A URL, or files of this machine.", show_default=False),
]
_LIST_OPTIONS = (
    ("targets", _Targets, None),
    ("file", _File, None),
    ("output", _Output, None),
    ("render", _Render, False),
    ("steps", StepsOption, None),
)
_WHOLE_PAGE = {"max_length": MAX_LENGTH}  # a person wants all of it; a model has a budget


def load(_: str) -> typer.Typer:
    """Return the command."""
    listed = [
        _for_people(each)
        for each in parameters(find_tool(_READ.tool))
        if is_scalar(each) and each.name not in (_READ.main_argument, "data")
    ]

    def read(**values: Any) -> None:
        verbose = verbosity(values.pop("ctx"), values.pop("verbose"))
        form = output_format(as_json=values.pop("as_json"), as_markdown=values.pop("as_markdown"))
        targets, file, output, render, steps = (values.pop(name) for name, _, _ in _LIST_OPTIONS)
        arguments = tool_arguments(_READ, listed, values)
        if file is None:
            if render:
                raise typer.BadParameter("--render is for a list of URLs: -f FILE -o DIR")
            _PageRun(arguments | step_arguments(steps), form, output, verbose).read(targets or [])
            return
        if arguments or targets or steps or output is None:
            raise typer.BadParameter("a list of URLs needs -f FILE -o DIR, and no other argument")
        body = _read_list(UrlList.from_file(file, output, render=render), verbose)
        show(list_view(body), body, form)
        if body["stopped"]:
            raise typer.Exit(EXIT_INTERRUPTED)
        if body["failed"]:
            raise typer.Exit(EXIT_INCOMPLETE)

    set_signature(read, _READ, listed, _LIST_OPTIONS)
    return single_command(read, _READ.examples)


@dataclass(frozen=True)
class _PageRun:
    """Reads the pages and files of one command."""

    arguments: Json
    form: OutputFormat
    output: Path | None
    verbose: int

    def read(self, targets: list[str]) -> None:
        if not targets:
            raise typer.BadParameter("give a URL or a file, or a list of URLs with -f FILE -o DIR")
        several = len(targets) > 1
        _check_output(self.output, several=several)
        for target in targets:
            request = ToolRequest(_READ.tool, _WHOLE_PAGE | self.arguments | _named(target))
            body = run_tool(request, verbose=self.verbose)
            _show_page(body, self.form, _place(self.output, target, several=several))


def _named(target: str) -> Json:
    """Return the arguments for a file of this machine, or else for a URL."""
    path = Path(path_of(target)) if is_file_url(target) else Path(target).expanduser()
    if path.is_file():
        try:
            data = path.read_bytes()
        except OSError as error:
            raise BadInputError(f"Cannot read {path}: {error.strerror}.") from error
        if not data:  # an empty argument would count as none
            raise BadInputError(f"{target} is empty.")
        return {"url": path.name, "data": base64.b64encode(data).decode()}
    if is_file_url(target) or target.startswith((".", "/", "~")) or path.is_dir():
        kind = "is a folder" if path.is_dir() else "does not exist"
        raise BadInputError(f"{target} {kind}. Give a file or a URL.")
    return {"url": with_scheme(target)}


def _place(output: Path | None, target: str, *, several: bool) -> Path | None:
    """Return where a page is written; of several, each has a file in the folder."""
    if output is None or not several:
        return output
    name = re.sub(r"[^\w.-]+", "-", target.rstrip("/").rpartition("/")[2]) or "page"
    path, number = output / f"{name}.md", 2
    while path.exists():
        path, number = output / f"{name}-{number}.md", number + 1
    return path


def _for_people(parameter: Parameter) -> Parameter:
    if parameter.name in _WHOLE_PAGE:
        return replace(parameter, default=_WHOLE_PAGE[parameter.name])
    return parameter


def _check_output(output: Path | None, *, several: bool) -> None:
    """Raise before the page is read if it cannot be written."""
    if output is None:
        return
    if several:
        if not output.is_dir():
            raise typer.BadParameter(f"{output} is not a folder: several files need one")
    elif output.is_dir():
        raise typer.BadParameter(f"{output} is a folder: give a file, like {output / 'page.md'}")
    elif not output.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {output.parent}")


def _show_page(body: Json, form: OutputFormat, output: Path | None) -> None:
    """Print the page, or write it to a file; notes about it go to stderr unless they are paged."""
    if output is None:
        show_document(_READ.view(body), body, form)
        return
    parts = list(_READ.view(body))
    text = unstyled(without_notes(parts), body, form)
    output.write_text(text, encoding="utf-8", errors="replace")
    print_notes([*parts, Note(f"Wrote {len(text.encode(errors='replace')):,} bytes to {output}")])


def _read_list(wanted: UrlList, verbose: int) -> Json:
    from webquarry.services.exports.batch_folder import BatchFolder

    folder = BatchFolder(wanted.folder)
    folder.open()
    return run_in_library(
        lambda library: ListReader(library, wanted, folder).read(), verbose=verbose
    )
