"""The shelf: catalogues outlive failures, and failures are never remembered."""

import asyncio

import pytest

from webquarry.errors import NetworkError
from webquarry.providers.capabilities_records import CachedCatalog
from webquarry.services.records.catalog_store import DAY, StoreCatalogCache
from webquarry.storage.memory_store import MemoryStore

pytestmark = pytest.mark.anyio


class Upstream:
    """A catalogue that grows by one with every load, or fails."""

    def __init__(self) -> None:
        self.loads = 0
        self.fails = False

    async def load(self) -> bytes:
        self.loads += 1
        await asyncio.sleep(0)
        if self.fails:
            raise NetworkError("Network error (office): timed out.", provider="office")
        return b"edition %d" % self.loads


class Time:
    """A clock for both the store and the shelf."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def shelf(time: Time) -> StoreCatalogCache:
    return StoreCatalogCache(MemoryStore(clock=time), now=time)


async def test_a_catalogue_is_loaded_once_a_day(shelf: StoreCatalogCache, time: Time) -> None:
    upstream = Upstream()

    seen = [await shelf.fetch("office", upstream.load) for _ in range(3)]
    time.now += DAY + 1
    seen.append(await shelf.fetch("office", upstream.load))

    assert seen == [CachedCatalog(b"edition 1")] * 3 + [CachedCatalog(b"edition 2")]


async def test_a_failed_load_is_raised_and_tried_again_the_next_time(
    shelf: StoreCatalogCache,
) -> None:
    upstream = Upstream()
    upstream.fails = True
    with pytest.raises(NetworkError):
        await shelf.fetch("office", upstream.load)
    upstream.fails = False

    assert await shelf.fetch("office", upstream.load) == CachedCatalog(b"edition 2")


async def test_an_old_copy_is_used_with_a_note_when_refreshing_fails(
    shelf: StoreCatalogCache, time: Time
) -> None:
    upstream = Upstream()
    await shelf.fetch("office", upstream.load)
    upstream.fails = True
    time.now += 3 * DAY

    old = await shelf.fetch("office", upstream.load)
    again = await shelf.fetch("office", upstream.load)

    assert (
        old
        == again
        == CachedCatalog(
            b"edition 1",
            (
                "The catalogue is 3 days old, because refreshing it failed:"
                " Network error (office): timed out.",
            ),
        )
    )
    assert upstream.loads == 3  # tried each time


async def test_callers_at_once_share_one_load(shelf: StoreCatalogCache) -> None:
    upstream = Upstream()

    seen = await asyncio.gather(*(shelf.fetch("office", upstream.load) for _ in range(5)))

    assert seen == [CachedCatalog(b"edition 1")] * 5


async def test_catalogues_do_not_mix(shelf: StoreCatalogCache) -> None:
    one, other = Upstream(), Upstream()
    other.loads = 7

    assert await shelf.fetch("one", one.load) == CachedCatalog(b"edition 1")
    assert await shelf.fetch("other", other.load) == CachedCatalog(b"edition 8")
