"""The MCP server seen by the client of the SDK, in both protocol versions."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import mcp_types as types
import pytest
from mcp import Client
from mcp.server.subscriptions import ResourceUpdated
from mcp.shared.exceptions import MCPError

from tests.support import ALICE, CallHarness
from webquarry.calls.tool import Call, ToolOptions, tool
from webquarry.errors import BadInputError
from webquarry.models.caller import Caller
from webquarry.models.model import Model
from webquarry.models.result import Result, TextBlock
from webquarry.prompts.prompt import Prompt, PromptArgument, PromptRegistry
from webquarry.resources import RESOURCES
from webquarry.resources.resource import (
    Resource,
    ResourceContent,
    ResourceRegistry,
    ResourceRequest,
)
from webquarry.server.mcp_server import ServerOffer, build_server

pytestmark = pytest.mark.anyio

ERAS = ["legacy", "2026-07-28"]


class In(Model):
    steps: int = 3


class Out(Model):
    text: str


class State:
    """The state of the slow tool."""

    def __init__(self) -> None:
        self.started = asyncio.Event()
        self.cancelled = asyncio.Event()


STATE: list[State] = []


@tool("web")
async def count(args: In, call: Call) -> Out:
    """Count, telling how far it has come."""
    for step in range(args.steps):
        await call.progress(step + 1, args.steps, f"step {step + 1}")
    return Out(text="done")


@tool("web")
async def wait(args: In, call: Call) -> Out:
    """Wait for ever."""
    state = STATE[-1]
    state.started.set()
    try:
        await asyncio.Event().wait()
    finally:
        state.cancelled.set()
    return Out(text="never")


@tool("web", ToolOptions(heavy=True))
async def huge(args: In, call: Call) -> Out:
    """Say a lot."""
    return Out(text="x" * 30_000)


async def _picture(asked: ResourceRequest) -> ResourceContent:
    return ResourceContent(b"\x89PNG", "image/png")


async def _picky(asked: ResourceRequest) -> ResourceContent:
    raise BadInputError("offset: must be a whole number")


def _greet(given: Any) -> str:
    return f"Greet {given['name']} {given.get('tone', 'kindly')}."


GREETING = Prompt(
    name="greeting",
    description="Greet somebody.",
    arguments=(
        PromptArgument("name", "Whom.", required=True),
        PromptArgument("tone", "How.", choices=("kindly", "coldly", "keenly")),
    ),
    write=_greet,
)


async def _lenses(_: Caller, __: str) -> list[str]:
    return ["academic", "news"]


async def _sessions_of(caller: Caller, _: str) -> list[str]:
    return [f"{caller.user}-1"]


@pytest.fixture
def offer() -> ServerOffer:
    desk = CallHarness((count, wait, huge))
    extra = (
        Resource("test://picture", "Picture", "A picture.", _picture, "image/png"),
        Resource("test://picky/{id}", "Picky", "Never content.", _picky),
    )
    return ServerOffer(
        path=desk.path,
        services=desk.services,
        resources=ResourceRegistry((*RESOURCES, *extra)),
        prompts=PromptRegistry([GREETING]),
        completers={"lens": _lenses, "sessionId": _sessions_of},
    )


@pytest.fixture(params=ERAS)
async def client(request: pytest.FixtureRequest, offer: ServerOffer) -> AsyncIterator[Client]:
    async with Client(build_server(offer, lambda _: ALICE), mode=request.param) as client:
        yield client


async def test_tools_are_listed_with_everything_a_client_needs(client: Client) -> None:
    listed = await client.list_tools()

    assert [t.name for t in listed.tools] == ["count", "huge", "wait"]
    assert listed.tools[0].input_schema["properties"] == {
        "steps": {"type": "integer", "default": 3}
    }
    assert listed.tools[0].annotations == types.ToolAnnotations(read_only_hint=True)


async def test_progress_reaches_the_client_in_order(client: Client) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, total, message))

    result = await client.call_tool("count", {"steps": 2}, progress_callback=note)

    assert isinstance(result, types.CallToolResult)
    assert result.structured_content == {"text": "done"}
    assert seen == [(1, 2, "step 1"), (2, 2, "step 2")]


async def test_a_cancelled_request_stops_the_tool(client: Client) -> None:
    STATE.append(State())
    call = asyncio.create_task(client.call_tool("wait", {}))
    await STATE[-1].started.wait()

    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

    await asyncio.wait_for(STATE[-1].cancelled.wait(), 5)


async def test_a_tool_error_is_a_result_and_an_unknown_tool_is_a_protocol_error(
    client: Client,
) -> None:
    result = await client.call_tool("count", {"steps": "many"})

    assert isinstance(result, types.CallToolResult)
    assert result.is_error
    assert result.structured_content is None
    with pytest.raises(MCPError, match="Unknown tool: nope"):
        await client.call_tool("nope", {})


async def test_a_linked_result_can_be_read_through_the_protocol(client: Client) -> None:
    result = await client.call_tool("huge", {})

    assert isinstance(result, types.CallToolResult)
    link = result.content[1]
    assert isinstance(link, types.ResourceLink)
    whole = await client.read_resource(str(link.uri))
    piece = await client.read_resource(f"{link.uri}?offset=5&length=10")
    assert isinstance(whole.contents[0], types.TextResourceContents)
    assert json.loads(whole.contents[0].text) == {"text": "x" * 30_000}
    assert isinstance(piece.contents[0], types.TextResourceContents)
    assert piece.contents[0].text == whole.contents[0].text[5:15]
    assert piece.contents[0].meta == {"offset": 5, "totalBytes": 30_011, "nextOffset": 15}


async def test_binary_resources_are_sent_as_base64(client: Client) -> None:
    read = await client.read_resource("test://picture")

    assert read.contents == [
        types.BlobResourceContents(uri="test://picture", mime_type="image/png", blob="iVBORw==")
    ]


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("test://nothing", "Resource not found: test://nothing"),
        ("research://artifact/abc", "has expired or never existed"),
        ("test://picky/1", "offset: must be a whole number"),
        ("research://artifact/abc?offset=x", "offset: must be a whole number, got 'x'"),
    ],
)
async def test_a_resource_that_cannot_be_read_says_why(
    client: Client, uri: str, message: str
) -> None:
    with pytest.raises(MCPError, match=message):
        await client.read_resource(uri)


async def test_resources_and_templates_are_listed(client: Client) -> None:
    fixed = await client.list_resources()
    templates = await client.list_resource_templates()

    assert "stats://tools" in [str(r.uri) for r in fixed.resources]
    assert "research://artifact/{id}" in [t.uri_template for t in templates.resource_templates]


async def test_prompts_are_filled_in(client: Client) -> None:
    filled = await client.get_prompt("greeting", {"name": "Ada", "tone": "keenly"})

    assert [m.model_dump(exclude_none=True) for m in filled.messages] == [
        {"role": "user", "content": {"type": "text", "text": "Greet Ada keenly."}}
    ]
    assert [p.name for p in (await client.list_prompts()).prompts] == ["greeting"]


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("greeting", {}, "greeting: name: is required"),
        ("greeting", {"name": "Ada", "tone": "x"}, "tone: must be one of kindly, coldly, keenly"),
        ("greeting", {"name": "Ada", "mood": "x"}, "mood: no such argument"),
        ("nope", {}, "Unknown prompt: nope"),
    ],
)
async def test_a_prompt_that_cannot_be_filled_in_says_why(
    client: Client, name: str, arguments: dict[str, str], message: str
) -> None:
    with pytest.raises(MCPError, match=message):
        await client.get_prompt(name, arguments)


async def test_arguments_are_completed(client: Client) -> None:
    prompt = types.PromptReference(type="ref/prompt", name="greeting")
    template = types.ResourceTemplateReference(type="ref/resource", uri="test://picky/{id}")

    async def completed(ref: Any, name: str, value: str) -> list[str]:
        return (await client.complete(ref, {"name": name, "value": value})).completion.values

    assert await completed(prompt, "tone", "k") == ["kindly", "keenly"]
    session = types.ResourceTemplateReference(type="ref/resource", uri="research://session/{id}")
    assert await completed(template, "lens", "A") == ["academic"]
    assert await completed(session, "id", "") == ["alice-1"]
    assert await completed(prompt, "sessionId", "a") == ["alice-1"]
    assert await completed(template, "other", "") == []


@pytest.mark.filterwarnings("ignore:resources/.*subscribe is removed as of 2026-07-28")
async def test_a_handshake_client_is_notified_of_changes_it_subscribed_to(
    offer: ServerOffer,
) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def note(message: Any) -> None:
        if isinstance(message, types.ResourceUpdatedNotification):
            heard.put_nowait(str(message.params.uri))

    server = build_server(offer, lambda _: ALICE)
    async with Client(server, mode="legacy", message_handler=note) as client:
        # older clients still do it this way
        await client.subscribe_resource("stats://tools")  # pyright: ignore[reportDeprecated]
        await offer.subscriptions.updated("stats://tools")
        assert await asyncio.wait_for(heard.get(), 5) == "stats://tools"

        # and undo it this way
        await client.unsubscribe_resource("stats://tools")  # pyright: ignore[reportDeprecated]
        await offer.subscriptions.updated("stats://tools")
        await client.list_tools()
    assert heard.empty()


async def test_a_stateless_client_is_notified_of_changes_it_listens_for(offer: ServerOffer) -> None:
    server = build_server(offer, lambda _: ALICE)
    async with (
        Client(server, mode="2026-07-28") as client,
        client.listen(resource_subscriptions=["stats://tools"]) as events,
    ):
        await offer.subscriptions.updated("stats://other")
        await offer.subscriptions.updated("stats://tools")
        event = await asyncio.wait_for(anext(aiter(events)), 5)

    assert event == ResourceUpdated(uri="stats://tools")


async def test_a_server_without_prompts_does_not_declare_the_capability() -> None:
    desk = CallHarness(())
    offer = ServerOffer(path=desk.path, services=desk.services, resources=ResourceRegistry(()))
    async with Client(build_server(offer, lambda _: ALICE), mode="legacy") as client:
        assert client.server_capabilities.prompts is None


def test_a_prompt_may_contain_content_blocks() -> None:
    prompt = Prompt("p", "d", (), lambda _: [TextBlock(text="a"), TextBlock(text="b")])

    assert [m["content"]["text"] for m in prompt.messages({})] == ["a", "b"]


def test_a_result_is_final_in_its_wire_form() -> None:
    assert Result().wire() == {"content": []}
