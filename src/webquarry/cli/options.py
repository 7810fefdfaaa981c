"""Options that every command understands."""

from typing import Annotated

import typer

from webquarry.cli.terminal import Form

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
AsMarkdown = Annotated[bool, typer.Option("--markdown", "--md", help="Print Markdown.")]
Verbose = Annotated[
    int, typer.Option("--verbose", "-v", count=True, help="Say who answered; twice: everything.")
]


def form_of(*, as_json: bool, as_markdown: bool) -> Form:
    """Return the one form that is wanted."""
    if as_json and as_markdown:
        raise typer.BadParameter("choose one of --json and --markdown")
    return "json" if as_json else "markdown" if as_markdown else "eyes"


def verbosity(ctx: typer.Context, here: int) -> int:
    """Return how much to tell, said before or after the command."""
    said: dict[str, int] = ctx.obj or {}
    return max(here, said.get("verbose", 0))


def plain(help: str | None = None) -> typer.Typer:  # noqa: A002
    """Return a Typer whose help needs no rich: it is three times as quick."""
    return typer.Typer(
        help=help,
        rich_markup_mode=None,
        add_completion=False,
        no_args_is_help=help is not None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
