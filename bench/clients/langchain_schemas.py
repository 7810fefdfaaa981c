"""Converts the tools on stdin as LangChain does for its models; writes the schemas to stdout."""

import json
import sys
from typing import Any

from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_mcp_adapters.tools import convert_mcp_tool_to_langchain_tool
from mcp.types import Tool

CONNECTION = {"transport": "stdio", "command": "webquarry", "args": ["serve", "--stdio"]}


def schema(tool: Any, *, strict: bool) -> Any:
    converted = convert_mcp_tool_to_langchain_tool(
        None, Tool.model_validate(tool), connection=CONNECTION
    )
    return convert_to_openai_tool(converted, strict=strict)["function"]["parameters"]


tools = json.load(sys.stdin)
kinds = {"openai strict": True, "openai": False}
json.dump(
    {t["name"]: {k: schema(t, strict=strict) for k, strict in kinds.items()} for t in tools},
    sys.stdout,
)
