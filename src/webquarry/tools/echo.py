"""The `echo` tool: the smallest complete tool. Copy this file to start your own."""

from pydantic import Field

from webquarry.calls.tool import Call, ToolAnnotations, ToolOptions, tool
from webquarry.models.model import Model


class EchoIn(Model):
    """Arguments of `echo`."""

    message: str = Field(max_length=4096, description="The message to echo back")


class EchoOut(Model):
    """Result of `echo`."""

    echoed: str = Field(description="The message that was echoed back")


@tool("starter", ToolOptions(title="Echo", annotations=ToolAnnotations(open_world=False)))
async def echo(args: EchoIn, _: Call) -> EchoOut:
    """Return the message unchanged, to check that the connection works."""
    return EchoOut(echoed=args.message)
