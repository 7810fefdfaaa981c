"""The contract of every store."""

import math

import pytest

from tests.storage.store_harness import START, StoreHarness
from webquarry.errors import BadInputError
from webquarry.models.caller import Caller
from webquarry.storage.key_namespaces import SHARED
from webquarry.storage.store import LockedError, StoredValue, StoreWrite

pytestmark = pytest.mark.anyio


async def test_a_value_is_returned_with_its_times(harness: StoreHarness) -> None:
    store = harness.open()
    await store.set("item:1", b"body", ttl=60)
    await store.set("item:2", b"")
    await harness.advance(5)
    assert await store.get("item:1") == StoredValue(b"body", START, START + 60)
    assert await store.get("item:2") == StoredValue(b"", START, None)
    assert await store.get("item:3") is None


@pytest.mark.parametrize("size", [1, 10_000, 65_536, 3_000_000])
async def test_values_of_any_size_are_returned_unchanged(harness: StoreHarness, size: int) -> None:
    value = bytes(i % 251 for i in range(size))
    store = harness.open()
    await store.set("big", value)
    assert await store.get("big") == StoredValue(value, START, None)


@pytest.mark.parametrize("key", ["", ":", "a:b:c", "x" * 5000, "naïve ✓", "half \ud800", "a\0b"])
async def test_any_text_is_a_valid_key(harness: StoreHarness, key: str) -> None:
    store = harness.open()
    await store.set(key, b"value")
    assert await store.get(key) == StoredValue(b"value", START, None)
    assert [name async for name in store.scan(key)] == [key]


async def test_a_value_is_seen_by_other_connections(harness: StoreHarness) -> None:
    first, second = harness.open(), harness.open()
    await first.set("item:1", b"one")
    assert await second.get("item:1") == StoredValue(b"one", START, None)
    await second.set("item:1", b"two")
    assert await first.get("item:1") == StoredValue(b"two", START, None)


async def test_several_values_are_stored_like_single_ones(harness: StoreHarness) -> None:
    store = harness.open()
    await store.set("item:1", b"old")
    await store.set_all([StoreWrite("item:1", b"one", 60), StoreWrite("item:2", b"two")])
    await store.set_all([])
    assert await store.get("item:1") == StoredValue(b"one", START, START + 60)
    assert await store.get("item:2") == StoredValue(b"two", START, None)


async def test_in_a_batch_the_last_value_of_each_key_wins(harness: StoreHarness) -> None:
    store = harness.open()
    small = [StoreWrite(f"item:{number}", b"%d" % number, 60.0) for number in range(100)]
    large = b"x" * 100_000
    first = [StoreWrite("a", large, 60), *small, StoreWrite("a", b"new", 60)]
    await store.set_all([*first, StoreWrite("b", b"", 60), StoreWrite("b", large, 9)])
    assert await store.get("a") == StoredValue(b"new", START, START + 60)
    assert await store.get("b") == StoredValue(large, START, START + 9)
    for key, value, *_ in small:
        assert await store.get(key) == StoredValue(value, START, START + 60)


@pytest.mark.parametrize("namespace", sorted(SHARED))
async def test_writing_a_shared_value_requires_an_owner_argument(
    harness: StoreHarness, namespace: str
) -> None:
    store = harness.open()
    with pytest.raises(TypeError, match=f"{namespace!r} needs an owner or None"):
        await store.set(f"{namespace}:1", b"value", ttl=60)
    with pytest.raises(TypeError, match=f"{namespace!r} needs an owner or None"):
        await store.set_all([StoreWrite("item:1", b""), StoreWrite(f"{namespace}:1", b"")])
    assert [name async for name in store.scan("")] == []


@pytest.mark.parametrize("namespace", sorted(SHARED))
async def test_a_shared_value_is_marked_with_its_owner_if_it_has_one(
    harness: StoreHarness, namespace: str
) -> None:
    store = harness.open()
    alice = Caller(tenant="acme", user="alice", proved=True)
    await store.set(f"{namespace}:1", b"hers", ttl=60, owner=alice)
    await store.set(f"{namespace}:2", b"for ever", owner=alice)
    await store.set(f"{namespace}:3", b"nobody's", ttl=60, owner=None)

    marks = [f"owned:acme:alice:{namespace}%3A{number}" for number in (1, 2)]
    names = sorted([name async for name in store.scan("owned:")])
    assert [name.partition("~")[0] for name in names] == marks
    assert await store.get(names[0]) == StoredValue(b"{}", START, START + 60)
    assert await store.get(names[1]) == StoredValue(b"{}", START, START + 86_400)
    assert await store.get(f"{namespace}:3") == StoredValue(b"nobody's", START, START + 60)


async def test_a_personal_value_needs_no_mark_because_its_key_names_the_owner(
    harness: StoreHarness,
) -> None:
    store = harness.open()
    with pytest.raises(TypeError, match="'session' take no owner: their keys name it"):
        await store.set(
            "session:acme:alice:1", b"value", owner=Caller(tenant="acme", user="alice", proved=True)
        )


