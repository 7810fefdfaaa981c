"""Behaviour of particular stores."""

import stat
import subprocess
import sys

import anyio.lowlevel
import pytest

from tests.storage.store_harness import KEY, START, RedisHarness, SqliteHarness, StoreHarness
from webquarry.errors import AccessError, BadInputError, NetworkError, ProviderError, SettingsError
from webquarry.storage.cipher import Keyring
from webquarry.storage.memory_store import MemoryStore
from webquarry.storage.redis_store import RedisStore
from webquarry.storage.store import StoredValue

pytestmark = pytest.mark.anyio


async def test_a_full_memory_store_evicts_the_least_recently_used_value() -> None:
    store = MemoryStore(max_bytes=10_000)
    for key in ("a", "b", "c"):
        await store.set(key, bytes(2500))
    await store.get("a")
    await store.set("d", bytes(2500))
    assert [key async for key in store.scan("")] == ["c", "a", "d"]


async def test_a_full_memory_store_evicts_expired_values_first(
    memory_harness: StoreHarness,
) -> None:
    store = MemoryStore(max_bytes=10_000, clock=memory_harness.clock)
    await store.set("keep:1", bytes(2500))
    await store.set("old:1", bytes(2500), ttl=10)
    await store.set("old:2", bytes(2500), ttl=10)
    await memory_harness.advance(10)
    await store.set("keep:2", bytes(2500))
    assert [key async for key in store.scan("")] == ["keep:1", "keep:2"]


async def test_a_value_larger_than_the_memory_store_is_rejected() -> None:
    store = MemoryStore(max_bytes=1000)
    await store.set("a", b"value")
    with pytest.raises(BadInputError, match=r"2000 bytes does not fit .* 1000 bytes"):
        await store.set("a", bytes(2000))
    entry = await store.get("a")
    assert entry is not None
    assert entry.value == b"value"


@pytest.mark.parametrize("name", ["memory", "sqlite"])
async def test_sweep_returns_the_number_of_removed_values(
    memory_harness: StoreHarness, sqlite_harness: StoreHarness, name: str
) -> None:
    harness = {"memory": memory_harness, "sqlite": sqlite_harness}[name]
    store = harness.open()
    for number in range(1100):
        await store.set(f"old:{number}", b"value", ttl=10)
    await store.increment("visits", ttl=10)
    await store.set("new", b"value", ttl=100)
    await harness.advance(10)
    assert await store.sweep() == 1101


async def test_sweep_shrinks_the_file(sqlite_harness: SqliteHarness) -> None:
    store = sqlite_harness.open()
    for number in range(50):
        await store.set(f"old:{number}", bytes(100_000), ttl=10)
    await store.close()
    full = sqlite_harness.path.stat().st_size
    store = sqlite_harness.open()
    await sqlite_harness.advance(10)
    await store.sweep()
    await store.close()
    assert full > 5_000_000
    assert sqlite_harness.path.stat().st_size < 200_000


async def test_the_files_are_private(sqlite_harness: SqliteHarness) -> None:
    await sqlite_harness.open().set("item:1", b"value")
    folder = sqlite_harness.path.parent
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == dict.fromkeys(
        ("store.db", "store.db-shm", "store.db-wal", "store.db.guard"), 0o600
    )
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_a_waiting_caller_gets_the_lock_when_it_is_released(harness: StoreHarness) -> None:
    store = harness.open()
    order: list[str] = []

    async def wait_for_it() -> None:
        async with store.lock("job", ttl=60, wait=60):
            order.append("second")

    async with anyio.create_task_group() as tasks, store.lock("job", ttl=60):
        tasks.start_soon(wait_for_it)
        await anyio.lowlevel.checkpoint()
        order.append("first")
    assert order == ["first", "second"]


async def test_a_cancelled_holder_releases_the_lock(harness: StoreHarness) -> None:
    store = harness.open()
    with anyio.CancelScope() as scope:
        async with store.lock("job", ttl=60):
            scope.cancel()
            await anyio.sleep_forever()
    async with store.lock("job", ttl=60) as lease:
        assert lease.key == "job"


async def test_an_unreachable_redis_is_a_network_error() -> None:
    store = RedisStore("redis://:hidden@127.0.0.1:1/0", Keyring(KEY))
    with pytest.raises(NetworkError, match=r"Redis did not respond: .*check REDIS_URL") as caught:
        await store.get("item:1")
    assert caught.value.provider == "redis"
    assert "hidden" not in str(caught.value)
    await store.close()


async def test_a_broken_redis_connection_is_reopened(redis_harness: RedisHarness) -> None:
    store = redis_harness.open()
    await store.set("item:1", b"value")
    await redis_harness.drop_connections()
    assert await store.get("item:1") == StoredValue(b"value", START, None)


async def test_a_wrong_redis_password_is_an_access_error(redis_harness: RedisHarness) -> None:
    store = RedisStore(
        redis_harness.location.replace("unix://", "unix://nobody:hidden@"), Keyring(KEY)
    )
    with pytest.raises(AccessError, match="Redis rejected the credentials") as caught:
        await store.set("item:1", b"value")
    assert caught.value.provider == "redis"
    assert "hidden" not in str(caught.value)
    await store.close()


async def test_a_command_that_redis_refuses_is_a_provider_error(
    redis_harness: RedisHarness,
) -> None:
    store = redis_harness.open()
    await store.increment("visits")
    (name,) = await redis_harness.names()
    await redis_harness.admin.set(name, b"not a number")
    with pytest.raises(ProviderError, match=r"Redis rejected a command: .*not an integer"):
        await store.increment("visits")


@pytest.mark.parametrize("url", ["", "localhost:6379", "http://localhost", "redis://host:port/0"])
async def test_an_invalid_redis_url_is_a_settings_error(url: str) -> None:
    with pytest.raises(SettingsError, match=r"REDIS_URL is not valid: .*redis://user"):
        RedisStore(url, Keyring(KEY))


def test_the_storage_package_loads_no_client_library() -> None:
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"  # a tool that measures coverage may have loaded some
        "from webquarry.storage import encryption_keys, memory_store, store\n"
        "print(sorted({'redis', 'cryptography', 'sqlite3'} & set(sys.modules) - before))"
    )
    # the program is this interpreter and the text is ours
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
