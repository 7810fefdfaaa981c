"""mcp-use: its LangChain tools, called as an agent calls them."""

import asyncio

from common import *  # noqa: F403
from mcp_use import MCPClient
from mcp_use.agents.adapters.langchain_adapter import LangChainAdapter


async def main() -> None:
    matrix = Matrix()
    server = {"command": COMMAND, "args": ARGUMENTS, "env": ENVIRONMENT}
    client = MCPClient({"mcpServers": {"webquarry": server}})
    session = await client.create_session("webquarry")
    adapter = LangChainAdapter()
    await adapter.create_all(client)
    tools = {tool.name: tool for tool in adapter.tools}

    async def read(arguments) -> str:
        return texts(await tools["scrape_page"].ainvoke(arguments))

    async def listed():
        return f"{len(tools)} tools" if len(tools) > 20 else False

    async def echo():
        return answered(texts(await tools["echo"].ainvoke({"message": MESSAGE})))

    async def resource():
        return has_limits(await session.read_resource(RESOURCE))

    async def prompt():
        return has_claim(await session.get_prompt(PROMPT, PROMPT_ARGUMENTS))

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
    await client.close_all_sessions()


asyncio.run(main())
