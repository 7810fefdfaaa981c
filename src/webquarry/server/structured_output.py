"""What MCP clients get beside the text of a result: structuredContent and links."""

from typing import Any, Literal

from webquarry.calls.tool import AnyTool

Json = dict[str, Any]
_LINK = "resource_link"


class StructuredOutput:
    """Leaves structured content and links out, in whole or in part, as the operator chose."""

    def __init__(
        self, kept: Literal["full", "metadata", "none"] = "full", *, links: bool = True
    ) -> None:
        self._kept = kept
        self._links = links

    def listed(self, tools: list[Json]) -> list[Json]:
        """Return the entries of `tools/list`; a tool that promises an output must send it."""
        if self._kept != "none":
            return tools
        return [{k: v for k, v in tool.items() if k != "outputSchema"} for tool in tools]

    def sent(self, result: Json, tool: AnyTool) -> Json:
        """Return a result without what its text has already."""
        if not self._links:
            result = result | {"content": [b for b in result["content"] if b["type"] != _LINK]}
        structured: Json | None = result.get("structuredContent")
        if self._kept == "full" or structured is None:
            return result
        if self._kept == "none":
            return {name: value for name, value in result.items() if name != "structuredContent"}
        return result | {"structuredContent": _metadata(structured, tool)}


def _metadata(structured: Json, tool: AnyTool) -> Json:
    """Return the fields other than long texts, which are in the text block."""
    repeated = {"summary"} if structured.get("linked") else set(tool.options.cuttable)
    return {
        name: value
        for name, value in structured.items()
        if name not in repeated or not isinstance(value, str)
    }
