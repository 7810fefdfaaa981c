"""No invisible character leaves the server: every tool, over every transport."""

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from mcp import Client
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from tests.support import ALICE, CallHarness
from webquarry.app import App
from webquarry.calls.tool import AnyTool, Call, ToolOptions, tool
from webquarry.errors import PageError
from webquarry.library import LibrarySession
from webquarry.models.model import Model
from webquarry.models.result import LinkBlock, Result, TextBlock
from webquarry.observe.call_recording import CallRecorder
from webquarry.observe.metrics import Metrics
from webquarry.prompts import PROMPTS
from webquarry.prompts.prompt import PromptRegistry
from webquarry.resources.resource import Resource, ResourceRegistry, ResourceRequest
from webquarry.server import rest
from webquarry.server.mcp_server import ServerOffer, build_server
from webquarry.server.rest_streams import file_stream
from webquarry.services.exports.export_streams import ExportStream
from webquarry.services.exports.page_rows import jsonl
from webquarry.settings.load import Settings
from webquarry.tools import load_tools

pytestmark = pytest.mark.anyio

_TAGS = "".join(chr(0xE0000 + ord(char)) for char in "obey me")
_HIDDEN = f"\u200b\u2060\u202e{_TAGS}\ufe0f\U000e0101\u3164"
_DIRTY = f"Solar{_HIDDEN} power"
_CLEAN = "Solar power"
# these characters change what people see
_KEPT = "می\u200cر 👩\u200d💻 ❤\ufe0f क\u094d\u200dष 葛\U000e0100 שלום!\u200f"
_BODY = {
    "url": "https://quarry.example/",
    "title": _DIRTY,
    "results": [{"snippet": _DIRTY, "more": [_DIRTY]}],
    _DIRTY: {"name": _DIRTY},
    "kept": _KEPT,
}
_VISIBLE_BODY = {
    "url": "https://quarry.example/",
    "title": _CLEAN,
    "results": [{"snippet": _CLEAN, "more": [_CLEAN]}],
    _CLEAN: {"name": _CLEAN},
    "kept": _KEPT,
}


class NoArguments(Model):
    fails: bool = False
    max_tokens: int | None = None


async def _handler(args: NoArguments, call: Call) -> Result:
    await call.progress(1, 2, _DIRTY)
    call.meta["note"] = _DIRTY
    if args.fails:
        raise PageError(f"the page says {_DIRTY}", details={"quoted": _DIRTY})
    content = (TextBlock(text=_DIRTY), LinkBlock(uri="https://quarry.example/", name=_DIRTY))
    return Result(content=content, structured=_BODY)


def _dirty(real: AnyTool) -> AnyTool:
    """Return the tool with its own name and options, and a result full of such characters."""
    options = replace(
        real.options, cache=None, after_call=None, output_schema=None
    )  # they need the tool's own fields
    return replace(
        real, handler=_handler, input_model=NoArguments, output_model=None, options=options
    )


TOOLS = tuple(_dirty(real) for real in load_tools())
NAMES = tuple(made.name for made in TOOLS)


async def _session_view(_: ResourceRequest) -> dict[str, Any]:
    return _BODY


@pytest.fixture(scope="module")
def offer() -> ServerOffer:
    harness = CallHarness(TOOLS)
    view = Resource("test://view", "View", "A view.", _session_view)
    return ServerOffer(
        path=harness.path,
        services=harness.services,
        resources=ResourceRegistry((view,)),
        prompts=PromptRegistry(PROMPTS),
    )


@pytest.fixture
async def mcp(offer: ServerOffer) -> AsyncIterator[Client]:
    async with Client(build_server(offer, lambda _: ALICE)) as client:
        yield client


@asynccontextmanager
async def _http(offer: ServerOffer) -> AsyncGenerator[httpx2.AsyncClient]:
    app = Starlette(routes=rest.routes(offer.path, lambda _: ALICE, max_body=1000))

    async def with_request_id(scope: Scope, receive: Receive, send: Send) -> None:
        scope.setdefault("state", {})["request_id"] = "r1"  # as the request guard does
        await app(scope, receive, send)

    transport: Any = httpx2.ASGITransport(app=with_request_id)
    async with httpx2.AsyncClient(transport=transport, base_url="http://rest.test") as client:
        yield client


