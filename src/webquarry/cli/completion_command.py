"""`webquarry completion`: TAB completion of commands, options, tools and toolsets."""

import os
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

import typer

from webquarry.cli.complete import SHELLS
from webquarry.cli.options import single_command
from webquarry.errors import BadInputError

Shell = Literal["bash", "zsh", "fish"]


def load(_: str) -> typer.Typer:
    """Return the command."""
    return single_command(completion)


def completion(
    shell: Annotated[
        Shell | None, typer.Argument(metavar="SHELL", help="The shell [default: your login shell].")
    ] = None,
    *,
    install: Annotated[
        bool, typer.Option("--install", help="Install the script instead of printing it.")
    ] = False,
) -> None:
    """Print the completion script of a shell, or install it for every new shell."""
    chosen = shell or login_shell()
    typer.echo(install_for(chosen, Path.home()) if install else script_for(chosen), nl=install)


def script_for(shell: str) -> str:
    """Return the script, which passes the words and the index of the word to complete.

    Without candidates, the shell completes file names.
    """
    folder = files("webquarry.cli").joinpath("completion_scripts")
    return folder.joinpath(f"webquarry.{shell}").read_text("utf-8")


def login_shell() -> str:
    """Return the name of the user's login shell, if there is a script for it."""
    name = Path(os.getenv("SHELL") or "").name
    if name not in SHELLS:
        raise BadInputError(f"Name the shell: webquarry completion {'|'.join(SHELLS)}.")
    return name


def install_for(shell: str, home: Path) -> str:
    """Write the script and load it from the shell's startup file; return what was done."""
    if shell == "fish":  # loads every script in this directory
        script = home / ".config" / "fish" / "completions" / "webquarry.fish"
        _write(script, script_for(shell))
        return f"Wrote {script}. Open a new shell to use it."
    script = home / ".local" / "share" / "webquarry" / f"completion.{shell}"
    _write(script, script_for(shell))
    startup = home / f".{shell}rc"
    line = f'source "{script}"'.encode()
    # bytes: the user's file may have any encoding; we only append to it
    present = startup.read_bytes() if startup.exists() else b""
    if line in present.splitlines():
        return f"Wrote {script}, which {startup} already loads."
    gap = b"" if not present or present.endswith(b"\n") else b"\n"
    with startup.open("ab") as file:
        file.write(gap + line + b"\n")
    return f"Wrote {script} and a line in {startup} that loads it. Open a new shell to use it."


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
