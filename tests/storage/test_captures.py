"""Captures: the text of a page at the time it was quoted."""

import pytest

from webquarry.storage.captures import Capture, Captures, digest
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio

URL, TEXT = "https://owls.test/1", "Owls hunt at night. 梟 \ud800"
ALICE = {"tenant": "acme", "owner": "alice"}


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def test_a_capture_is_found_by_its_url_and_hash() -> None:
    captures = Captures(MemoryStore(), clock=Clock())

    kept = await captures.save(URL, "Owls", TEXT, **ALICE)

    assert kept == Capture(
        url=URL, title="Owls", captured_at=1000.0, text=TEXT, sha256=digest(TEXT)
    )
    assert kept.is_intact
    assert await captures.get(URL, kept.sha256, **ALICE) == kept


async def test_the_same_text_of_another_page_is_another_capture() -> None:
    captures = Captures(MemoryStore())
    one = await captures.save(URL, "Owls", TEXT, **ALICE)
    other = await captures.save("https://copy.test/", "Owls", TEXT, **ALICE)

    assert (await captures.get(URL, one.sha256, **ALICE) or other).url == URL
    assert len(await captures.export("acme", "alice")) == 2


async def test_saving_a_capture_again_keeps_its_time_and_extends_its_expiry() -> None:
    clock = Clock()
    captures = Captures(MemoryStore(clock=clock), ttl=100, clock=clock)
    first = await captures.save(URL, "Owls", TEXT, **ALICE)
    clock.now += 80
    await captures.save(URL, "Owls", TEXT, **ALICE)
    clock.now += 80

    assert await captures.get(URL, first.sha256, **ALICE) == first
    clock.now += 80
    assert await captures.get(URL, first.sha256, **ALICE) is None


@pytest.mark.parametrize(
    "other", [{"tenant": "acme", "owner": "bob"}, {"tenant": "other", "owner": "alice"},
              {"tenant": "acme:alice", "owner": ""}]
)  # fmt: skip
async def test_another_user_cannot_read_or_erase_a_capture(other: dict[str, str]) -> None:
    captures = Captures(MemoryStore())
    kept = await captures.save(URL, "Owls", TEXT, **ALICE)

    assert await captures.get(URL, kept.sha256, **other) is None
    assert await captures.export(other["tenant"], other["owner"]) == []
    assert await captures.erase(other["tenant"], other["owner"]) == 0
    assert await captures.get(URL, kept.sha256, **ALICE) == kept


async def test_captures_are_exported_and_erased_by_owner() -> None:
    captures = Captures(MemoryStore(), clock=Clock())
    kept = [await captures.save(f"{URL}/{n}", "Owls", f"{TEXT} {n}", **ALICE) for n in range(3)]

    assert await captures.export("acme", "alice") == [capture.model_dump() for capture in kept]
    assert await captures.erase("acme", "alice") == 3
    assert await captures.export("acme", "alice") == []


def test_a_changed_text_is_detected() -> None:
    changed = Capture(url=URL, captured_at=0, text="Owls hunt by day.", sha256=digest(TEXT))

    assert not changed.is_intact
