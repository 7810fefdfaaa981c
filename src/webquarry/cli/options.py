"""Options that several commands share."""

from collections.abc import Callable, Iterable
from typing import Annotated

import typer

from webquarry.cli.terminal import OutputFormat

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
AsMarkdown = Annotated[bool, typer.Option("--markdown", "--md", help="Print Markdown.")]
Verbose = Annotated[
    int,
    typer.Option(
        "--verbose",
        "-v",
        count=True,
        help="Show which provider answered (-vv: full log).",
        show_default=False,
    ),
]


def output_format(*, as_json: bool, as_markdown: bool) -> OutputFormat:
    """Return the format that the options choose."""
    if as_json and as_markdown:
        raise typer.BadParameter("use --json or --markdown, not both")
    return "json" if as_json else "markdown" if as_markdown else "text"


def verbosity(ctx: typer.Context, of_command: int = 0) -> int:
    """Return the number of -v, before or after the name of the command."""
    options: dict[str, int] = ctx.obj or {}
    return max(of_command, options.get("verbose", 0))


def typer_app(help: str | None = None) -> typer.Typer:  # noqa: A002
    """Return a Typer app whose help does not import rich, which would take three times as long."""
    return typer.Typer(
        help=help,
        rich_markup_mode=None,
        add_completion=False,
        no_args_is_help=help is not None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def single_command(function: Callable[..., None], examples: tuple[str, ...] = ()) -> typer.Typer:
    """Return a Typer app that is one command, whose help ends with the examples."""
    app = typer_app()
    app.command(epilog=listing("Examples", examples) if examples else None)(function)
    return app


def listing(title: str, lines: Iterable[str]) -> str:
    """Return a titled list for the end of a help text."""
    # a backspace tells Click not to join the lines
    return "\n".join((f"\b\n{title}:", *(f"  {line}" for line in lines)))
