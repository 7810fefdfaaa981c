"""Stored data is encrypted, and tampered data is ignored."""

import pytest

from tests.storage.store_harness import KEY, OTHER_KEY, START, RedisHarness, SharedHarness
from webquarry.storage.store import LockedError, StoredValue

pytestmark = pytest.mark.anyio

SECRET = b"the secret of the owner"


async def test_neither_values_nor_keys_are_readable_at_rest(shared_harness: SharedHarness) -> None:
    store = shared_harness.open()
    await store.set("session:alice@example.org", SECRET, ttl=60)
    await store.increment("visits:alice@example.org")
    await store.append("notes:alice@example.org", SECRET, ttl=60)
    async with store.lock("lock:alice@example.org", ttl=60):
        raw = await shared_harness.raw_bytes()
    assert len(raw) > 100
    for plain in (SECRET, b"alice", b"session", b"visits", b"notes", b"lock:a"):
        assert plain not in raw
        assert plain.hex().encode() not in raw


async def test_the_same_value_is_encrypted_differently_each_time(
    shared_harness: SharedHarness,
) -> None:
    store = shared_harness.open()
    await store.set("a", SECRET)
    first = await shared_harness.raw_bytes()
    await store.set("a", SECRET)
    assert await shared_harness.raw_bytes() != first


async def test_a_store_with_another_encryption_key_finds_nothing(
    shared_harness: SharedHarness,
) -> None:
    await shared_harness.open(KEY).set("item:1", SECRET)
    stranger = shared_harness.open(OTHER_KEY)
    assert await stranger.get("item:1") is None
    assert await stranger.ttl("item:1") is None
    assert [key async for key in stranger.scan("")] == []
    await stranger.set("item:1", b"mine")
    assert await shared_harness.open(KEY).get("item:1") == StoredValue(SECRET, START, None)


async def test_after_key_rotation_stored_values_are_still_found(
    shared_harness: SharedHarness,
) -> None:
    old = shared_harness.open(KEY)
    await old.set("item:1", b"one", ttl=60)
    await old.set("item:2", b"two")
    await old.increment("visits", 7, ttl=1000)
    new = shared_harness.open(OTHER_KEY, previous=KEY)
    assert await new.get("item:1") == StoredValue(b"one", START, START + 60)
    assert await new.ttl("item:1") == 60
    assert sorted([key async for key in new.scan("item:")]) == ["item:1", "item:2"]
    assert sorted([key async for key in new.scan("")]) == ["item:1", "item:2"]
    assert await new.increment("visits") == 8
    assert await new.increment("visits") == 9
    assert await new.delete("item:2") is True
    assert await old.get("item:2") is None


async def test_after_key_rotation_a_log_is_continued(shared_harness: SharedHarness) -> None:
    await shared_harness.open(KEY).append("notes:1", b"one", ttl=60)
    rotating = shared_harness.open(OTHER_KEY, previous=KEY)
    assert await rotating.entries("notes:1") == [b"one"]
    assert await rotating.renew("notes:1", ttl=50) is True
    assert await rotating.append("notes:1", b"two", ttl=60, create=False) == 2
    assert await rotating.entries("notes:1") == [b"one", b"two"]
    assert [key async for key in rotating.logs("notes:")] == ["notes:1"]
    assert await shared_harness.open(KEY).entries("notes:1") is None
    assert await rotating.delete("notes:1") is True
    assert await rotating.entries("notes:1") is None


async def test_a_log_cannot_be_read_or_extended_with_another_encryption_key(
    shared_harness: SharedHarness,
) -> None:
    owner, stranger = shared_harness.open(KEY), shared_harness.open(OTHER_KEY)
    await owner.append("notes:1", SECRET, ttl=60)
    assert await stranger.entries("notes:1") is None
    assert await stranger.append("notes:1", b"mine", ttl=60, create=False) is None
    assert [key async for key in stranger.logs("")] == []
    assert await owner.entries("notes:1") == [SECRET]


async def test_after_key_rotation_writes_use_only_the_new_key(
    shared_harness: SharedHarness,
) -> None:
    await shared_harness.open(KEY).set("item:1", b"old")
    rotating = shared_harness.open(OTHER_KEY, previous=KEY)
    await rotating.set("item:1", b"new")
    assert [key async for key in rotating.scan("item:")] == ["item:1"]
    assert await shared_harness.open(OTHER_KEY).get("item:1") == StoredValue(b"new", START, None)
    assert await shared_harness.open(KEY).get("item:1") is None


async def test_locks_exclude_processes_that_still_use_the_old_key(
    shared_harness: SharedHarness,
) -> None:
    old, new = shared_harness.open(KEY), shared_harness.open(OTHER_KEY, previous=KEY)
    async with old.lock("job", ttl=60):
        with pytest.raises(LockedError):
            async with new.lock("job", ttl=60):
                pytest.fail("the lock was acquired twice")
    async with new.lock("job", ttl=60):
        with pytest.raises(LockedError):
            async with old.lock("job", ttl=60):
                pytest.fail("the lock was acquired twice")


async def test_a_value_expires_even_if_redis_lost_its_expiry(redis_harness: RedisHarness) -> None:
    store = redis_harness.open()
    await store.set("item:1", b"body", ttl=60)
    for name in await redis_harness.names():
        await redis_harness.admin.persist(name)
    redis_harness.clock.now += 60
    assert await store.get("item:1") is None
    assert await store.ttl("item:1") is None
    assert [key async for key in store.scan("item:")] == []


async def test_foreign_data_under_the_key_of_a_value_is_a_miss(redis_harness: RedisHarness) -> None:
    store = redis_harness.open()
    await store.set("item:1", b"body")
    (name,) = await redis_harness.names()
    await redis_harness.admin.set(name, b"not a hash")
    await redis_harness.admin.set("webquarry:value:0:not hexadecimal", b"foreign")
    assert await store.get("item:1") is None
    assert await store.ttl("item:1") is None
    assert [key async for key in store.scan("")] == []
    await store.set("item:1", b"new")
    assert await store.get("item:1") == StoredValue(b"new", START, None)