async def test_an_expired_value_is_gone(harness: StoreHarness) -> None:
    store = harness.open()
    await store.set("item:1", b"body", ttl=60)
    await harness.advance(60)
    assert await store.get("item:1") is None
    assert await store.ttl("item:1") is None
    assert await store.delete("item:1") is False
    assert [name async for name in store.scan("item:")] == []


async def test_setting_again_replaces_value_and_expiry(harness: StoreHarness) -> None:
    store = harness.open()
    await store.set("item:1", b"old", ttl=60)
    await harness.advance(30)
    await store.set("item:1", b"new")
    await harness.advance(60)
    assert await store.get("item:1") == StoredValue(b"new", START + 30, None)
    assert await store.ttl("item:1") == math.inf


async def test_ttl_distinguishes_missing_values_from_values_without_expiry(
    harness: StoreHarness,
) -> None:
    store = harness.open()
    await store.set("item:1", b"body", ttl=60)
    await store.set("item:2", b"body")
    await harness.advance(20)
    assert await store.ttl("item:1") == 40
    assert await store.ttl("item:2") == math.inf
    assert await store.ttl("item:3") is None


@pytest.mark.parametrize("ttl", [0, -1, math.inf, math.nan])
async def test_an_invalid_ttl_is_rejected(harness: StoreHarness, ttl: float) -> None:
    store = harness.open()
    with pytest.raises(BadInputError, match="ttl must be above 0"):
        await store.set("item:1", b"body", ttl=ttl)
    with pytest.raises(BadInputError, match="ttl must be above 0"):
        await store.increment("visits", ttl=ttl)
    with pytest.raises(BadInputError, match="ttl must be above 0"):
        async with store.lock("job", ttl=ttl):
            pytest.fail("the lock was given")


async def test_delete_reports_whether_the_key_existed(harness: StoreHarness) -> None:
    store = harness.open()
    await store.set("item:1", b"body")
    await store.increment("visits")
    assert await store.delete("item:1") is True
    assert await store.delete("item:1") is False
    assert await store.get("item:1") is None
    assert await store.delete("visits") is True
    assert await store.increment("visits") == 1


async def test_scan_yields_exactly_the_keys_with_the_prefix(harness: StoreHarness) -> None:
    store = harness.open()
    for key in ("job:1", "job:12", "job:2", "jobs:1", "jo", "item:1"):
        await store.set(key, b"value")
    await store.increment("job:counter")
    found = {
        prefix: sorted([key async for key in store.scan(prefix)])
        for prefix in ("job:", "job:1", "jo", "", "none:", "job:*")
    }
    assert found == {
        "job:": ["job:1", "job:12", "job:2"],
        "job:1": ["job:1", "job:12"],
        "jo": ["jo", "job:1", "job:12", "job:2", "jobs:1"],
        "": ["item:1", "jo", "job:1", "job:12", "job:2", "jobs:1"],
        "none:": [],
        "job:*": [],
    }


async def test_scan_continues_while_its_keys_are_deleted(harness: StoreHarness) -> None:
    store = harness.open()
    keys = [f"job:{number}" for number in range(700)]
    for key in keys:
        await store.set(key, b"value")
    seen: list[str] = []
    async for key in store.scan("job:"):
        seen.append(key)
        await store.delete(key)
    assert sorted(seen) == sorted(keys)
    assert [key async for key in store.scan("job:")] == []


async def test_a_counter_adds_up(harness: StoreHarness) -> None:
    first, second = harness.open(), harness.open()
    assert await first.increment("visits") == 1
    assert await second.increment("visits", 5) == 6
    assert await first.increment("visits", -2) == 4
    assert await first.increment("visits", 0) == 4
    assert await first.ttl("visits") == math.inf


async def test_a_counter_and_a_value_of_the_same_key_are_separate(harness: StoreHarness) -> None:
    store = harness.open()
    await store.set("visits", b"value")
    assert await store.increment("visits") == 1
    assert await store.get("visits") == StoredValue(b"value", START, None)


async def test_the_first_increment_sets_the_expiry_of_a_counter(harness: StoreHarness) -> None:
    store = harness.open()
    await store.increment("visits", ttl=1000)
    await harness.advance(400)
    assert await store.increment("visits", ttl=1000) == 2
    left = await store.ttl("visits")
    assert left is not None
    assert 500 < left <= 600
    await harness.advance(600)
    assert await store.ttl("visits") is None
    assert await store.increment("visits") == 1


async def test_a_lock_excludes_others_until_it_is_released(harness: StoreHarness) -> None:
    first, second = harness.open(), harness.open()
    async with first.lock("job:1", ttl=60) as lease:
        with pytest.raises(LockedError, match="'job:1' is in use by another process"):
            async with second.lock("job:1", ttl=60):
                pytest.fail("the lock was acquired twice")
        async with second.lock("job:2", ttl=60) as other:
            assert other.key == "job:2"
    async with second.lock("job:1", ttl=60) as later:
        assert lease.key == later.key == "job:1"
        assert lease.token < other.token < later.token


