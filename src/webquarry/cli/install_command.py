"""`webquarry install CLIENT`: adds the server to the configuration of an MCP client."""

import json
import shutil
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from webquarry.cli.config_file import ConfigFile, diff
from webquarry.cli.mcp_clients import CLIENTS, Client
from webquarry.cli.options import single_command
from webquarry.errors import BadInputError

NAME = "webquarry"
_MASK = "••••"
ClientName = Literal["claude-desktop", "claude-code", "cursor", "vscode", "windsurf"]


def load(_: str) -> typer.Typer:
    """Return the command."""
    return single_command(install)


def install(
    client: Annotated[ClientName, typer.Argument(metavar="CLIENT", help="The client to set up.")],
    *,
    toolsets: Annotated[
        str | None, typer.Option("--toolsets", help="Toolsets to offer to this client.")
    ] = None,
    env: Annotated[
        list[str] | None,
        typer.Option(
            "--env", "-e", metavar="NAME=VALUE", help="A setting or API key (may be repeated)."
        ),
    ] = None,
    path: Annotated[
        Path | None,
        typer.Option("--path", help="Configuration file [default: the usual one]."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the change without writing it.")
    ] = False,
) -> None:
    """Set up an MCP client: show the change, ask, make a backup, then write."""
    chosen, settings = CLIENTS[client], dict(map(_pair, env or ()))
    command = [*_program(), "serve", "--stdio"]
    command += ["--toolsets", toolsets] if toolsets else []
    file = ConfigFile.read(path or chosen.path(Path.home()))
    entry = chosen.entry(command, settings)
    if file.problem:
        raise BadInputError(_by_hand(file, chosen, entry, settings))
    text = file.with_entry(chosen.section, NAME, entry)
    if text == file.text:
        typer.echo(f"{chosen.title} is already set up ({file.path}).")
        return
    typer.echo(_masked(diff(file, text), settings), nl=False)
    if dry_run:
        return
    if not yes and not _confirmed(file.path):
        typer.echo("Nothing was written.")
        raise typer.Exit(1)
    backup = file.write(text)
    typer.echo(f"Wrote {file.path}" + (f" (backup: {backup.name})." if backup else "."))
    typer.echo(chosen.next_step or f"Restart {chosen.title} to load Webquarry.")


def _confirmed(path: Path) -> bool:
    if not sys.stdin.isatty():
        raise BadInputError(
            "Not a terminal, so nothing was written. Use --yes to write or --dry-run to preview."
        )
    return typer.confirm(f"Write this to {path}?", default=True)


def _program() -> list[str]:
    """Return the command that starts Webquarry with absolute paths: clients have another PATH."""
    sibling = Path(sys.executable).with_name(NAME)
    program = str(sibling) if sibling.is_file() else shutil.which(NAME)
    return [str(Path(program).absolute())] if program else [sys.executable, "-m", NAME]


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise BadInputError(f"--env {name}: write NAME=VALUE.")
    return name, value


def _by_hand(
    file: ConfigFile, client: Client, entry: dict[str, object], settings: dict[str, str]
) -> str:
    addition = json.dumps({client.section: {NAME: entry}}, indent=2, ensure_ascii=False)
    return (
        f"{file.path} {file.problem}, so it was not changed. Add this to it:\n"
        f"{_masked(addition, settings)}"
    )


def _masked(text: str, settings: dict[str, str]) -> str:
    """Return the text without the values of settings, which may be API keys."""
    for value in filter(None, settings.values()):
        text = text.replace(json.dumps(value, ensure_ascii=False), f'"{_MASK}"')
    return text