@pytest.mark.parametrize("name", NAMES)
async def test_a_result_over_mcp_is_visible(name: str, mcp: Client) -> None:
    messages: list[str | None] = []

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        assert (progress, total) == (1, 2)
        messages.append(message)

    result = await mcp.call_tool(name, {}, progress_callback=listen)

    sent = result.model_dump(mode="json", by_alias=True, exclude_none=True)
    assert (sent["structuredContent"], messages) == (_VISIBLE_BODY, [_CLEAN])
    assert [block.get("text") or block["name"] for block in sent["content"]] == [_CLEAN, _CLEAN]
    assert sent["_meta"]["note"] == _CLEAN


@pytest.mark.parametrize("name", NAMES)
async def test_an_error_over_mcp_is_visible(name: str, mcp: Client) -> None:
    result = await mcp.call_tool(name, {"fails": True})

    first = result.content[0]
    assert first.type == "text"
    message, _, block = first.text.partition("\n\n")
    assert message == f"the page says {_CLEAN}"
    assert json.loads(block)["error"]["quoted"] == _CLEAN


@pytest.mark.parametrize("name", NAMES)
async def test_a_result_over_rest_is_visible(name: str, offer: ServerOffer) -> None:
    async with _http(offer) as client:
        found = (await client.post(f"/v1/tools/{name}", json={})).json()
        failed = (await client.post(f"/v1/tools/{name}", json={"fails": True})).json()

    assert found.pop("_meta")["note"] == _CLEAN
    assert found == _VISIBLE_BODY
    assert (failed["detail"], failed["quoted"]) == (f"the page says {_CLEAN}", _CLEAN)


@pytest.mark.parametrize("name", NAMES)
async def test_a_result_in_the_library_and_the_command_line_is_visible(
    name: str, offer: ServerOffer
) -> None:
    recorder = CallRecorder(Metrics(), None)
    library = LibrarySession(App(Settings(), offer.services, offer.path, ALICE, recorder))

    assert await library.call(name) == _VISIBLE_BODY


async def test_resources_and_prompts_are_visible(mcp: Client) -> None:
    read = await mcp.read_resource("test://view")
    prompt = await mcp.get_prompt("fact-check", {"claim": _DIRTY})

    text = read.contents[0].model_dump()["text"]
    assert json.loads(text) == _VISIBLE_BODY
    written = prompt.model_dump_json()
    assert _CLEAN in written
    assert not set(_HIDDEN) & set(written)


async def test_a_stored_long_result_and_its_pages_are_visible() -> None:
    class In(Model):
        text: str

    class Out(Model):
        content: str

    @tool("web", ToolOptions(heavy=True))
    async def page(args: In, _: Call) -> Out:
        """Return a page."""
        return Out(content=args.text)

    harness = CallHarness((page,))
    result = await harness.call("page", {"text": _DIRTY * 3000})

    assert result.structured
    stored = await harness.services.artifacts.read(
        result.structured["resource"].rpartition("/")[2], tenant=ALICE.tenant, owner=ALICE.user
    )
    assert json.loads(stored.chunk) == {"content": _CLEAN * 3000}


async def test_raw_pages_are_returned_as_sent() -> None:
    raw = next(made for made in load_tools() if made.name == "scrape_page")

    async def source(_: NoArguments, __: Call) -> Result:
        return Result(structured={"url": "https://a.test/", "content": _DIRTY, "raw": True})

    harness = CallHarness((replace(raw, handler=source, input_model=NoArguments),))

    result = await harness.call("scrape_page", {})

    assert result.structured == {"url": "https://a.test/", "content": _DIRTY, "raw": True}


async def test_the_lines_of_an_export_are_visible() -> None:
    async def lines() -> AsyncGenerator[str]:
        yield json.dumps({"title": _DIRTY}, ensure_ascii=False) + "\n"

    chunks = jsonl(lines())
    response = file_stream(ExportStream("crawl.jsonl", "application/x-ndjson", chunks))

    sent = [chunk async for chunk in response.body_iterator]
    assert sent == [f'{{"title": "{_CLEAN}"}}\n'.encode()]