async def test_a_lock_is_released_after_an_error(harness: StoreHarness) -> None:
    store = harness.open()
    with pytest.raises(RuntimeError, match="boom"):
        async with store.lock("job:1", ttl=60):
            raise RuntimeError("boom")
    async with store.lock("job:1", ttl=60):
        pass


async def test_an_expired_lock_is_free_and_cannot_be_released_by_its_old_holder(
    harness: StoreHarness, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = harness.open(), harness.open()
    async with second.lock("other", ttl=1000):
        holder = first.lock("job:1", ttl=60)
        paused = await holder.__aenter__()
        await harness.advance(60)
        async with second.lock("job:1", ttl=60) as lease:
            assert lease.token > paused.token
            await holder.__aexit__(None, None, None)
            assert caplog.messages == ["a lock expired before its holder was done after 60 s"]
            with pytest.raises(LockedError):
                async with first.lock("job:1", ttl=60):
                    pytest.fail("the late holder freed the lock of its successor")


async def test_sweep_removes_only_expired_values(harness: StoreHarness) -> None:
    store = harness.open()
    for number in range(3):
        await store.set(f"old:{number}", b"value", ttl=10)
    await store.set("new:1", b"value", ttl=100)
    await store.set("new:2", b"value")
    await harness.advance(50)
    await store.sweep()
    assert await store.sweep() == 0
    assert sorted([key async for key in store.scan("")]) == ["new:1", "new:2"]


async def test_a_log_can_be_appended_to_and_read_from_any_position(harness: StoreHarness) -> None:
    first, second = harness.open(), harness.open()
    assert await first.entries("notes:1") is None
    assert await first.append("notes:1", b"one", ttl=60) == 1
    assert await second.append("notes:1", b"two", ttl=60, create=False) == 2
    assert await first.entries("notes:1") == [b"one", b"two"]
    assert await second.entries("notes:1", 1) == [b"two"]
    assert await second.entries("notes:1", 2) == []
    assert await first.get("notes:1") is None
    assert [name async for name in first.scan("notes:")] == []


async def test_append_creates_a_missing_log_only_on_request(harness: StoreHarness) -> None:
    store = harness.open()
    assert await store.append("notes:1", b"one", create=False) is None
    assert await store.entries("notes:1") is None
    assert await store.renew("notes:1", ttl=60) is False
    assert await store.append("notes:1", b"one") == 1
    assert await store.ttl("notes:1") == math.inf


async def test_append_and_renew_extend_the_expiry_of_a_log(harness: StoreHarness) -> None:
    store = harness.open()
    await store.append("notes:1", b"one", ttl=60)
    await harness.advance(40)
    await store.append("notes:1", b"two", ttl=60)
    await harness.advance(40)
    assert await store.renew("notes:1", ttl=60) is True
    await harness.advance(40)
    assert await store.entries("notes:1") == [b"one", b"two"]
    await harness.advance(20)
    assert await store.entries("notes:1") is None
    assert await store.ttl("notes:1") is None
    assert await store.append("notes:1", b"late", ttl=60, create=False) is None
    assert await store.append("notes:1", b"new", ttl=60) == 1
    assert await store.entries("notes:1") == [b"new"]


async def test_logs_are_listed_by_prefix_and_deleted_completely(harness: StoreHarness) -> None:
    store = harness.open()
    for key in ("a:1", "a:2", "ab:1", "b"):
        await store.append(key, b"entry", ttl=60)
    await store.set("a:value", b"value")
    assert sorted([key async for key in store.logs("a:")]) == ["a:1", "a:2"]
    assert sorted([key async for key in store.logs("")]) == ["a:1", "a:2", "ab:1", "b"]
    assert await store.delete("a:1") is True
    assert await store.delete("a:1") is False
    assert await store.entries("a:1") is None
    assert await store.append("a:1", b"again", ttl=60) == 1
    assert await store.entries("a:1") == [b"again"]


async def test_sweep_removes_expired_logs(harness: StoreHarness) -> None:
    store = harness.open()
    await store.append("old:1", b"entry", ttl=10)
    await store.append("new:1", b"entry", ttl=100)
    await harness.advance(50)
    await store.sweep()
    assert await store.sweep() == 0
    assert [key async for key in store.logs("")] == ["new:1"]


@pytest.mark.parametrize("ttl", [0, -1, math.inf])
async def test_a_log_rejects_an_invalid_ttl(harness: StoreHarness, ttl: float) -> None:
    store = harness.open()
    with pytest.raises(BadInputError, match="ttl must be above 0"):
        await store.append("notes:1", b"one", ttl=ttl)
    assert await store.entries("notes:1") is None
