"""Values on their way into the store are found at once and stored a moment later."""

import asyncio
from collections.abc import Iterable
from contextvars import ContextVar

import pytest

from webquarry.errors import ProviderError
from webquarry.storage.batch import Batcher
from webquarry.storage.memory_store import MemoryStore
from webquarry.storage.store import StoredValue, Value
from webquarry.storage.write_behind import WriteBehind

pytestmark = pytest.mark.anyio


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Broken(MemoryStore):
    async def set(self, key: str, value: bytes, *, ttl: float | None = None) -> None:
        raise ProviderError("the store is away")


caller: ContextVar[str] = ContextVar("caller")


class Remembering(MemoryStore):
    """Remembers for whom values were written."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[tuple[str, list[str]]] = []

    async def set_all(self, values: Iterable[Value]) -> None:
        self.written.append((caller.get(), [key for key, _, _ in values]))


def soon(store: MemoryStore, clock: Clock) -> WriteBehind[str]:
    return WriteBehind(lambda: store, str.encode, clock)


async def test_a_value_is_found_before_it_is_stored_with_its_age() -> None:
    clock = Clock()
    store = MemoryStore(clock=clock)
    values = soon(store, clock)

    values.put("a", "hello", 60)
    clock.now += 2

    assert values.get("a") == ("hello", 2.0)
    assert await store.get("a") is None
    await values.close()


async def test_closing_stores_what_waits_for_the_time_that_is_left() -> None:
    clock = Clock()
    store = MemoryStore(clock=clock)
    values = soon(store, clock)

    values.put("a", "old", 60)
    values.put("a", "new", 60)
    clock.now += 20
    await values.close()

    assert await store.get("a") == StoredValue(b"new", 1020.0, 1060.0)
    assert values.get("a") is None


async def test_values_are_written_on_behalf_of_whoever_brought_them() -> None:
    store = Remembering()
    values: WriteBehind[str] = WriteBehind(lambda: store, str.encode, Clock(), whose=caller.get)

    for key, who in (("a", "alice"), ("b", "bob"), ("c", "alice")):
        caller.set(who)
        values.put(key, "hello", 60)
    await values.close()

    assert store.written == [("alice", ["a", "c"]), ("bob", ["b"])]


async def test_values_whose_owner_nobody_names_are_written_one_by_one() -> None:
    store = Remembering()
    values: WriteBehind[str] = WriteBehind(lambda: store, str.encode, Clock())

    for key, who in (("a", "alice"), ("b", "bob")):
        caller.set(who)
        values.put(key, "hello", 60)
    await values.close()

    assert store.written == [("alice", ["a"]), ("bob", ["b"])]


async def test_values_that_never_stop_coming_are_stored_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("webquarry.storage.write_behind._LONGEST", 0.01)
    caller.set("alice")
    store = Remembering()
    values: WriteBehind[str] = WriteBehind(lambda: store, str.encode, Clock())

    async with asyncio.timeout(20):
        while not store.written:
            values.put("a", "hello", 60)
            await asyncio.sleep(0)
    await values.close()

    assert store.written[0] == ("alice", ["a"])


async def test_a_value_that_has_expired_is_neither_found_nor_stored() -> None:
    clock = Clock()
    store = MemoryStore(clock=clock)
    values = soon(store, clock)

    values.put("a", "hello", 60)
    clock.now += 60

    assert values.get("a") is None
    await values.close()
    assert await store.get("a") is None


async def test_a_store_that_is_away_is_said_in_the_log_and_hurts_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    values = soon(Broken(), Clock())

    values.put("a", "hello", 60)
    await values.close()

    assert [record.message for record in caplog.records] == [
        "1 values are not kept: the store is away"
    ]


async def test_what_arrives_in_one_turn_is_handled_in_one_go() -> None:
    seen: list[list[int]] = []

    async def handle(items: list[int]) -> None:
        seen.append(items)

    together = Batcher(handle)
    await asyncio.gather(together.add(1), together.add(2))
    await together.add(3)

    assert seen == [[1, 2], [3]]


async def test_a_failure_reaches_everyone_of_its_go_and_nobody_else() -> None:
    async def handle(items: list[int]) -> None:
        if 2 in items:
            raise ProviderError("no")

    together = Batcher(handle)
    outcomes = await asyncio.gather(together.add(1), together.add(2), return_exceptions=True)
    await together.add(3)

    assert [str(outcome) for outcome in outcomes] == ["no", "no"]
