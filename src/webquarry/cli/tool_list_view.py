"""The output of `webquarry tools`."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from webquarry.app import open_app
from webquarry.cli.output import Json, grid
from webquarry.cli.terminal import OutputFormat, show
from webquarry.content.text.token_count import estimate_tokens, json_size
from webquarry.front.snapshot import find
from webquarry.serving import read_call_settings
from webquarry.settings.load import Settings


@dataclass(frozen=True)
class ListedTool:
    """A tool as clients see it."""

    toolset: str
    definition: Json

    @property
    def name(self) -> str:
        return self.definition["name"]


def show_tools(flags: Mapping[str, str], *, tokens: bool, form: OutputFormat) -> None:
    """Print the tools with what they do, or with their cost in context tokens."""
    listed = listed_tools({"TOOLSETS": "all", **flags} if tokens else flags)
    if tokens:
        _show_costs(listed, form)
        return
    rows = [(t.name, t.toolset, t.definition["description"].split("\n\n")[0]) for t in listed]
    body = {"tools": [tool.definition for tool in listed]} if form == "json" else {}
    show([grid(("tool", "toolset", "description"), rows)], body, form)


def listed_tools(flags: Mapping[str, str]) -> list[ListedTool]:
    """Return the tools of this configuration, from its snapshot if there is one."""
    settings = read_call_settings(flags)  # reports wrong settings, as every command does
    snapshot, _ = find(flags.get("TOOLSETS"), str(Path.cwd()))
    if snapshot:
        return [ListedTool(toolset, definition) for toolset, definition in snapshot.definitions()]
    return asyncio.run(_registered(settings))


def token_cost(definitions: Iterable[Json]) -> int:
    """Return the tokens of a tools/list result with these tools."""
    return estimate_tokens(json_size({"tools": list(definitions)}))


async def _registered(settings: Settings) -> list[ListedTool]:
    """Import every tool: takes three times as long as reading a snapshot."""
    async with open_app(settings, "cli") as app:
        registry = app.path.registry
        return [ListedTool(registry.lookup(d["name"]).toolset, d) for d in registry.definitions()]


def _show_costs(listed: Sequence[ListedTool], form: OutputFormat) -> None:
    """Print the context tokens of each tool, each toolset, the default toolsets and all tools."""
    from webquarry.calls.registry import DEFAULT_TOOLSETS, TOOLSETS

    per_tool = {tool.name: token_cost([tool.definition]) for tool in listed}
    groups = {name: (name,) for name in TOOLSETS} | {"default": DEFAULT_TOOLSETS, "all": TOOLSETS}
    per_toolset = {
        name: token_cost(tool.definition for tool in listed if tool.toolset in members)
        for name, members in groups.items()
    }
    parts = [
        grid(("tool", "tokens"), list(per_tool.items())),
        grid(("toolset", "tokens"), list(per_toolset.items())),
    ]
    show(parts, {"tools": per_tool, "toolsets": per_toolset}, form)
