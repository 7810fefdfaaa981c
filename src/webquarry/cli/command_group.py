"""The command group for Typer: each command is imported only when it is used."""

import difflib
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from webquarry.cli.command_index import MODULES, SUMMARIES, TOOL_COMMANDS, help_text
from webquarry.cli.help_layout import set_layout
from webquarry.version import __version__

_SETTINGS = {"help_option_names": ["-h", "--help"]}


class Commands(TyperGroup):
    """Lists all commands and imports only the one that runs."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(SUMMARIES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in SUMMARIES:
            return self._fail_unknown(ctx, cmd_name)
        app: typer.Typer = import_module(MODULES.get(cmd_name, TOOL_COMMANDS)).load(cmd_name)
        command = get_command(app)
        command.name = cmd_name
        command.context_settings = {**_SETTINGS, **command.context_settings}
        command.short_help = SUMMARIES[cmd_name]
        set_layout(command)
        return command

    def get_help(self, ctx: Any) -> str:
        return help_text().rstrip()

    def _fail_unknown(self, ctx: Any, name: str) -> None:
        if ctx.resilient_parsing:
            return
        similar = difflib.get_close_matches(name, SUMMARIES, n=1)
        hint = f" Did you mean `webquarry {similar[0]}`?" if similar else " See `webquarry --help`."
        ctx.fail(f"There is no command {name!r}.{hint}")


app = typer.Typer(
    name="webquarry",
    cls=Commands,
    context_settings=_SETTINGS,
    add_completion=False,  # complete.py is ten times as fast as Typer's
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def _main(
    ctx: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    verbose: Annotated[int, typer.Option("--verbose", "-v", count=True)] = 0,
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
