"""`webquarry tools` and `webquarry config`: what is on offer, and what is set."""

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence

from webquarry.app import open_app
from webquarry.content.tokens import estimate_tokens, json_size
from webquarry.serving import read_settings
from webquarry.settings import show
from webquarry.tools.base import AnyTool
from webquarry.tools.registry import DEFAULT_TOOLSETS, TOOLSETS


def tools(flags: Mapping[str, str], *, tokens: bool, as_json: bool) -> str:
    """Return the tools on offer, with their cost in context when asked."""
    offered = asyncio.run(_offered({"TOOLSETS": "all", **flags} if tokens else flags))
    if tokens:
        return _costs(offered, as_json=as_json)
    if as_json:
        listed = {"tools": [tool.definition() for tool in offered]}
        return json.dumps(listed, ensure_ascii=False, indent=2) + "\n"
    rows = [(t.name, t.toolset, t.description.splitlines()[0]) for t in offered]
    return _table(("tool", "toolset", "what it does"), rows)


def settings(*, as_json: bool) -> str:
    """Return every setting with its value and source."""
    rows = show.effective(read_settings({}))
    if as_json:
        return json.dumps(show.as_json(rows), indent=2) + "\n"
    return show.render_text(rows)


def cost(tools: Iterable[AnyTool]) -> int:
    """Return the tokens of a tools/list result with these tools."""
    return estimate_tokens(json_size({"tools": [tool.definition() for tool in tools]}))


async def _offered(flags: Mapping[str, str]) -> list[AnyTool]:
    async with open_app(read_settings(flags), "cli") as app:
        return app.offer.path.registry.tools()


def _costs(offered: Sequence[AnyTool], *, as_json: bool) -> str:
    """Return what each tool, each toolset and the usual choices add to a model's context."""
    per_tool = {tool.name: cost([tool]) for tool in offered}
    per_toolset = {name: cost(t for t in offered if t.toolset == name) for name in TOOLSETS}
    per_toolset["default"] = cost(t for t in offered if t.toolset in DEFAULT_TOOLSETS)
    per_toolset["all"] = cost(offered)
    if as_json:
        return json.dumps({"tools": per_tool, "toolsets": per_toolset}, indent=2) + "\n"
    rows = [(name, str(tokens)) for name, tokens in per_tool.items()]
    sets = [(name, str(tokens)) for name, tokens in per_toolset.items()]
    return _table(("tool", "tokens"), rows) + "\n" + _table(("toolset", "tokens"), sets)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        + "\n"
        for line in lines
    )
