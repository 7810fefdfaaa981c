"""The commands as Typer sees them: each is imported when it is asked for."""

import difflib
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from webquarry.cli.command_index import ENTRIES, help_text
from webquarry.version import __version__

_SETTINGS = {"help_option_names": ["-h", "--help"]}


class Commands(TyperGroup):
    """Knows all names, and loads only the command that is wanted."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(ENTRIES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        entry = ENTRIES.get(cmd_name)
        if entry is None:
            return self._unknown(ctx, cmd_name)
        made: typer.Typer = import_module(f"webquarry.cli.{entry.module}").load(cmd_name)
        command = get_command(made)
        command.name = cmd_name
        command.context_settings = {**_SETTINGS, **command.context_settings}
        command.short_help = entry.what
        return command

    def get_help(self, ctx: Any) -> str:
        return help_text().rstrip()

    def _unknown(self, ctx: Any, name: str) -> None:
        if ctx.resilient_parsing:
            return
        close = difflib.get_close_matches(name, ENTRIES, n=1)
        meant = f" Did you mean `webquarry {close[0]}`?" if close else " See `webquarry --help`."
        ctx.fail(f"There is no command {name!r}.{meant}")


app = typer.Typer(
    name="webquarry",
    cls=Commands,
    context_settings=_SETTINGS,
    add_completion=False,  # ours is ten times as quick: see completing.py
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def _main(
    ctx: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    verbose: Annotated[int, typer.Option("--verbose", "-v", count=True, help="Tell more.")] = 0,
    install_completion: Annotated[bool, typer.Option("--install-completion")] = False,
    show_completion: Annotated[bool, typer.Option("--show-completion")] = False,
) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit
    if install_completion or show_completion:
        from webquarry.cli.completion_command import completion

        completion(install=install_completion)
        raise typer.Exit
    ctx.obj = {"verbose": verbose}
