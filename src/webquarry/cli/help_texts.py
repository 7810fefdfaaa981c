"""The help of every command, from one table: printing it imports none of the commands."""

import json
import os
from collections.abc import Sequence

TABLE = os.path.join(os.path.dirname(__file__), "help_texts.json")
COLUMNS = 80  # width of the texts; a wider terminal shows the same
_FLAGS = ("-h", "--help")


def requested_help(arguments: Sequence[str]) -> str | None:
    """Return the help that the arguments ask for; None if they ask for something else."""
    asked = [word for word in arguments if word not in _FLAGS]
    if asked == list(arguments) and asked[:1] == ["help"]:
        asked = asked[1:]
    elif asked != arguments[:-1]:  # the flag is not the last word, or there is none
        return None
    if _is_narrow():
        return None
    with open(TABLE, encoding="utf-8") as file:
        table: dict[str, str] = json.load(file)
    return table.get(" ".join(asked))


def _is_narrow() -> bool:
    """Whether the lines would be too long for the terminal."""
    try:
        return int(os.environ.get("COLUMNS") or os.get_terminal_size(1).columns) < COLUMNS
    except (OSError, ValueError):  # not a terminal
        return False
