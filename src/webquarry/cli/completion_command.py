"""`webquarry completion`: TAB completion of commands, options, tools and toolsets."""

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from webquarry.cli.complete import SHELLS
from webquarry.cli.options import single_command
from webquarry.errors import BadInputError

Shell = Literal["bash", "zsh", "fish"]

# Each passes the words and the index of the word to complete. Without candidates, the shell
# completes file names.
SCRIPTS = {
    "bash": """\
_webquarry() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <(_WEBQUARRY_COMPLETE=bash "${COMP_WORDS[0]/#\\~/$HOME}" "$COMP_CWORD" \\
        "${COMP_WORDS[@]}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace
    fi
}
complete -o bashdefault -o default -F _webquarry webquarry
""",
    "zsh": """\
#compdef webquarry
if (( ! $+functions[compdef] )); then
    autoload -Uz compinit && compinit
fi
_webquarry() {
    local -a candidates
    candidates=("${(@f)$(_WEBQUARRY_COMPLETE=zsh ${~words[1]} $((CURRENT - 1)) \\
        "${(@)words[1,CURRENT]}" 2>/dev/null)}")
    if [[ -z ${candidates[1]} ]]; then
        _files
    elif [[ ${candidates[1]%%:*} == *= ]]; then
        _describe -V webquarry candidates -S ''
    else
        _describe -V webquarry candidates
    fi
}
compdef _webquarry webquarry
""",
    "fish": """\
function __webquarry_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l program (string replace -r '^~' -- $HOME $words[1])
    set -l index (math (count $words) - 1)
    _WEBQUARRY_COMPLETE=fish $program $index $words 2>/dev/null | string match -r '.+'
    or __fish_complete_path (commandline -ct)
end
complete -c webquarry -f -k -a '(__webquarry_complete)'
""",
}


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
    typer.echo(install_for(chosen, Path.home()) if install else SCRIPTS[chosen], nl=install)


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
        _write(script, SCRIPTS[shell])
        return f"Wrote {script}. Open a new shell to use it."
    script = home / ".local" / "share" / "webquarry" / f"completion.{shell}"
    _write(script, SCRIPTS[shell])
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
