"""Write-behind: values are readable at once and written later in batches."""

import asyncio
from collections.abc import Sequence

import pytest

from webquarry.errors import ProviderError
from webquarry.models.caller import Caller
from webquarry.storage.cached_result_owners import OwnedResults
from webquarry.storage.memory_store import MemoryStore
from webquarry.storage.store import StoredValue, StoreWrite
from webquarry.storage.write_behind import WriteBehind, WriteQueue

pytestmark = pytest.mark.anyio

ALICE, BOB = (
    Caller(tenant="acme", user="alice", proved=True),
    Caller(tenant="acme", user="bob", proved=True),
)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class BrokenStore(MemoryStore):
    async def _write(self, writes: Sequence[StoreWrite]) -> None:
        raise ProviderError("the store is unavailable")


class RecordingStore(MemoryStore):
    """Records what is written, in which batch and order, without the generation of caches."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[list[str]] = []

    async def _write(self, writes: Sequence[StoreWrite]) -> None:
        self.batches.append([write.key.partition("~")[0] for write in writes])


class SlowStore(MemoryStore):
    """Writes when it may."""

    def __init__(self) -> None:
        super().__init__()
        self.started, self.may_write = asyncio.Event(), asyncio.Event()

    async def _write(self, writes: Sequence[StoreWrite]) -> None:
        self.started.set()
        await self.may_write.wait()
        await super()._write(writes)


def write_behind(store: MemoryStore, clock: Clock) -> WriteBehind[str]:
    return WriteBehind(lambda: store, str.encode, clock)


async def test_a_pending_value_is_readable_with_its_age() -> None:
    clock = Clock()
    store = MemoryStore(clock=clock)
    values = write_behind(store, clock)

    values.put("page:a", "hello", 60, owner=None)
    clock.now += 2

    assert values.get("page:a") == ("hello", 2.0)
    assert await store.get("page:a") is None
    await values.flush()


async def test_flushing_writes_pending_values_with_their_remaining_ttl() -> None:
    clock = Clock()
    store = MemoryStore(clock=clock)
    values = write_behind(store, clock)

    values.put("page:a", "old", 60, owner=None)
    values.put("page:a", "new", 60, owner=None)
    clock.now += 20
    await values.flush()

    assert await store.get("page:a") == StoredValue(b"new", 1020.0, 1060.0)
    assert values.get("page:a") is None


async def test_a_value_is_readable_while_it_is_written() -> None:
    store = SlowStore()
    values = write_behind(store, Clock())

    values.put("page:a", "hello", 60, owner=None)
    flushing = asyncio.create_task(values.flush())
    await store.started.wait()
    assert values.get("page:a") == ("hello", 0.0)
    store.may_write.set()
    await flushing

    assert values.get("page:a") is None
    assert await store.get("page:a") is not None


async def test_the_owner_mark_is_written_before_the_value() -> None:
    store = RecordingStore()
    values = write_behind(store, Clock())

    for key, owner in (("page:a", ALICE), ("page:b", BOB), ("page:c", None)):
        values.put(key, "hello", 60, owner=owner)
    await values.flush()

    marks = ["owned:acme:alice:page%3Aa", "owned:acme:bob:page%3Ab"]
    assert store.batches == [[*marks, "page:a", "page:b", "page:c"]]


async def test_a_constant_stream_of_values_is_still_written() -> None:
    store = RecordingStore()
    values: WriteBehind[str] = WriteBehind(lambda: store, str.encode, Clock(), max_delay=0.01)

    async with asyncio.timeout(20):
        while not store.batches:
            values.put("page:a", "hello", 60, owner=None)
            await asyncio.sleep(0)
    await values.flush()

    assert store.batches[0] == ["page:a"]


async def test_an_expired_pending_value_is_neither_returned_nor_written() -> None:
    clock = Clock()
    store = MemoryStore(clock=clock)
    values = write_behind(store, clock)

    values.put("page:a", "hello", 60, owner=None)
    clock.now += 60

    assert values.get("page:a") is None
    await values.flush()
    assert await store.get("page:a") is None


async def test_a_failing_store_is_logged_and_raises_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    values = write_behind(BrokenStore(), Clock())

    values.put("page:a", "hello", 60, owner=None)
    await values.flush()

    messages = [record.message for record in caplog.records]
    assert messages == ["1 values could not be stored: the store is unavailable"]


class Batches:
    """A writer that waits for an event before it writes."""

    def __init__(self) -> None:
        self.written: list[list[str]] = []
        self.may_write = asyncio.Event()
        self.wrote = asyncio.Event()

    async def __call__(self, items: list[str]) -> None:
        await self.may_write.wait()
        self.written.append(items)
        self.wrote.set()


async def test_items_are_written_in_one_batch_with_the_last_of_each_key() -> None:
    batches = Batches()
    batches.may_write.set()
    queue: WriteQueue[str, str] = WriteQueue(batches, name="items", idle=60)

    for key, item in (("a", "old"), ("b", "other"), ("a", "new")):
        queue.enqueue(key, item)
    await queue.flush()

    assert batches.written == [["new", "other"]]


async def test_items_queued_during_a_write_are_written_next() -> None:
    batches = Batches()
    queue: WriteQueue[str, str] = WriteQueue(batches, name="items", idle=60)

    queue.enqueue("a", "first")
    first = asyncio.create_task(queue.flush())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    queue.enqueue("b", "second")
    second = asyncio.create_task(queue.flush())
    assert batches.written == []
    batches.may_write.set()
    await asyncio.gather(first, second)

    assert batches.written == [["first"], ["second"]]


async def test_a_cancelled_flush_does_not_interrupt_the_write() -> None:
    batches = Batches()
    queue: WriteQueue[str, str] = WriteQueue(batches, name="items", idle=60)

    queue.enqueue("a", "first")
    flushing = asyncio.create_task(queue.flush())
    await asyncio.sleep(0)
    flushing.cancel()
    batches.may_write.set()
    await queue.flush()

    assert batches.written == [["first"]]


async def test_a_full_queue_is_written_at_once() -> None:
    batches = Batches()
    batches.may_write.set()
    queue: WriteQueue[str, str] = WriteQueue(batches, name="items", idle=60, max_size=10)

    queue.enqueue("a", "first", size=4)
    queue.enqueue("b", "second", size=6)
    await asyncio.wait_for(batches.wrote.wait(), 20)

    assert batches.written == [["first", "second"]]
    await queue.flush()


async def test_two_people_who_store_the_same_value_both_own_it() -> None:
    store = MemoryStore()
    values = write_behind(store, Clock())

    values.put("page:1", "text", 60, owner=ALICE)
    values.put("page:1", "text", 60, owner=BOB)
    values.put("page:1", "text", 60, owner=None)
    await values.flush()

    owned = [len(await OwnedResults(store).export("acme", one.user)) for one in (ALICE, BOB)]
    assert owned == [1, 1]
