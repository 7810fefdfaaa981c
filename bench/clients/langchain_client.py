"""LangChain's adapter: an agent whose model is a script."""

import asyncio

from common import *  # noqa: F403
from langchain_core.utils.function_calling import convert_to_openai_tool
from langchain_mcp_adapters.callbacks import Callbacks
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.prompts import load_mcp_prompt
from langchain_mcp_adapters.resources import load_mcp_resources
from langchain_mcp_adapters.tools import load_mcp_tools


async def main() -> None:
    matrix = Matrix()
    reports = []

    async def progress(done, total, message, context) -> None:
        reports.append(done)

    server = {"transport": "stdio", "command": COMMAND, "args": ARGUMENTS, "env": ENVIRONMENT}
    client = MultiServerMCPClient({"webquarry": server}, callbacks=Callbacks(on_progress=progress))
    async with client.session("webquarry") as session:
        tools = {
            tool.name: tool
            for tool in await load_mcp_tools(
                session, callbacks=Callbacks(on_progress=progress), server_name="webquarry"
            )
        }

        async def message(name, arguments) -> str:
            call = {"name": name, "args": arguments, "id": "1", "type": "tool_call"}
            return texts((await tools[name].ainvoke(call)).content)

        async def read(arguments) -> str:
            return await message("scrape_page", arguments)

        async def listed():
            return f"{len(tools)} tools" if len(tools) > 20 else False

        async def echo():
            return answered(await message("echo", {"message": MESSAGE}))

        async def progressed():
            await read({"url": PAGE, "fresh": True})
            return bool(reports)

        async def resource():
            return has_limits(
                [each.data for each in await load_mcp_resources(session, uris=[RESOURCE])]
            )

        async def prompt():
            return has_claim(await load_mcp_prompt(session, PROMPT, arguments=PROMPT_ARGUMENTS))

        async def strict():
            for tool in tools.values():
                if tool.name not in FREE_FORM:
                    converted = convert_to_openai_tool(tool, strict=True)["function"]
                    if found := strict_problems(converted["parameters"]):
                        raise ValueError(f"{tool.name}: {found}")
            return True

        async def sees():
            call = {"name": "scrape_page", "args": {"url": PAGE}, "id": "1", "type": "tool_call"}
            blocks = (await tools["scrape_page"].ainvoke(call)).content
            has_file = any(block["type"] == "file" for block in blocks)
            link = ", and the link as a file" if has_file else ""
            return f"{await model_sees(read)}{link}"

        await matrix.check("list", listed())
        await matrix.check("call", echo())
        await matrix.check("large page", whole_page(read))
        await matrix.check("progress", progressed())
        await matrix.check("resource", resource())
        await matrix.check("prompt", prompt())
        await matrix.check("strict schema", strict())
        await matrix.check("model sees", sees())
        await matrix.check("cancel", cancelled(lambda: read({"url": SLOW}), echo))
        matrix.print()  # before the connection closes, which may fail


asyncio.run(main())
