"""What is particular to one store or another."""

import stat
import subprocess
import sys

import anyio.lowlevel
import pytest

from tests.storage.labs import KEY, START, Lab, RedisLab, SqliteLab
from webquarry.errors import AccessError, BadInputError, NetworkError, ProviderError, SettingsError
from webquarry.storage.cipher import Keyring
from webquarry.storage.memory_store import MemoryStore
from webquarry.storage.redis_store import RedisStore
from webquarry.storage.store import StoredValue

pytestmark = pytest.mark.anyio


async def test_a_full_memory_store_forgets_the_least_recently_used() -> None:
    store = MemoryStore(max_bytes=10_000)
    for key in ("a", "b", "c"):
        await store.set(key, bytes(2500))
    await store.get("a")
    await store.set("d", bytes(2500))
    assert [key async for key in store.scan("")] == ["c", "a", "d"]


async def test_a_full_memory_store_drops_what_has_expired_first(memory_lab: Lab) -> None:
    store = MemoryStore(max_bytes=10_000, clock=memory_lab.clock)
    await store.set("keep:1", bytes(2500))
    await store.set("old:1", bytes(2500), ttl=10)
    await store.set("old:2", bytes(2500), ttl=10)
    await memory_lab.pass_time(10)
    await store.set("keep:2", bytes(2500))
    assert [key async for key in store.scan("")] == ["keep:1", "keep:2"]


async def test_a_value_larger_than_a_memory_store_is_refused() -> None:
    store = MemoryStore(max_bytes=1000)
    await store.set("a", b"value")
    with pytest.raises(BadInputError, match=r"2000 bytes does not fit .* 1000 bytes"):
        await store.set("a", bytes(2000))
    entry = await store.get("a")
    assert entry is not None
    assert entry.value == b"value"


@pytest.mark.parametrize("name", ["memory", "sqlite"])
async def test_sweep_counts_what_it_dropped(memory_lab: Lab, sqlite_lab: Lab, name: str) -> None:
    lab = {"memory": memory_lab, "sqlite": sqlite_lab}[name]
    store = lab.open()
    for number in range(1100):
        await store.set(f"old:{number}", b"value", ttl=10)
    await store.increment("visits", ttl=10)
    await store.set("new", b"value", ttl=100)
    await lab.pass_time(10)
    assert await store.sweep() == 1101


async def test_a_swept_file_gives_its_space_back(sqlite_lab: SqliteLab) -> None:
    store = sqlite_lab.open()
    for number in range(50):
        await store.set(f"old:{number}", bytes(100_000), ttl=10)
    await store.close()
    full = sqlite_lab.path.stat().st_size
    store = sqlite_lab.open()
    await sqlite_lab.pass_time(10)
    await store.sweep()
    await store.close()
    assert full > 5_000_000
    assert sqlite_lab.path.stat().st_size < 200_000


async def test_the_files_are_for_their_owner_alone(sqlite_lab: SqliteLab) -> None:
    await sqlite_lab.open().set("page:1", b"value")
    folder = sqlite_lab.path.parent
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == dict.fromkeys(
        ("store.db", "store.db-shm", "store.db-wal", "store.db.guard"), 0o600
    )
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_a_waiting_caller_gets_the_lock_when_it_is_given_back(lab: Lab) -> None:
    store = lab.open()
    order: list[str] = []

    async def wait_for_it() -> None:
        async with store.lock("job", ttl=60, wait=60):
            order.append("second")

    async with anyio.create_task_group() as tasks, store.lock("job", ttl=60):
        tasks.start_soon(wait_for_it)
        await anyio.lowlevel.checkpoint()
        order.append("first")
    assert order == ["first", "second"]


async def test_a_cancelled_holder_gives_the_lock_back(lab: Lab) -> None:
    store = lab.open()
    with anyio.CancelScope() as scope:
        async with store.lock("job", ttl=60):
            scope.cancel()
            await anyio.sleep_forever()
    async with store.lock("job", ttl=60) as lease:
        assert lease.key == "job"


async def test_a_redis_that_is_not_there_is_a_network_error() -> None:
    store = RedisStore("redis://:hidden@127.0.0.1:1/0", Keyring(KEY))
    with pytest.raises(NetworkError, match=r"Redis did not answer: .*check REDIS_URL") as caught:
        await store.get("page:1")
    assert caught.value.provider == "redis"
    assert "hidden" not in str(caught.value)
    await store.close()


async def test_a_connection_that_broke_is_made_again(redis_lab: RedisLab) -> None:
    store = redis_lab.open()
    await store.set("page:1", b"value")
    await redis_lab.drop_connections()
    assert await store.get("page:1") == StoredValue(b"value", START, None)


async def test_a_wrong_redis_password_is_an_access_error(redis_lab: RedisLab) -> None:
    store = RedisStore(redis_lab.place.replace("unix://", "unix://nobody:hidden@"), Keyring(KEY))
    with pytest.raises(AccessError, match="Redis refused the credentials") as caught:
        await store.set("page:1", b"value")
    assert caught.value.provider == "redis"
    assert "hidden" not in str(caught.value)
    await store.close()


async def test_a_command_that_redis_refuses_is_a_provider_error(redis_lab: RedisLab) -> None:
    store = redis_lab.open()
    await store.increment("visits")
    (name,) = await redis_lab.names()
    await redis_lab.admin.set(name, b"not a number")
    with pytest.raises(ProviderError, match=r"Redis refused a command: .*not an integer"):
        await store.increment("visits")


@pytest.mark.parametrize("url", ["", "localhost:6379", "http://localhost", "redis://host:port/0"])
async def test_a_wrong_redis_url_is_named(url: str) -> None:
    with pytest.raises(SettingsError, match=r"REDIS_URL is not valid: .*redis://user"):
        RedisStore(url, Keyring(KEY))


def test_the_storage_package_loads_no_client_library() -> None:
    program = (
        "import sys\n"
        "from webquarry.storage import encryption_keys, memory_store, store\n"
        "print(sorted({'redis', 'cryptography', 'sqlite3'} & set(sys.modules)))"
    )
    # the program is this interpreter and the text is ours
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
