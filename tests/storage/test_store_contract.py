"""What every store promises, checked against each of them."""

import math

import pytest

from tests.storage.labs import START, Lab
from webquarry.errors import BadInputError
from webquarry.storage.store import LockedError, StoredValue

pytestmark = pytest.mark.anyio


async def test_a_value_comes_back_with_its_times(lab: Lab) -> None:
    store = lab.open()
    await store.set("page:1", b"body", ttl=60)
    await store.set("page:2", b"")
    await lab.pass_time(5)
    assert await store.get("page:1") == StoredValue(b"body", START, START + 60)
    assert await store.get("page:2") == StoredValue(b"", START, None)
    assert await store.get("page:3") is None


@pytest.mark.parametrize("size", [1, 10_000, 65_536, 3_000_000])
async def test_a_value_of_any_size_comes_back_whole(lab: Lab, size: int) -> None:
    value = bytes(i % 251 for i in range(size))
    store = lab.open()
    await store.set("big", value)
    assert await store.get("big") == StoredValue(value, START, None)


@pytest.mark.parametrize("key", ["", ":", "a:b:c", "x" * 5000, "naïve ✓", "half \ud800", "a\0b"])
async def test_any_text_is_a_name(lab: Lab, key: str) -> None:
    store = lab.open()
    await store.set(key, b"value")
    assert await store.get(key) == StoredValue(b"value", START, None)
    assert [name async for name in store.scan(key)] == [key]


async def test_a_value_is_seen_by_other_connections(lab: Lab) -> None:
    first, second = lab.open(), lab.open()
    await first.set("page:1", b"one")
    assert await second.get("page:1") == StoredValue(b"one", START, None)
    await second.set("page:1", b"two")
    assert await first.get("page:1") == StoredValue(b"two", START, None)


async def test_several_values_are_kept_as_each_would_be(lab: Lab) -> None:
    store = lab.open()
    await store.set("page:1", b"old")
    await store.set_all([("page:1", b"one", 60), ("page:2", b"two", None)])
    await store.set_all([])
    assert await store.get("page:1") == StoredValue(b"one", START, START + 60)
    assert await store.get("page:2") == StoredValue(b"two", START, None)


async def test_of_many_values_large_and_small_the_last_of_each_key_stays(lab: Lab) -> None:
    store = lab.open()
    small = [(f"page:{number}", b"%d" % number, 60.0) for number in range(100)]
    large = b"x" * 100_000
    await store.set_all(
        [("a", large, 60), *small, ("a", b"new", 60), ("b", b"", 60), ("b", large, 9)]
    )
    assert await store.get("a") == StoredValue(b"new", START, START + 60)
    assert await store.get("b") == StoredValue(large, START, START + 9)
    for key, value, _ in small:
        assert await store.get(key) == StoredValue(value, START, START + 60)


async def test_an_expired_value_is_gone(lab: Lab) -> None:
    store = lab.open()
    await store.set("page:1", b"body", ttl=60)
    await lab.pass_time(60)
    assert await store.get("page:1") is None
    assert await store.ttl("page:1") is None
    assert await store.delete("page:1") is False
    assert [name async for name in store.scan("page:")] == []


async def test_setting_again_replaces_value_and_expiry(lab: Lab) -> None:
    store = lab.open()
    await store.set("page:1", b"old", ttl=60)
    await lab.pass_time(30)
    await store.set("page:1", b"new")
    await lab.pass_time(60)
    assert await store.get("page:1") == StoredValue(b"new", START + 30, None)
    assert await store.ttl("page:1") == math.inf


async def test_ttl_tells_missing_from_everlasting(lab: Lab) -> None:
    store = lab.open()
    await store.set("page:1", b"body", ttl=60)
    await store.set("page:2", b"body")
    await lab.pass_time(20)
    assert await store.ttl("page:1") == 40
    assert await store.ttl("page:2") == math.inf
    assert await store.ttl("page:3") is None


@pytest.mark.parametrize("ttl", [0, -1, math.inf, math.nan])
async def test_an_impossible_ttl_is_refused(lab: Lab, ttl: float) -> None:
    store = lab.open()
    with pytest.raises(BadInputError, match="ttl must be above 0"):
        await store.set("page:1", b"body", ttl=ttl)
    with pytest.raises(BadInputError, match="ttl must be above 0"):
        await store.increment("visits", ttl=ttl)
    with pytest.raises(BadInputError, match="ttl must be above 0"):
        async with store.lock("job", ttl=ttl):
            pytest.fail("the lock was given")


async def test_delete_says_whether_there_was_something(lab: Lab) -> None:
    store = lab.open()
    await store.set("page:1", b"body")
    await store.increment("visits")
    assert await store.delete("page:1") is True
    assert await store.delete("page:1") is False
    assert await store.get("page:1") is None
    assert await store.delete("visits") is True
    assert await store.increment("visits") == 1


async def test_scan_yields_exactly_the_names_with_the_prefix(lab: Lab) -> None:
    store = lab.open()
    for key in ("job:1", "job:12", "job:2", "jobs:1", "jo", "page:1"):
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
        "": ["jo", "job:1", "job:12", "job:2", "jobs:1", "page:1"],
        "none:": [],
        "job:*": [],
    }


async def test_scan_goes_on_while_what_it_found_is_deleted(lab: Lab) -> None:
    store = lab.open()
    keys = [f"job:{number}" for number in range(700)]
    for key in keys:
        await store.set(key, b"value")
    seen: list[str] = []
    async for key in store.scan("job:"):
        seen.append(key)
        await store.delete(key)
    assert sorted(seen) == sorted(keys)
    assert [key async for key in store.scan("job:")] == []


