"""The OpenAI Agents SDK: an agent whose model is a script."""

import asyncio
import json

from agents import Agent, Runner, set_tracing_disabled
from agents.items import ModelResponse
from agents.mcp import MCPServerStdio, MCPUtil
from agents.models.interface import Model
from agents.run_context import RunContextWrapper
from agents.usage import Usage
from common import *  # noqa: F403
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)


class Script(Model):
    """Calls one tool, then ends."""

    def __init__(self, name, arguments) -> None:
        self.call = ResponseFunctionToolCall(
            call_id="1", name=name, arguments=json.dumps(arguments), type="function_call"
        )
        self.shown = ""

    async def get_response(self, system_instructions, input, *args, **kwargs):
        outputs = [] if isinstance(input, str) else [i for i in input if "output" in i]
        if not outputs:
            return ModelResponse(output=[self.call], usage=Usage(), response_id=None)
        output = outputs[-1]["output"]
        blocks = [output] if isinstance(output, str) else [b.get("text", "") for b in output]
        self.shown = "\n".join(blocks)
        text = ResponseOutputText(text="done", type="output_text", annotations=[])
        message = ResponseOutputMessage(
            id="m", content=[text], role="assistant", status="completed", type="message"
        )
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


async def main() -> None:
    set_tracing_disabled(True)
    matrix = Matrix()
    server = MCPServerStdio(
        {"command": COMMAND, "args": ARGUMENTS, "env": ENVIRONMENT},
        client_session_timeout_seconds=60,
    )
    async with server:

        async def shown(name, arguments) -> str:
            model = Script(name, arguments)
            await Runner.run(Agent("a", mcp_servers=[server], model=model), "go")
            return model.shown

        async def read(arguments) -> str:
            return await shown("scrape_page", arguments)

        async def listed():
            tools = await server.list_tools()
            return f"{len(tools)} tools" if len(tools) > 20 else False

        async def echo():
            return answered(await shown("echo", {"message": MESSAGE}))

        async def resource():
            return has_limits((await server.read_resource(RESOURCE)).contents)

        async def prompt():
            return has_claim((await server.get_prompt(PROMPT, PROMPT_ARGUMENTS)).messages)

        async def strict():
            tools = await MCPUtil.get_function_tools(
                server, True, RunContextWrapper(context=None), Agent("a")
            )
            for tool in tools:
                if tool.name not in FREE_FORM:
                    found = strict_problems(tool.params_json_schema)
                    if found or not tool.strict_json_schema:
                        raise ValueError(f"{tool.name}: {found or 'not strict'}")
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
