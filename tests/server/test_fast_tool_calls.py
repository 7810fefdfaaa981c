"""The fast path for plain tool calls returns the same responses as the SDK."""

import json
from typing import Any

import mcp_types as types
import pytest
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from tests.support import ALICE, CallHarness
from webquarry.calls.tool import Call, ToolOptions, tool
from webquarry.models.model import Model
from webquarry.models.result import ImageBlock, Result, TextBlock
from webquarry.prompts.prompt import PromptRegistry
from webquarry.resources import RESOURCES
from webquarry.resources.resource import ResourceRegistry
from webquarry.server.mcp_server import ServerOffer, build_server

pytestmark = pytest.mark.anyio


class In(Model):
    kind: str = "plain"


class Out(Model):
    text: str
    numbers: tuple[float, ...] = ()


@tool("web", ToolOptions(heavy=True))
async def answer(args: In, call: Call) -> Out:
    """Answer in few words or in many."""
    call.meta["asked"] = {"kind": args.kind, "nothing": None}
    if args.kind == "huge":
        return Out(text="x" * 30_000)
    return Out(text="plain ✓", numbers=(1.5, 2))


@tool("web")
async def paint(args: In, call: Call) -> Result:
    """Answer with a picture."""
    picture = ImageBlock(data="iVBORw0KGgo=", mimeType="image/png")
    return Result(content=(TextBlock(text="look"), picture))


def _servers() -> tuple[Server[Any], Server[Any]]:
    """Return the normal server, and one without the fast path."""
    desk = CallHarness((answer, paint))
    offer = ServerOffer(
        path=desk.path,
        services=desk.services,
        resources=ResourceRegistry(RESOURCES),
        prompts=PromptRegistry([]),
    )
    short, long = (build_server(offer, lambda _: ALICE) for _ in range(2))
    long.middleware.clear()
    return short, long


async def _outcome(server: Server[Any], name: str, arguments: Any, mode: str) -> Any:
    async with Client(server, mode=mode) as client:
        try:
            result = await client.call_tool(name, arguments)
        except MCPError as error:
            return error.error
        return _without_links(result)


def _without_links(result: types.CallToolResult) -> Any:
    """Return the result without the artifact id, which is new each time."""
    text = result.model_dump_json(by_alias=True)
    for block in result.content:
        if isinstance(block, types.ResourceLink):
            uri, name = str(block.uri), block.name
            text = text.replace(uri, "link").replace(name, "name")
    found = json.loads(text)
    if found.get("structuredContent"):
        found["structuredContent"].pop("expiresAt", None)
    for block in found["content"]:
        block["text"] = (block.get("text") or "").partition('"expiresAt"')[0]
    return found


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("answer", {}),
        ("answer", None),
        ("paint", {}),
        ("answer", {"kind": "huge"}),
        ("answer", {"kind": 3}),
        ("answer", {"unknown": True}),
        ("nobody", {}),
    ],
)
async def test_a_fast_call_returns_the_same_response_as_the_sdk(
    name: str, arguments: dict[str, Any] | None, mode: str
) -> None:
    short, long = _servers()

    assert await _outcome(short, name, arguments, mode) == await _outcome(
        long, name, arguments, mode
    )


async def test_a_plain_call_takes_the_fast_path() -> None:
    short, _ = _servers()
    asked: list[str] = []

    async def note(_: Any, params: types.CallToolRequestParams) -> Any:
        asked.append(params.name)
        return {"content": []}

    short.add_request_handler("tools/call", types.CallToolRequestParams, note)
    async with Client(short, mode="legacy") as client:
        await client.call_tool("paint", {})
        assert asked == []

        await client.call_tool("paint", {}, meta={"a": 1})
        assert asked == ["paint"]
