"""`webquarry completion`: lets the TAB key complete commands, options, tools and toolsets."""

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from webquarry.cli.complete import SHELLS
from webquarry.cli.options import plain
from webquarry.errors import BadInputError

Shell = Literal["bash", "zsh", "fish"]

# Each hands the words to us, with the place of the one to complete. Where we know nothing, the
# shell offers files.
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
    local -a found
    found=("${(@f)$(_WEBQUARRY_COMPLETE=zsh ${~words[1]} $((CURRENT - 1)) \\
        "${(@)words[1,CURRENT]}" 2>/dev/null)}")
    if [[ -z ${found[1]} ]]; then
        _files
    elif [[ ${found[1]%%:*} == *= ]]; then
        _describe -V webquarry found -S ''
    else
        _describe -V webquarry found
    fi
}
compdef _webquarry webquarry
""",
    "fish": """\
function __webquarry_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l program (string replace -r '^~' -- $HOME $words[1])
    set -l place (math (count $words) - 1)
    _WEBQUARRY_COMPLETE=fish $program $place $words 2>/dev/null | string match -r '.+'
    or __fish_complete_path (commandline -ct)
end
complete -c webquarry -f -k -a '(__webquarry_complete)'
""",
}


def load(_: str) -> typer.Typer:
    """Return the command."""
    made = plain()
    made.command()(completion)
    return made


def completion(
    shell: Annotated[
        Shell | None, typer.Argument(help="Whose; without it, your login shell's.")
    ] = None,
    *,
    install: Annotated[
        bool, typer.Option("--install", help="Set it up, instead of printing it.")
    ] = False,
) -> None:
    """Print the completion script of a shell, or set it up for every new shell."""
    chosen = shell or login_shell()
    typer.echo(install_for(chosen, Path.home()) if install else SCRIPTS[chosen], nl=install)


def login_shell() -> str:
    """Return the name of the person's own shell, if we know how to complete in it."""
    name = Path(os.getenv("SHELL") or "").name
    if name not in SHELLS:
        raise BadInputError(f"name the shell: webquarry completion {'|'.join(SHELLS)}")
    return name


def install_for(shell: str, home: Path) -> str:
    """Write the script where the shell finds it; return what was done."""
    if shell == "fish":  # looks into this directory by itself
        script = home / ".config" / "fish" / "completions" / "webquarry.fish"
        _write(script, SCRIPTS[shell])
        return f"Wrote {script}; new shells use it."
    script = home / ".local" / "share" / "webquarry" / f"completion.{shell}"
    _write(script, SCRIPTS[shell])
    startup = home / f".{shell}rc"
    line = f'source "{script}"'.encode()
    # their file: it may be in any encoding, and is only added to
    present = startup.read_bytes() if startup.exists() else b""
    if line in present.splitlines():
        return f"Wrote {script}; {startup} reads it already."
    gap = b"" if not present or present.endswith(b"\n") else b"\n"
    with startup.open("ab") as file:
        file.write(gap + line + b"\n")
    return f"Wrote {script}, and a line in {startup} that reads it; new shells use it."


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
