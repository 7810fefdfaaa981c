"""What may follow on the command line. A shell waits for it at every TAB, so it reads one table."""

import json
import os
import sys
from collections.abc import Sequence
from typing import Any

TABLE = os.path.join(os.path.dirname(__file__), "completions.json")
SHELLS = ("bash", "zsh", "fish")
# In the table, a list of values is written out or is the name of one of these.
TOOLS, TOOLSETS, LENSES, ARGUMENTS = "@tools", "@toolsets", "@lenses", "@arguments"
Node = dict[str, Any]
Found = dict[str, str]  # what it is, by what to type


def answer(shell: str, arguments: Sequence[str]) -> int:
    """Print what may stand at a place, one per line; `arguments` are that place and the words."""
    if shell not in SHELLS or not arguments:
        sys.stderr.write("webquarry: not a script of ours; see `webquarry completion --help`\n")
        return 2
    with open(TABLE, encoding="utf-8") as file:
        table: Node = json.load(file)
    place = int(arguments[0])
    words = [*arguments[1:], ""][1 : place + 1]
    found = proposals(table, words)
    sys.stdout.write("".join(f"{_line(shell, *each)}\n" for each in found.items()))
    return 0


def proposals(table: Node, words: Sequence[str]) -> Found:
    """Return what the last of the words may become; the others stand before it."""
    *before, current = words
    if current == "=":  # bash splits words there
        before, current = [*before, "="], ""
    node, given, option = _walk(table, before)
    if option is not None:
        return _values(table, option["values"], current, given)
    if current.startswith("-"):
        name, equals, part = current.partition("=")
        if equals:
            values = node["options"].get(name, {}).get("values", [])
            found = _values(table, values, part, given)
            return {f"{name}={value}": what for value, what in found.items()}
        options = {name: entry["what"] for name, entry in node["options"].items()}
        return _beginning(options, current)
    if node["commands"]:
        commands = {name: entry["what"] for name, entry in node["commands"].items()}
        return {} if given else _beginning(commands, current)
    places = node["arguments"]
    return (
        _values(table, places[min(len(given), len(places) - 1)], current, given) if places else {}
    )


def _walk(table: Node, words: Sequence[str]) -> tuple[Node, list[str], Node | None]:
    """Return the command, what it was given, and the option whose value comes next."""
    node, given = table["command"], list[str]()
    option: Node | None = None
    for word in words:
        if option is not None:
            option = option if word == "=" else None
        elif word.startswith("-") and word != "-":
            entry = node["options"].get(word)
            option = entry if entry and "values" in entry else None
        elif word in node["commands"] and not given:
            node = node["commands"][word]
        else:
            given.append(word)
    return node, given, option


def _values(table: Node, values: Any, current: str, given: Sequence[str]) -> Found:
    if values == ARGUMENTS:
        if "=" in current or "=" in given[-1:]:
            return {}  # the value itself
        arguments: Found = table["tools"].get(given[0], {}).get("arguments", {})
        named = {f"{name}=": what for name, what in arguments.items()}
        return _beginning(named, current)
    if values == TOOLSETS:  # several, between commas
        listed, comma, last = current.rpartition(",")
        found = _beginning(table["toolsets"], last)
        return {f"{listed}{comma}{name}": what for name, what in found.items()}
    if values == TOOLS:
        return _beginning({n: tool["what"] for n, tool in table["tools"].items()}, current)
    if values == LENSES:
        return _beginning(table["lenses"], current)
    return _beginning(dict.fromkeys(values, ""), current)


def _beginning(found: Found, start: str) -> Found:
    return {name: what for name, what in found.items() if name.startswith(start)}


def _line(shell: str, value: str, what: str) -> str:
    if shell == "fish" and what:
        return f"{value}\t{what}"
    if shell == "zsh":
        value = value.replace(":", "\\:")
        return f"{value}:{what}" if what else value
    return value
