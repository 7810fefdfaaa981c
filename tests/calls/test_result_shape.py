"""Large results: linked or previewed, never sent twice."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import ALICE, BOB, CallHarness, text_of
from webquarry.calls.field_summary import field_summary
from webquarry.calls.result_shape import PREVIEW_BYTES
from webquarry.calls.tool import AnyTool, Call, ToolOptions, tool
from webquarry.content.text.token_count import compact_json, json_size
from webquarry.errors import NotFoundError
from webquarry.models.model import Model
from webquarry.models.result import LinkBlock
from webquarry.resources import RESOURCES
from webquarry.resources.resource import ResourceRegistry

pytestmark = pytest.mark.anyio

LINK_AT = 24 * 1024


class In(Model):
    size: int


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
    desk = CallHarness((big(heavy=True),))

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
    }
    assert text_of(result).startswith(
        "url: https://example.org/\ncontent (20000 characters): ééééé"
    )
    assert text_of(result).endswith(f"\n\n[Shortened: the full result has 40043 bytes, at {uri}.]")
    assert 7000 < len(compact_json(result.structured).encode()) <= 8000
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


@pytest.mark.parametrize("size", [0, 100, 12_000])
async def test_below_the_threshold_everything_is_inline(size: int) -> None:
    result = await CallHarness((big(heavy=True),)).call("page", {"size": size})

    assert result.structured == {"url": "https://example.org/", "content": "é" * size}
    assert json.loads(text_of(result)) == result.structured


async def test_exactly_at_the_threshold_a_heavy_result_is_linked() -> None:
    frame = len(json.dumps({"url": "https://example.org/", "content": ""}, separators=(",", ":")))
    desk = CallHarness((big(heavy=True),), {"link_at": frame + 200})

    below = await desk.call("page", {"size": 99})
    at = await desk.call("page", {"size": 100})

    assert below.structured is not None
    assert "linked" not in below.structured
    assert at.structured is not None
    assert at.structured["linked"] is True


async def test_another_large_result_is_sent_once_with_a_preview() -> None:
    result = await CallHarness((big(heavy=False),)).call("page", {"size": 20_000})

    assert result.structured == {"url": "https://example.org/", "content": "é" * 20_000}
    preview = text_of(result)
    assert preview.startswith('{"url":"https://example.org/","content":"éé')
    assert len(preview.encode()) < PREVIEW_BYTES + 300
    assert "[40043 bytes in total: structuredContent has the full result, " in preview
    assert isinstance(result.content[1], LinkBlock)


def test_a_heavy_tool_does_not_promise_the_fields_it_may_replace() -> None:
    assert "required" not in big(heavy=True).definition()["outputSchema"]
    assert "required" in big(heavy=False).definition()["outputSchema"]


@given(
    st.dictionaries(st.text(max_size=20), st.text(max_size=500) | st.lists(st.integers()),
                    max_size=8),
    st.integers(min_value=0, max_value=3000),
)  # fmt: skip
def test_a_summary_by_field_never_exceeds_its_room(body: dict[str, object], room: int) -> None:
    assert json_size(field_summary(body, room)) - 2 <= room
