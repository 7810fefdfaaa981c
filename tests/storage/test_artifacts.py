import hashlib

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.storage.store_harness import START, StoreHarness
from webquarry.errors import BadInputError, NotFoundError
from webquarry.storage.artifacts import Artifact, Artifacts, Slice
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio

TEXT_TYPES = ["text/plain", "text/markdown; charset=utf-8", "application/json", "image/svg+xml"]


async def _pages(body: bytes, mime: str, length: int) -> list[Slice]:
    artifacts = Artifacts(MemoryStore())
    artifact = await artifacts.put(body, mime=mime, tenant="t", owner="o")
    pages: list[Slice] = []
    offset: int | None = 0
    while offset is not None:
        page = await artifacts.read(
            artifact.id, tenant="t", owner="o", offset=offset, length=length
        )
        pages.append(page)
        offset = page.next_offset
    return pages


async def test_a_stored_artifact_can_be_read_by_its_owner(harness: StoreHarness) -> None:
    artifacts = Artifacts(harness.open(), clock=harness.clock)
    artifact = await artifacts.put(b"body", mime="text/plain", tenant="t", owner="o")
    digest = hashlib.sha256(b"body").hexdigest()
    assert artifact == Artifact(
        id=digest,
        uri=f"research://artifact/{digest}",
        bytes=4,
        mime="text/plain",
        expires_at=START + 1800,
    )
    assert await artifacts.read(digest, tenant="t", owner="o") == Slice(
        chunk=b"body", offset=0, total=4, mime="text/plain", next_offset=None
    )


async def test_a_part_includes_the_next_offset() -> None:
    assert await _pages(b"0123456789", "application/pdf", 4) == [
        Slice(chunk=b"0123", offset=0, total=10, mime="application/pdf", next_offset=4),
        Slice(chunk=b"4567", offset=4, total=10, mime="application/pdf", next_offset=8),
        Slice(chunk=b"89", offset=8, total=10, mime="application/pdf", next_offset=None),
    ]


async def test_a_character_longer_than_the_part_is_not_split() -> None:
    assert [page.chunk for page in await _pages("a€😀".encode(), "text/plain", 1)] == [
        b"a",
        "€".encode(),
        "😀".encode(),
    ]


async def test_an_offset_inside_a_character_starts_at_the_character() -> None:
    artifacts = Artifacts(MemoryStore())
    artifact = await artifacts.put("é€".encode(), mime="text/plain", tenant="t", owner="o")
    page = await artifacts.read(artifact.id, tenant="t", owner="o", offset=4, length=3)
    assert page == Slice(chunk="€".encode(), offset=2, total=5, mime="text/plain", next_offset=None)


async def test_an_empty_body_has_one_empty_part() -> None:
    assert await _pages(b"", "text/plain", 10) == [
        Slice(chunk=b"", offset=0, total=0, mime="text/plain", next_offset=None)
    ]


@given(
    text=st.text(st.characters(codec="utf-8"), max_size=200),
    length=st.integers(1, 50),
    mime=st.sampled_from(TEXT_TYPES),
)
def test_the_parts_of_a_text_split_no_character_and_join_to_the_text(
    text: str, length: int, mime: str
) -> None:
    pages = anyio.run(_pages, text.encode(), mime, length)
    assert "".join(page.chunk.decode() for page in pages) == text
    assert all(len(page.chunk) <= max(length, 4) for page in pages)


@given(
    body=st.binary(max_size=200) | st.text("\x80\xc3é€😀", max_size=50).map(str.encode),
    length=st.integers(1, 50),
    mime=st.sampled_from([*TEXT_TYPES, "application/pdf"]),
)
def test_the_parts_of_any_body_join_to_the_body(body: bytes, length: int, mime: str) -> None:
    pages = anyio.run(_pages, body, mime, length)
    assert b"".join(page.chunk for page in pages) == body


@pytest.mark.parametrize(
    ("tenant", "owner"), [("t", "x"), ("x", "o"), ("t:o", ""), ("", "t:o"), ("t%3Ao", "")]
)
async def test_another_user_cannot_read_an_artifact(
    harness: StoreHarness, tenant: str, owner: str
) -> None:
    artifacts = Artifacts(harness.open())
    artifact = await artifacts.put(b"body", mime="text/plain", tenant="t", owner="o")
    with pytest.raises(NotFoundError):
        await artifacts.read(artifact.id, tenant=tenant, owner=owner)


async def test_owners_with_colons_are_not_confused() -> None:
    artifacts = Artifacts(MemoryStore())
    artifact = await artifacts.put(b"body", mime="text/plain", tenant="a", owner="b:c")
    with pytest.raises(NotFoundError):
        await artifacts.read(artifact.id, tenant="a:b", owner="c")


async def test_an_expired_artifact_says_to_run_the_tool_again(harness: StoreHarness) -> None:
    artifacts = Artifacts(harness.open(), ttl=60)
    artifact = await artifacts.put(b"body", mime="text/plain", tenant="t", owner="o")
    await harness.advance(60)
    with pytest.raises(NotFoundError) as caught:
        await artifacts.read(artifact.id, tenant="t", owner="o")
    assert str(caught.value) == (f"{artifact.uri} has expired or never existed; run the tool again")


@pytest.mark.parametrize("artifact_id", ["", "x", "0" * 64, "../secret", "\ud800"])
async def test_an_unknown_artifact_is_not_found(artifact_id: str) -> None:
    with pytest.raises(NotFoundError, match="has expired or never existed"):
        await Artifacts(MemoryStore()).read(artifact_id, tenant="t", owner="o")


@pytest.mark.parametrize(
    ("offset", "length", "complaint"),
    [
        (-1, None, "offset must be between 0 and 4, got -1"),
        (5, None, "offset must be between 0 and 4, got 5"),
        (0, 0, "length must be at least 1, got 0"),
        (0, -5, "length must be at least 1, got -5"),
    ],
)
async def test_a_range_outside_the_body_names_the_field(
    offset: int, length: int | None, complaint: str
) -> None:
    artifacts = Artifacts(MemoryStore())
    artifact = await artifacts.put(b"body", mime="text/plain", tenant="t", owner="o")
    with pytest.raises(BadInputError) as caught:
        await artifacts.read(artifact.id, tenant="t", owner="o", offset=offset, length=length)
    assert str(caught.value) == complaint


@pytest.mark.parametrize("mime", ["", "text", "text/plain\nx", "text/plain; a\r\nb"])
async def test_an_invalid_media_type_is_rejected(mime: str) -> None:
    with pytest.raises(BadInputError, match="mime must be a media type"):
        await Artifacts(MemoryStore()).put(b"body", mime=mime, tenant="t", owner="o")


async def test_erasing_an_owner_keeps_the_artifacts_of_others(harness: StoreHarness) -> None:
    artifacts = Artifacts(harness.open())
    for body in (b"one", b"two"):
        await artifacts.put(body, mime="text/plain", tenant="t", owner="o")
    other = await artifacts.put(b"one", mime="text/plain", tenant="t", owner="other")
    assert await artifacts.erase(tenant="t", owner="o") == 2
    assert await artifacts.erase(tenant="t", owner="o") == 0
    assert (await artifacts.read(other.id, tenant="t", owner="other")).chunk == b"one"
