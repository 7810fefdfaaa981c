"""LlamaIndex: its MCP tools, called as an agent calls them."""

import asyncio

from common import *  # noqa: F403
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec
from mcp.types import CallToolResult, TextContent


async def main() -> None:
    matrix = Matrix()
    client = BasicMCPClient(COMMAND, args=ARGUMENTS, env=ENVIRONMENT, timeout=60)
    tools = {tool.metadata.name: tool for tool in await McpToolSpec(client).to_tool_list_async()}

    async def read(arguments) -> str:
        return (await tools["scrape_page"].acall(**arguments)).content

    async def listed():
        return f"{len(tools)} tools" if len(tools) > 20 else False

    async def echo():
        # the model is shown the result as Python writes it
        result = CallToolResult(
            content=[TextContent(text=MESSAGE_TEXT)], structured_content=MESSAGE_DATA
        )
        return answered((await tools["echo"].acall(message=MESSAGE)).content, str(result))

    async def resource():
        return has_limits(await client.read_resource(RESOURCE))

    async def prompt():
        return has_claim(await client.get_prompt(PROMPT, PROMPT_ARGUMENTS))

    async def sees():
        return await model_sees(read)

    await matrix.check("list", listed())
    await matrix.check("call", echo())
    await matrix.check("large page", whole_page(read))
    await matrix.check("resource", resource())
    await matrix.check("prompt", prompt())
    await matrix.check("model sees", sees())
    await matrix.check("cancel", cancelled(lambda: read({"url": SLOW}), echo))
    matrix.print()  # before the connection closes, which may fail


asyncio.run(main())
