"""smolagents: its MCP tools, called as an agent calls them."""

import asyncio

from common import *  # noqa: F403
from mcp import StdioServerParameters
from smolagents import MCPClient


async def main() -> None:
    matrix = Matrix()
    server = StdioServerParameters(command=COMMAND, args=ARGUMENTS, env=ENVIRONMENT)
    client = MCPClient(server, structured_output=False)
    tools = {tool.name: tool for tool in client.get_tools()}

    async def read(arguments) -> str:
        return await asyncio.to_thread(lambda: str(tools["scrape_page"](**arguments)))

    async def listed():
        return f"{len(tools)} tools" if len(tools) > 20 else False

    async def echo():
        return answered(await asyncio.to_thread(lambda: str(tools["echo"](message=MESSAGE))))

    async def sees():
        return await model_sees(read)

    await matrix.check("list", listed())
    await matrix.check("call", echo())
    await matrix.check("large page", whole_page(read))
    await matrix.check("model sees", sees())
    matrix.print()  # before the connection closes, which may fail
    await asyncio.to_thread(client.disconnect)


asyncio.run(main())
