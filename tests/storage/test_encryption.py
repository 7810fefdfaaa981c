"""What is kept is encrypted, and what was tampered with is not believed."""

import pytest

from tests.storage.labs import KEY, OTHER_KEY, START, RedisLab, SharedLab
from webquarry.storage.store import LockedError, StoredValue

pytestmark = pytest.mark.anyio

SECRET = b"the secret of the owner"


async def test_neither_values_nor_names_are_readable_at_rest(shared_lab: SharedLab) -> None:
    store = shared_lab.open()
    await store.set("session:alice@example.org", SECRET, ttl=60)
    await store.increment("visits:alice@example.org")
    await store.append("notes:alice@example.org", SECRET, ttl=60)
    async with store.lock("lock:alice@example.org", ttl=60):
        raw = await shared_lab.at_rest()
    assert len(raw) > 100
    for plain in (SECRET, b"alice", b"session", b"visits", b"notes", b"lock:a"):
        assert plain not in raw
        assert plain.hex().encode() not in raw


async def test_the_same_value_never_looks_the_same_twice(shared_lab: SharedLab) -> None:
    store = shared_lab.open()
    await store.set("a", SECRET)
    first = await shared_lab.at_rest()
    await store.set("a", SECRET)
    assert await shared_lab.at_rest() != first


async def test_a_store_with_another_key_finds_nothing(shared_lab: SharedLab) -> None:
    await shared_lab.open(KEY).set("page:1", SECRET)
    stranger = shared_lab.open(OTHER_KEY)
    assert await stranger.get("page:1") is None
    assert await stranger.ttl("page:1") is None
    assert [key async for key in stranger.scan("")] == []
    await stranger.set("page:1", b"mine")
    assert await shared_lab.open(KEY).get("page:1") == StoredValue(SECRET, START, None)


async def test_after_a_new_key_what_was_stored_is_still_found(shared_lab: SharedLab) -> None:
    old = shared_lab.open(KEY)
    await old.set("page:1", b"one", ttl=60)
    await old.set("page:2", b"two")
    await old.increment("visits", 7, ttl=1000)
    new = shared_lab.open(OTHER_KEY, previous=KEY)
    assert await new.get("page:1") == StoredValue(b"one", START, START + 60)
    assert await new.ttl("page:1") == 60
    assert sorted([key async for key in new.scan("page:")]) == ["page:1", "page:2"]
    assert sorted([key async for key in new.scan("")]) == ["page:1", "page:2"]
    assert await new.increment("visits") == 8
    assert await new.increment("visits") == 9
    assert await new.delete("page:2") is True
    assert await old.get("page:2") is None


async def test_after_a_new_key_a_log_goes_on(shared_lab: SharedLab) -> None:
    await shared_lab.open(KEY).append("notes:1", b"one", ttl=60)
    rotating = shared_lab.open(OTHER_KEY, previous=KEY)
    assert await rotating.entries("notes:1") == [b"one"]
    assert await rotating.renew("notes:1", ttl=50) is True
    assert await rotating.append("notes:1", b"two", ttl=60, create=False) == 2
    assert await rotating.entries("notes:1") == [b"one", b"two"]
    assert [key async for key in rotating.logs("notes:")] == ["notes:1"]
    assert await shared_lab.open(KEY).entries("notes:1") is None
    assert await rotating.delete("notes:1") is True
    assert await rotating.entries("notes:1") is None


async def test_a_stranger_sees_no_log_and_cannot_add_to_it(shared_lab: SharedLab) -> None:
    owner, stranger = shared_lab.open(KEY), shared_lab.open(OTHER_KEY)
    await owner.append("notes:1", SECRET, ttl=60)
    assert await stranger.entries("notes:1") is None
    assert await stranger.append("notes:1", b"mine", ttl=60, create=False) is None
    assert [key async for key in stranger.logs("")] == []
    assert await owner.entries("notes:1") == [SECRET]


async def test_after_a_new_key_writes_use_only_that_key(shared_lab: SharedLab) -> None:
    await shared_lab.open(KEY).set("page:1", b"old")
    rotating = shared_lab.open(OTHER_KEY, previous=KEY)
    await rotating.set("page:1", b"new")
    assert [key async for key in rotating.scan("page:")] == ["page:1"]
    assert await shared_lab.open(OTHER_KEY).get("page:1") == StoredValue(b"new", START, None)
    assert await shared_lab.open(KEY).get("page:1") is None


async def test_locks_exclude_processes_that_have_not_got_the_new_key_yet(
    shared_lab: SharedLab,
) -> None:
    old, new = shared_lab.open(KEY), shared_lab.open(OTHER_KEY, previous=KEY)
    async with old.lock("job", ttl=60):
        with pytest.raises(LockedError):
            async with new.lock("job", ttl=60):
                pytest.fail("the lock was given twice")
    async with new.lock("job", ttl=60):
        with pytest.raises(LockedError):
            async with old.lock("job", ttl=60):
                pytest.fail("the lock was given twice")


async def test_a_value_whose_time_redis_was_told_to_forget_expires(redis_lab: RedisLab) -> None:
    store = redis_lab.open()
    await store.set("page:1", b"body", ttl=60)
    for name in await redis_lab.names():
        await redis_lab.admin.persist(name)
    redis_lab.clock.now += 60
    assert await store.get("page:1") is None
    assert await store.ttl("page:1") is None
    assert [key async for key in store.scan("page:")] == []


async def test_something_else_under_the_name_of_a_value_is_a_miss(redis_lab: RedisLab) -> None:
    store = redis_lab.open()
    await store.set("page:1", b"body")
    (name,) = await redis_lab.names()
    await redis_lab.admin.set(name, b"not a hash")
    await redis_lab.admin.set("webquarry:value:0:not hexadecimal", b"foreign")
    assert await store.get("page:1") is None
    assert await store.ttl("page:1") is None
    assert [key async for key in store.scan("")] == []
    await store.set("page:1", b"new")
    assert await store.get("page:1") == StoredValue(b"new", START, None)
