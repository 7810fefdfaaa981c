"""The official Python SDK."""

import asyncio

from common import *  # noqa: F403
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


async def main() -> None:
    matrix = Matrix()
    reports = []

    async def progress(done, total, message) -> None:
        reports.append(done)

    async with Client(
        stdio_client(StdioServerParameters(command=COMMAND, args=ARGUMENTS, env=ENVIRONMENT))
    ) as client:

        async def read(arguments) -> str:
            result = await client.call_tool("scrape_page", arguments)
            return result.content[0].text

        async def listed():
            tools = (await client.list_tools()).tools
            return f"{len(tools)} tools" if len(tools) > 20 else False

        async def echo():
            result = await client.call_tool("echo", {"message": MESSAGE})
            is_data = result.structured_content == MESSAGE_DATA
            return answered(result.content[0].text) and is_data

        async def progressed():
            await client.call_tool(
                "scrape_page", {"url": PAGE, "fresh": True}, progress_callback=progress
            )
            return bool(reports)

        async def resource():
            return has_limits((await client.read_resource(RESOURCE)).contents)

        async def prompt():
            return has_claim((await client.get_prompt(PROMPT, PROMPT_ARGUMENTS)).messages)

        await matrix.check("list", listed())
        await matrix.check("call", echo())
        await matrix.check("large page", whole_page(read))
        await matrix.check("progress", progressed())
        await matrix.check("resource", resource())
        await matrix.check("prompt", prompt())
        await matrix.check(
            "cancel", cancelled(lambda: client.call_tool("scrape_page", {"url": SLOW}), echo)
        )
        matrix.results["model sees"] = {"ok": True, "note": "both, as the program chooses"}
        matrix.print()  # before the connection closes, which may fail


asyncio.run(main())
