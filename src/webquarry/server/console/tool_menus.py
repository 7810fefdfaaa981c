"""Definitions of tools for people: full argument descriptions, and choices for menus."""

from collections.abc import Mapping, Sequence
from typing import Any

from webquarry.calls.argument_help import argument_help
from webquarry.calls.tool import AnyTool
from webquarry.models.caller import Caller
from webquarry.server.mcp_server import Completer

_MENUS = ("provider", "lens")  # the country's menu is a list in the console


async def menu_choices(
    completers: Mapping[str, Completer], caller: Caller
) -> dict[str, Sequence[str]]:
    """Return the values that a person may choose for an argument, by its name."""
    return {name: await completers[name](caller, "") for name in _MENUS if name in completers}


def described_tool(
    definition: dict[str, Any], tool: AnyTool, choices: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Return the definition with the descriptions for people instead of models, and choices."""
    schema = definition["inputSchema"]
    properties = dict(schema.get("properties", {}))
    for name, field in tool.input_model.model_fields.items():
        argument = field.alias or name
        if argument in properties:  # some schemas omit an argument
            text = argument_help(tool.name, name, field.description or "")
            menu = {"choices": list(choices[argument])} if choices.get(argument) else {}
            properties[argument] = properties[argument] | {"description": text} | menu
    schema = schema | {"properties": properties}
    return definition | {"inputSchema": schema, "toolset": tool.toolset}
