"""A group of commands that is itself a command: `crawl URL` beside `crawl export`."""

from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from webquarry.cli.options import listing, typer_app

DEFAULT = "start"


class DefaultCommand(TyperCommand):
    """A command whose usage line names only its group."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write the usage line."""
        formatter.write_usage(ctx.parent.command_path, " ".join(self.collect_usage_pieces(ctx)))


class DefaultCommandGroup(TyperGroup):
    """Runs its default command unless the first word is the name of another one."""

    @property
    def default_command(self) -> Any:
        """The command that runs without being named."""
        return self.commands[DEFAULT]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Name the default command where none is named."""
        return super().parse_args(
            ctx, args if args and args[0] in self.commands else [DEFAULT, *args]
        )

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the command without a name of its own if it is the default."""
        name, command, rest = super().resolve_command(ctx, args)
        return ("" if name == DEFAULT else name), command, rest


def default_group(
    function: Callable[..., None],
    commands: dict[str, Callable[..., None]],
    examples: tuple[str, ...] = (),
) -> typer.Typer:
    """Return an app with a default command, whose help lists the other commands."""
    app = typer_app()
    app.info.cls = DefaultCommandGroup
    listed = [f"{name:<8} {_first_line(command)}" for name, command in commands.items()]
    epilog = f"{listing('Commands', listed)}\n\n{listing('Examples', examples)}"
    app.command(DEFAULT, cls=DefaultCommand, epilog=epilog)(function)
    for name, command in commands.items():
        app.command(name)(command)
    return app


def _first_line(command: Callable[..., None]) -> str:
    return (command.__doc__ or "").strip().split("\n")[0]
