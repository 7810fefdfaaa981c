"""Generates the table for TAB completion from the commands."""

import json
from importlib.resources import files
from typing import Any, Literal, get_args, get_origin

from typer.main import get_command

from webquarry.calls import registry
from webquarry.cli.command_group import app
from webquarry.cli.command_index import OPTIONS, SUMMARIES
from webquarry.cli.complete import ARGUMENTS, LENSES, TOOLS, TOOLSETS, Node
from webquarry.library.signature import parameters
from webquarry.tools import load_tools

_HELP = {"what": "Show help."}
# values that do not follow from the type of an option or argument
_OPTION_VALUES = {"--toolsets": TOOLSETS, "--lens": LENSES}
_ARGUMENT_VALUES = {"call": [TOOLS, ARGUMENTS]}


def completion_table() -> Node:
    """Return commands, options, tools, toolsets and lenses, each with a short description."""
    group: Any = get_command(app)
    commands = {
        name: _node(group.get_command(None, name), text) for name, text in SUMMARIES.items()
    }
    for name, values in _ARGUMENT_VALUES.items():
        commands[name]["arguments"] = values
    return {
        "command": {
            "options": {
                flag: {"what": text} for flags, text in OPTIONS for flag in flags.split(", ")
            },
            "commands": commands,
            "arguments": [],
        },
        "tools": {tool.name: _tool(tool) for tool in load_tools()},
        "toolsets": {
            "default": "The default toolsets.",
            "all": "All toolsets.",
            **registry.TOOLSETS,
        },
        "lenses": _lenses(),
    }


def _node(command: Any, summary: str) -> Node:
    subcommands = getattr(command, "commands", {})
    if default := getattr(command, "default_command", None):
        subcommands = {name: each for name, each in subcommands.items() if each is not default}
        command = default
    options = [each for each in command.params if each.param_type_name == "option"]
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    return {
        "what": summary,
        "options": {
            **{flag: _option(each) for each in options for flag in each.opts},
            "--help": _HELP,
        },
        "commands": {
            name: _node(each, _first_sentence(each.help)) for name, each in subcommands.items()
        },
        "arguments": [_choices(each) for each in arguments],
    }


def _option(option: Any) -> Node:
    entry: Node = {"what": option.help or ""}
    if not option.is_flag and not option.count:
        values = [_OPTION_VALUES[flag] for flag in option.opts if flag in _OPTION_VALUES]
        entry["values"] = values[0] if values else _choices(option)
    return entry


def _choices(parameter: Any) -> list[str]:
    annotation = parameter.type_descriptor.annotation
    if get_origin(annotation) is list:
        [annotation] = get_args(annotation)
    return list(get_args(annotation)) if get_origin(annotation) is Literal else []


def _tool(tool: Any) -> Node:
    schema = tool.definition()["inputSchema"]["properties"]  # without hidden arguments
    arguments = {p.name: p.help.replace("`", "") for p in parameters(tool) if p.name in schema}
    return {"what": _first_sentence(tool.description), "arguments": arguments}


def _lenses() -> dict[str, str]:
    folder = files("webquarry.lenses")
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".json"))
    lenses = [json.loads((folder / name).read_text(encoding="utf-8")) for name in names]
    return {lens["name"]: lens["description"] for lens in lenses}


def _first_sentence(text: str | None) -> str:
    paragraph = " ".join((text or "").split("\n\n")[0].split())
    head, stop, _ = paragraph.partition(". ")
    return f"{head}." if stop else head
