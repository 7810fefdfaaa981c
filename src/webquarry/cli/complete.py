"""TAB completion: the possible values of the last word. It reads one table, so that it is fast."""

import json
import os
import sys
from collections.abc import Sequence
from typing import Any

TABLE = os.path.join(os.path.dirname(__file__), "completions.json")
SHELLS = ("bash", "zsh", "fish")
# In the table, values are a list or the name of one of these lists.
TOOLS, TOOLSETS, LENSES, ARGUMENTS = "@tools", "@toolsets", "@lenses", "@arguments"
Node = dict[str, Any]
Candidates = dict[str, str]  # description by value


def print_completions(shell: str, arguments: Sequence[str]) -> int:
    """Print the candidates, one per line; `arguments` are the index of the word and the words."""
    if shell not in SHELLS or not arguments:
        sys.stderr.write("webquarry: unknown script; see `webquarry completion --help`\n")
        return 2
    with open(TABLE, encoding="utf-8") as file:
        table: Node = json.load(file)
    index = int(arguments[0])
    words = [*arguments[1:], ""][1 : index + 1]
    found = candidates(table, words)
    sys.stdout.write("".join(f"{_line(shell, *candidate)}\n" for candidate in found.items()))
    return 0


def candidates(table: Node, words: Sequence[str]) -> Candidates:
    """Return the possible values of the last word, given the words before it."""
    *before, current = words
    if current == "=":  # bash splits words there
        before, current = [*before, "="], ""
    node, positional, option = _walk(table, before)
    if option is not None:
        return _values(table, option["values"], current, positional)
    if current.startswith("-"):
        return _options(table, node, current, positional)
    if node["commands"]:
        return {} if positional else _starting_with(current, _descriptions(node["commands"]))
    if not node["arguments"]:
        return {}
    index = min(len(positional), len(node["arguments"]) - 1)
    return _values(table, node["arguments"][index], current, positional)


def _walk(table: Node, words: Sequence[str]) -> tuple[Node, list[str], Node | None]:
    """Return the command, its positional arguments, and the option that the next word is for."""
    node, positional = table["command"], list[str]()
    option: Node | None = None
    for word in words:
        if option is not None:
            option = option if word == "=" else None
        elif word.startswith("-") and word != "-":
            entry = node["options"].get(word)
            option = entry if entry and "values" in entry else None
        elif word in node["commands"] and not positional:
            node = node["commands"][word]
        else:
            positional.append(word)
    return node, positional, option


def _options(table: Node, node: Node, current: str, positional: Sequence[str]) -> Candidates:
    name, equals, start = current.partition("=")
    if not equals:
        return _starting_with(current, _descriptions(node["options"]))
    values = node["options"].get(name, {}).get("values", [])
    found = _values(table, values, start, positional)
    return {f"{name}={value}": text for value, text in found.items()}


def _values(table: Node, values: Any, current: str, positional: Sequence[str]) -> Candidates:
    if values == ARGUMENTS:
        return _argument_names(table, current, positional)
    if values == TOOLSETS:  # a comma-separated list: complete the last name
        listed, comma, last = current.rpartition(",")
        found = _starting_with(last, table["toolsets"])
        return {f"{listed}{comma}{name}": text for name, text in found.items()}
    if values == TOOLS:
        return _starting_with(current, _descriptions(table["tools"]))
    if values == LENSES:
        return _starting_with(current, table["lenses"])
    return _starting_with(current, dict.fromkeys(values, ""))


def _argument_names(table: Node, current: str, positional: Sequence[str]) -> Candidates:
    """Return `name=` for each argument of the tool that is the first positional argument."""
    if "=" in current or "=" in positional[-1:]:
        return {}  # the value of an argument has no candidates
    arguments: Candidates = table["tools"].get(positional[0], {}).get("arguments", {})
    return _starting_with(current, {f"{name}=": text for name, text in arguments.items()})


def _descriptions(nodes: Node) -> Candidates:
    return {name: node["what"] for name, node in nodes.items()}


def _starting_with(start: str, found: Candidates) -> Candidates:
    return {name: text for name, text in found.items() if name.startswith(start)}


def _line(shell: str, value: str, description: str) -> str:
    if shell == "fish" and description:
        return f"{value}\t{description}"
    if shell == "zsh":
        value = value.replace(":", "\\:")
        return f"{value}:{description}" if description else value
    return value
