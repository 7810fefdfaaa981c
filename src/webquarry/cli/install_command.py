"""`webquarry install CLIENT`: adds the server to the configuration of an MCP client."""

import difflib
import json
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import typer

from webquarry.cli.config_file import ConfigFile, diff
from webquarry.cli.mcp_clients import CLIENTS, NAME, Client, Entry, read_launch
from webquarry.cli.options import single_command
from webquarry.errors import BadInputError

_MASK = "••••"
ClientName = Literal[
    "claude-desktop", "claude-code", "cline", "codex", "continue", "cursor", "gemini", "goose",
    "opencode", "vscode", "windsurf", "zed",
]  # fmt: skip


def load(_: str) -> typer.Typer:
    """Return the command."""
    return single_command(install)


# typer makes an option of every parameter
def install(  # noqa: PLR0913
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
    check: Annotated[
        bool,
        typer.Option("--check", help="Start the installed server once and count its tools."),
    ] = False,
) -> None:
    """Set up an MCP client: show the change, ask, make a backup, then write."""
    chosen, settings = CLIENTS[client], dict(map(_pair, env or ()))
    file = ConfigFile.read(path or chosen.path(Path.home()), chosen.syntax, chosen.section)
    if check:
        _check(file, chosen)
        return
    _check_settings(settings, toolsets)
    command = [*_program(), "serve", "--stdio"]
    command += ["--toolsets", toolsets] if toolsets else []
    entry = chosen.write_entry(command, settings)
    if file.problem:
        raise BadInputError(_by_hand(file, entry, settings))
    _write(file, file.with_entry(NAME, entry), chosen, settings, yes=yes, dry_run=dry_run)


def _write(
    file: ConfigFile,
    text: str,
    chosen: Client,
    settings: Mapping[str, str],
    *,
    yes: bool,
    dry_run: bool,
) -> None:
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


def _check(file: ConfigFile, client: Client) -> None:
    """Start the server with the command in the client's configuration."""
    from webquarry.cli.install_check import ask_server

    entry: Entry | None = None if file.problem else file.entry(NAME)
    if not entry:
        raise BadInputError(
            f"{client.title} is not set up ({file.path}). Run `webquarry install {client.name}`."
        )
    typer.echo(f"{client.title}: {ask_server(read_launch(entry))}")


def _check_settings(settings: Mapping[str, str], toolsets: str | None) -> None:
    """Refuse settings and toolsets with which the server would not start."""
    from webquarry.calls.registry import expand_toolsets
    from webquarry.settings.load import load as load_settings
    from webquarry.settings.tree import declarations
    from webquarry.wiring.declared_settings import declared_variables

    declared = declared_variables()
    known = declarations(declared)
    for name in settings:
        similar = difflib.get_close_matches(name.upper(), known, 1)
        if name not in known and similar:
            raise BadInputError(f"--env {name}: no such setting. Did you mean {similar[0]}?")
        if name not in known:
            typer.echo(f"Note: {name} is not a setting of Webquarry.", err=True)
    flags = {"TOOLSETS": toolsets} if toolsets else {}
    with tempfile.TemporaryDirectory() as empty:  # without .env and webquarry.toml
        loaded = load_settings(
            environ=settings, directory=Path(empty), flags=flags, declared=declared
        )
    expand_toolsets(loaded.server.toolsets)


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


def _by_hand(file: ConfigFile, entry: Entry, settings: Mapping[str, str]) -> str:
    addition = file.syntax.alone(file.section, NAME, entry)
    return (
        f"{file.path} {file.problem}, so it was not changed. Add this to it:\n"
        f"{_masked(addition, settings)}"
    )


def _masked(text: str, settings: Mapping[str, str]) -> str:
    """Return the text without the values of settings, which may be API keys."""
    for value in filter(None, settings.values()):
        text = text.replace(json.dumps(value, ensure_ascii=False), f'"{_MASK}"')
    return text
