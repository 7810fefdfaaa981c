"""`webquarry install CLIENT`: adds the server to a client's configuration."""

import json
import shutil
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from webquarry.cli.config_file import ConfigFile, diff
from webquarry.cli.mcp_clients import CLIENTS, Client
from webquarry.cli.options import plain
from webquarry.errors import BadInputError

NAME = "webquarry"
_HIDDEN = "••••"
Named = Literal["claude-desktop", "claude-code", "cursor", "vscode", "windsurf"]


def load(_: str) -> typer.Typer:
    """Return the command."""
    made = plain()
    made.command()(install)
    return made


def install(
    client: Annotated[Named, typer.Argument(help="Whose configuration to write.")],
    *,
    toolsets: Annotated[
        str | None, typer.Option("--toolsets", help="Toolsets to offer there.")
    ] = None,
    env: Annotated[
        list[str] | None,
        typer.Option("--env", "-e", metavar="NAME=VALUE", help="A setting or key for it."),
    ] = None,
    path: Annotated[
        Path | None, typer.Option("--path", help="Another file than the usual one.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the change only.")] = False,
) -> None:
    """Set up a client: shows the change, asks, keeps a backup, then writes."""
    chosen, settings = CLIENTS[client], dict(map(_pair, env or ()))
    command = [*_program(), "serve", "--stdio"]
    command += ["--toolsets", toolsets] if toolsets else []
    file = ConfigFile.read(path or chosen.path(Path.home()))
    entry = chosen.entry(command, settings)
    if file.problem:
        raise BadInputError(_by_hand(file, chosen, entry, settings))
    text = file.with_entry(chosen.section, NAME, entry)
    if text == file.text:
        typer.echo(f"{chosen.title} has it already ({file.path}).")
        return
    typer.echo(_hidden(diff(file, text), settings), nl=False)
    if dry_run:
        return
    if not yes and not _agreed(file.path):
        typer.echo("Nothing was written.")
        raise typer.Exit(1)
    backup = file.write(text)
    typer.echo(f"Wrote {file.path}" + (f"; the old one is {backup.name}." if backup else "."))
    typer.echo(f"{chosen.title}: {chosen.then}")


def _agreed(path: Path) -> bool:
    if not sys.stdin.isatty():
        raise BadInputError("there is nobody to ask; add --yes to write, or --dry-run to look")
    return typer.confirm(f"Write this to {path}?", default=True)


def _program() -> list[str]:
    """Return the command that starts us from anywhere: clients have a PATH of their own."""
    beside = Path(sys.executable).with_name(NAME)
    found = str(beside) if beside.is_file() else shutil.which(NAME)
    return [str(Path(found).absolute())] if found else [sys.executable, "-m", NAME]


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise BadInputError(f"--env {name}: write NAME=VALUE")
    return name, value


def _by_hand(
    file: ConfigFile, client: Client, entry: dict[str, object], settings: dict[str, str]
) -> str:
    wanted = json.dumps({client.section: {NAME: entry}}, indent=2, ensure_ascii=False)
    return (
        f"{file.path} {file.problem}; it was left as it is. Add this to it yourself:\n"
        f"{_hidden(wanted, settings)}"
    )


def _hidden(text: str, settings: dict[str, str]) -> str:
    """Return the text without the values of settings: they may be keys."""
    for value in settings.values():
        written = json.dumps(value, ensure_ascii=False)
        text = text.replace(written, f'"{_HIDDEN}"') if value else text
    return text
