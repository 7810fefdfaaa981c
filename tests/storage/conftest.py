from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from tests.redis_server import redis_url
from tests.storage.store_harness import (
    MemoryHarness,
    RedisHarness,
    SharedHarness,
    SqliteHarness,
    StoreHarness,
)

__all__ = ["redis_url"]


@pytest.fixture
async def memory_harness() -> AsyncGenerator[MemoryHarness]:
    harness = MemoryHarness()
    yield harness
    await harness.close()


@pytest.fixture
async def sqlite_harness(tmp_path: Path) -> AsyncGenerator[SqliteHarness]:
    harness = SqliteHarness(tmp_path / "data" / "store.db")
    yield harness
    await harness.close()


@pytest.fixture
async def redis_harness(redis_url: str) -> AsyncGenerator[RedisHarness]:
    async with Redis(unix_socket_path=redis_url.removeprefix("unix://")) as admin:
        harness = RedisHarness(redis_url, admin)
        await harness.clear()
        yield harness
        await harness.close()


@pytest.fixture(params=["memory", "sqlite", "redis"])
def harness(request: pytest.FixtureRequest) -> StoreHarness:
    return request.getfixturevalue(f"{request.param}_harness")


@pytest.fixture(params=["sqlite", "redis"])
def shared_harness(request: pytest.FixtureRequest) -> SharedHarness:
    """Return the stores that persist and encrypt their data."""
    return request.getfixturevalue(f"{request.param}_harness")
