"""Text first: a result is readable text; a link to a large one is an addition."""

import json

import pytest

from tests.support import ALICE, BOB, CallHarness, text_of
from webquarry.calls.paging import Cursor
from webquarry.calls.tool import AnyTool, Call, ToolOptions, tool
from webquarry.content.text.token_count import compact_json
from webquarry.errors import NotFoundError
from webquarry.models.model import Model
from webquarry.models.result import LinkBlock
from webquarry.resources import RESOURCES
from webquarry.resources.resource import ResourceRegistry

pytestmark = pytest.mark.anyio

LINK_AT = 24 * 1024


class In(Model):
    size: int
    cursor: Cursor = None


class Out(Model):
    url: str
    content: str


def big(*, heavy: bool) -> AnyTool:
    @tool("web", ToolOptions(heavy=heavy))
    async def page(args: In, _: Call) -> Out:
        """Return a page."""
        return Out(url="https://example.org/", content="é" * args.size)

    return page


async def test_a_heavy_result_becomes_a_link_that_opens() -> None:
    desk = CallHarness((big(heavy=True),), {"summary_tokens": 1000})

    result = await desk.call("page", {"size": 20_000})

    assert result.structured is not None
    uri = result.structured["resource"]
    assert result.structured == {
        "resource": uri,
        "bytes": 40_043,
        "mimeType": "application/json",
        "expiresAt": result.structured["expiresAt"],
        "summary": text_of(result),
        "linked": True,
        "nextCursor": result.structured["nextCursor"],
    }
    assert text_of(result).startswith("url: https://example.org/\n\ncontent:\n\nééééé")
    cursor = result.structured["nextCursor"]
    assert text_of(result).endswith(
        f"\n\nPart 1 of 12. Call again with cursor={cursor} for the rest."
    )
    assert 3000 < len(compact_json(result.structured).encode()) <= 4000
    assert isinstance(result.content[1], LinkBlock)
    assert result.content[1].uri == uri
    reading = await ResourceRegistry(RESOURCES).read(uri, ALICE, desk.services)
    assert json.loads(reading.body) == {"url": "https://example.org/", "content": "é" * 20_000}


async def test_a_link_opens_for_its_owner_only() -> None:
    desk = CallHarness((big(heavy=True),))
    result = await desk.call("page", {"size": 20_000})
    assert result.structured is not None

    with pytest.raises(NotFoundError):
        await ResourceRegistry(RESOURCES).read(result.structured["resource"], BOB, desk.services)


async def test_a_link_can_be_read_in_pieces() -> None:
    desk = CallHarness((big(heavy=True),))
    result = await desk.call("page", {"size": 20_000})
    assert result.structured is not None
    uri, library, offset, text = result.structured["resource"], ResourceRegistry(RESOURCES), 0, ""

    while offset is not None:
        piece = await library.read(f"{uri}?offset={offset}&length=7001", ALICE, desk.services)
        assert isinstance(piece.body, str)
        assert piece.meta is not None
        text += piece.body
        offset = piece.meta.get("nextOffset")

    assert json.loads(text)["content"] == "é" * 20_000


@pytest.mark.parametrize("size", [1, 100, 12_000])
async def test_below_the_threshold_everything_is_inline(size: int) -> None:
    result = await CallHarness((big(heavy=True),)).call("page", {"size": size})

    assert result.structured == {"url": "https://example.org/", "content": "é" * size}
    separator = ": " if size <= 100 else ":\n\n"
    assert text_of(result).endswith(f"content{separator}{'é' * size}")


async def test_exactly_at_the_threshold_a_heavy_result_is_linked() -> None:
    frame = len(json.dumps({"url": "https://example.org/", "content": ""}, separators=(",", ":")))
    desk = CallHarness((big(heavy=True),), {"link_at": frame + 200})

    below = await desk.call("page", {"size": 99})
    at = await desk.call("page", {"size": 100})

    assert below.structured is not None
    assert "linked" not in below.structured
    assert at.structured is not None
    assert at.structured["linked"] is True


async def test_another_large_result_is_text_with_a_link() -> None:
    result = await CallHarness((big(heavy=False),)).call("page", {"size": 15_000})

    assert result.structured == {"url": "https://example.org/", "content": "é" * 15_000}
    assert text_of(result) == f"url: https://example.org/\n\ncontent:\n\n{'é' * 15_000}"
    assert isinstance(result.content[1], LinkBlock)


def test_a_heavy_tool_does_not_promise_the_fields_it_may_replace() -> None:
    assert "required" not in big(heavy=True).definition()["outputSchema"]


def test_a_tool_whose_text_may_come_in_parts_promises_no_field() -> None:
    assert "required" not in big(heavy=False).definition()["outputSchema"]
