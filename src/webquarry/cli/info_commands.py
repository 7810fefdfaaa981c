"""`webquarry doctor`, `providers`, `tools`, `config` and `call`."""

from typing import Annotated, Any

import typer

from webquarry.cli.error_messages import EXIT_FAILED
from webquarry.cli.options import AsJson, AsMarkdown, output_format, single_command
from webquarry.cli.serve_command import Toolsets


def load(name: str) -> typer.Typer:
    """Return one of these commands."""
    return single_command(_COMMANDS[name])


def tools(
    *,
    toolsets: Toolsets = None,
    tokens: Annotated[
        bool, typer.Option("--tokens", help="Show the cost of each tool in context tokens.")
    ] = False,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """List the tools; with --tokens, the context tokens that each costs a model."""
    from webquarry.cli.tool_list_view import show_tools

    flags = {} if toolsets is None else {"TOOLSETS": toolsets}
    form = output_format(as_json=as_json, as_markdown=as_markdown)
    show_tools(flags, tokens=tokens, form=form)


def providers(*, as_json: AsJson = False, as_markdown: AsMarkdown = False) -> None:
    """List the providers, what they offer and which keys are missing."""
    from webquarry.cli import list_views

    list_views.providers(output_format(as_json=as_json, as_markdown=as_markdown))


def config(*, as_json: AsJson = False) -> None:
    """Show the settings in effect and where each comes from; secrets are masked."""
    from webquarry.cli import list_views

    typer.echo(list_views.settings(as_json=as_json), nl=False)


def call(
    name: Annotated[str, typer.Argument(metavar="TOOL", help="Name of the tool.")],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(metavar="ARGUMENT", help="A JSON object, or name=value pairs."),
    ] = None,
    *,
    toolsets: Toolsets = "all",
    as_json: AsJson = False,
) -> None:
    """Call any tool and print its result; --json prints the complete MCP result."""
    from webquarry.cli import call_command

    text, code = call_command.call_tool(name, arguments or [], toolsets or "all", as_json=as_json)
    typer.echo(text, err=bool(code) and not as_json)
    if code:
        raise typer.Exit(code)


def doctor(
    *,
    offline: Annotated[bool, typer.Option("--offline", help="Skip the network checks.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check settings, storage, keys, network, browser, disk and clock, and suggest fixes."""
    from webquarry.cli import doctor_command

    text, passed = doctor_command.run_checks(offline=offline, as_json=as_json)
    typer.echo(text, nl=False)
    if not passed:
        raise typer.Exit(EXIT_FAILED)


def help_(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="COMMAND", help="The command to explain.")
    ] = None,
) -> None:
    """Show the help of a command, or the list of commands."""
    parent: Any = ctx.find_root().command
    parent.main([*(words or []), "--help"], prog_name="webquarry")


_COMMANDS = {
    "tools": tools,
    "providers": providers,
    "config": config,
    "call": call,
    "doctor": doctor,
    "help": help_,
}
