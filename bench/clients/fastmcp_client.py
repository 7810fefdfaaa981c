"""FastMCP's client."""

import asyncio

from common import *  # noqa: F403
from fastmcp import Client
from fastmcp.client.transports import StdioTransport


async def main() -> None:
    matrix = Matrix()
    reports = []

    async def progress(done, total, message) -> None:
        reports.append(done)

    async with Client(StdioTransport(COMMAND, ARGUMENTS, env=ENVIRONMENT)) as client:

        async def read(arguments) -> str:
            return (await client.call_tool("scrape_page", arguments)).content[0].text

        async def listed():
            tools = await client.list_tools()
            return f"{len(tools)} tools" if len(tools) > 20 else False

        async def echo():
            result = await client.call_tool("echo", {"message": MESSAGE})
            is_data = result.structured_content == MESSAGE_DATA
            return answered(result.content[0].text) and is_data

        async def progressed():
            await client.call_tool(
                "scrape_page", {"url": PAGE, "fresh": True}, progress_handler=progress
            )
            return bool(reports)

        async def resource():
            return has_limits(await client.read_resource(RESOURCE))

        async def prompt():
            return has_claim((await client.get_prompt(PROMPT, PROMPT_ARGUMENTS)).messages)

        await matrix.check("list", listed())
        await matrix.check("call", echo())
        await matrix.check("large page", whole_page(read))
        await matrix.check("progress", progressed())
        await matrix.check("resource", resource())
        await matrix.check("prompt", prompt())
        slow = {"url": SLOW}
        await matrix.check("cancel", cancelled(lambda: client.call_tool("scrape_page", slow), echo))
        matrix.results["model sees"] = {"ok": True, "note": "both, as the program chooses"}
        matrix.print()  # before the connection closes, which may fail


asyncio.run(main())
