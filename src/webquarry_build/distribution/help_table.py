"""Generates the table of help texts from the commands."""

from collections.abc import Iterator
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from webquarry.cli.command_group import app
from webquarry.cli.command_index import SUMMARIES, help_text
from webquarry.cli.help_texts import COLUMNS


def help_table() -> dict[str, str]:
    """Return the help of every command and subcommand, by the words that name it."""
    runner = CliRunner(env={"COLUMNS": str(COLUMNS)})
    paths = [path for name in SUMMARIES for path in _paths(name)]
    texts = {" ".join(path): runner.invoke(app, [*path, "--help"]).output for path in paths}
    return {"": help_text(), **texts}


def _paths(name: str) -> Iterator[tuple[str, ...]]:
    group: Any = get_command(app)
    command = group.get_command(None, name)
    yield (name,)
    default = getattr(command, "default_command", None)
    for each, subcommand in getattr(command, "commands", {}).items():
        if subcommand is not default:
            yield name, each
