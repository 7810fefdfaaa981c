"""`webquarry doctor`, `providers`, `tools`, `config`, `call`: what there is, and if it works."""

from typing import Annotated

import typer

from webquarry.cli.error_messages import EXIT_FAILED
from webquarry.cli.options import AsJson, AsMarkdown, form_of, plain
from webquarry.cli.serve_command import Toolsets


def load(name: str) -> typer.Typer:
    """Return one of these commands."""
    made = plain()
    made.command()(_COMMANDS[name])
    return made


def tools(
    *,
    toolsets: Toolsets = None,
    tokens: Annotated[bool, typer.Option("--tokens", help="What each tool costs.")] = False,
    as_json: AsJson = False,
    as_markdown: AsMarkdown = False,
) -> None:
    """List the tools; with --tokens, what each adds to a model's context."""
    from webquarry.cli import list_views

    flags = {} if toolsets is None else {"TOOLSETS": toolsets}
    list_views.tools(flags, tokens=tokens, form=form_of(as_json=as_json, as_markdown=as_markdown))


def providers(*, as_json: AsJson = False, as_markdown: AsMarkdown = False) -> None:
    """Show who can be asked for what, and which keys are missing."""
    from webquarry.cli import list_views

    list_views.providers(form_of(as_json=as_json, as_markdown=as_markdown))


def config(*, as_json: AsJson = False) -> None:
    """Show the settings in effect and where each comes from; secrets are masked."""
    from webquarry.cli import list_views

    typer.echo(list_views.settings(as_json=as_json), nl=False)


def call(
    name: Annotated[str, typer.Argument(help="Name of the tool.")],
    arguments: Annotated[
        list[str] | None, typer.Argument(help="JSON object, or name=value pairs.")
    ] = None,
    *,
    toolsets: Toolsets = "all",
    as_json: AsJson = False,
) -> None:
    """Call any tool and print its result; --json prints all that a client gets."""
    from webquarry.cli import call_command

    text, status = call_command.call_tool(name, arguments or [], toolsets or "all", as_json=as_json)
    typer.echo(text, err=bool(status) and not as_json)
    if status:
        raise typer.Exit(status)


def doctor(
    *,
    offline: Annotated[bool, typer.Option("--offline", help="Ask nobody outside.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check settings, storage, keys, network, browser, disk and clock, and say what to do."""
    from webquarry.cli import doctor_command as doctors

    text, well = doctors.examine(offline=offline, as_json=as_json)
    typer.echo(text, nl=False)
    if not well:
        raise typer.Exit(EXIT_FAILED)


_COMMANDS = {
    "tools": tools,
    "providers": providers,
    "config": config,
    "call": call,
    "doctor": doctor,
}
