"""Pydantic AI: an agent whose model is a function."""

import asyncio

from common import *  # noqa: F403
from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.profiles.google import GoogleJsonSchemaTransformer
from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer


async def main() -> None:
    matrix = Matrix()
    toolset = MCPToolset(StdioTransport(COMMAND, ARGUMENTS, env=ENVIRONMENT))
    async with toolset:

        async def shown(name, arguments) -> str:
            seen = []

            def script(messages, info):
                returns = [p for p in messages[-1].parts if isinstance(p, ToolReturnPart)]
                if not returns:
                    return ModelResponse(parts=[ToolCallPart(name, arguments)])
                seen.append(returns[0].model_response_str())
                return ModelResponse(parts=[TextPart("done")])

            await Agent(FunctionModel(script), toolsets=[toolset]).run("go")
            return seen[0]

        async def read(arguments) -> str:
            return await shown("scrape_page", arguments)

        async def listed():
            tools = await toolset.list_tools()
            return f"{len(tools)} tools" if len(tools) > 20 else False

        async def echo():
            return answered(await shown("echo", {"message": MESSAGE}))

        async def resource():
            return has_limits(await toolset.read_resource(RESOURCE))

        async def prompt():
            return has_claim(await toolset.get_prompt(PROMPT, PROMPT_ARGUMENTS))

        async def strict():
            for tool in await toolset.list_tools():
                schema = getattr(tool, "inputSchema", None) or tool.input_schema
                GoogleJsonSchemaTransformer(schema).walk()
                if tool.name not in FREE_FORM:
                    walked = OpenAIJsonSchemaTransformer(schema, strict=True).walk()
                    if found := strict_problems(walked):
                        raise ValueError(f"{tool.name}: {found}")
            return True

        async def sees():
            return await model_sees(read)

        await matrix.check("list", listed())
        await matrix.check("call", echo())
        await matrix.check("large page", whole_page(read))
        await matrix.check("resource", resource())
        await matrix.check("prompt", prompt())
        await matrix.check("strict schema", strict())
        await matrix.check("model sees", sees())
        await matrix.check("cancel", cancelled(lambda: read({"url": SLOW}), echo))
        matrix.print()  # before the connection closes, which may fail


asyncio.run(main())