async def test_a_counter_adds_up(lab: Lab) -> None:
    first, second = lab.open(), lab.open()
    assert await first.increment("visits") == 1
    assert await second.increment("visits", 5) == 6
    assert await first.increment("visits", -2) == 4
    assert await first.increment("visits", 0) == 4
    assert await first.ttl("visits") == math.inf


async def test_a_counter_is_not_the_value_of_the_same_name(lab: Lab) -> None:
    store = lab.open()
    await store.set("visits", b"value")
    assert await store.increment("visits") == 1
    assert await store.get("visits") == StoredValue(b"value", START, None)


async def test_the_first_increment_decides_when_a_counter_ends(lab: Lab) -> None:
    store = lab.open()
    await store.increment("visits", ttl=1000)
    await lab.pass_time(400)
    assert await store.increment("visits", ttl=1000) == 2
    left = await store.ttl("visits")
    assert left is not None
    assert 500 < left <= 600
    await lab.pass_time(600)
    assert await store.ttl("visits") is None
    assert await store.increment("visits") == 1


async def test_a_lock_excludes_others_until_it_is_given_back(lab: Lab) -> None:
    first, second = lab.open(), lab.open()
    async with first.lock("job:1", ttl=60) as lease:
        with pytest.raises(LockedError, match="'job:1' is in use by another process"):
            async with second.lock("job:1", ttl=60):
                pytest.fail("the lock was given twice")
        async with second.lock("job:2", ttl=60) as other:
            assert other.key == "job:2"
    async with second.lock("job:1", ttl=60) as later:
        assert lease.key == later.key == "job:1"
        assert lease.token < other.token < later.token


async def test_a_lock_is_given_back_after_an_error(lab: Lab) -> None:
    store = lab.open()
    with pytest.raises(RuntimeError, match="boom"):
        async with store.lock("job:1", ttl=60):
            raise RuntimeError("boom")
    async with store.lock("job:1", ttl=60):
        pass


async def test_an_expired_lock_is_free_and_its_late_holder_cannot_free_it(
    lab: Lab, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = lab.open(), lab.open()
    async with second.lock("other", ttl=1000):
        holder = first.lock("job:1", ttl=60)
        paused = await holder.__aenter__()
        await lab.pass_time(60)
        async with second.lock("job:1", ttl=60) as lease:
            assert lease.token > paused.token
            await holder.__aexit__(None, None, None)
            assert caplog.messages == ["a lock expired before its holder was done after 60 s"]
            with pytest.raises(LockedError):
                async with first.lock("job:1", ttl=60):
                    pytest.fail("the late holder freed the lock of its successor")


async def test_sweep_removes_only_what_has_expired(lab: Lab) -> None:
    store = lab.open()
    for number in range(3):
        await store.set(f"old:{number}", b"value", ttl=10)
    await store.set("new:1", b"value", ttl=100)
    await store.set("new:2", b"value")
    await lab.pass_time(50)
    await store.sweep()
    assert await store.sweep() == 0
    assert sorted([key async for key in store.scan("")]) == ["new:1", "new:2"]


async def test_a_log_grows_and_is_read_from_any_place(lab: Lab) -> None:
    first, second = lab.open(), lab.open()
    assert await first.entries("notes:1") is None
    assert await first.append("notes:1", b"one", ttl=60) == 1
    assert await second.append("notes:1", b"two", ttl=60, create=False) == 2
    assert await first.entries("notes:1") == [b"one", b"two"]
    assert await second.entries("notes:1", 1) == [b"two"]
    assert await second.entries("notes:1", 2) == []
    assert await first.get("notes:1") is None
    assert [name async for name in first.scan("notes:")] == []


async def test_a_log_that_is_not_there_is_made_only_if_wanted(lab: Lab) -> None:
    store = lab.open()
    assert await store.append("notes:1", b"one", create=False) is None
    assert await store.entries("notes:1") is None
    assert await store.renew("notes:1", ttl=60) is False
    assert await store.append("notes:1", b"one") == 1
    assert await store.ttl("notes:1") == math.inf


async def test_every_entry_and_every_renewal_prolongs_a_log(lab: Lab) -> None:
    store = lab.open()
    await store.append("notes:1", b"one", ttl=60)
    await lab.pass_time(40)
    await store.append("notes:1", b"two", ttl=60)
    await lab.pass_time(40)
    assert await store.renew("notes:1", ttl=60) is True
    await lab.pass_time(40)
    assert await store.entries("notes:1") == [b"one", b"two"]
    await lab.pass_time(20)
    assert await store.entries("notes:1") is None
    assert await store.ttl("notes:1") is None
    assert await store.append("notes:1", b"late", ttl=60, create=False) is None
    assert await store.append("notes:1", b"new", ttl=60) == 1
    assert await store.entries("notes:1") == [b"new"]


async def test_logs_are_listed_by_prefix_and_deleted_whole(lab: Lab) -> None:
    store = lab.open()
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


async def test_sweep_removes_expired_logs(lab: Lab) -> None:
    store = lab.open()
    await store.append("old:1", b"entry", ttl=10)
    await store.append("new:1", b"entry", ttl=100)
    await lab.pass_time(50)
    await store.sweep()
    assert await store.sweep() == 0
    assert [key async for key in store.logs("")] == ["new:1"]


@pytest.mark.parametrize("ttl", [0, -1, math.inf])
async def test_a_log_refuses_an_impossible_ttl(lab: Lab, ttl: float) -> None:
    store = lab.open()
    with pytest.raises(BadInputError, match="ttl must be above 0"):
        await store.append("notes:1", b"one", ttl=ttl)
    assert await store.entries("notes:1") is None
