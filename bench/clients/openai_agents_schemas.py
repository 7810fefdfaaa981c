"""Converts the tools on stdin as openai-agents does for its model; writes the schemas to stdout."""

import json
import sys
from typing import Any

from agents.mcp import MCPServerStdio, MCPUtil
from mcp.types import Tool

SERVER = MCPServerStdio({"command": "webquarry", "args": ["serve", "--stdio"]})  # never started


def schema(tool: Any, *, strict: bool) -> Any:
    # a schema that cannot be strict stays as it is
    return MCPUtil.to_function_tool(Tool.model_validate(tool), SERVER, strict).params_json_schema


tools = json.load(sys.stdin)
kinds = {"openai strict": True, "openai": False}
json.dump(
    {t["name"]: {k: schema(t, strict=strict) for k, strict in kinds.items()} for t in tools},
    sys.stdout,
)
