from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from redis.asyncio import Redis

from tests.redis_server import redis_url
from tests.storage.labs import Lab, MemoryLab, RedisLab, SharedLab, SqliteLab

__all__ = ["redis_url"]


@pytest.fixture
async def memory_lab() -> AsyncGenerator[MemoryLab]:
    lab = MemoryLab()
    yield lab
    await lab.close()


@pytest.fixture
async def sqlite_lab(tmp_path: Path) -> AsyncGenerator[SqliteLab]:
    lab = SqliteLab(tmp_path / "data" / "store.db")
    yield lab
    await lab.close()


@pytest.fixture
async def redis_lab(redis_url: str) -> AsyncGenerator[RedisLab]:
    async with Redis(unix_socket_path=redis_url.removeprefix("unix://")) as admin:
        lab = RedisLab(redis_url, admin)
        await lab.clear()
        yield lab
        await lab.close()


@pytest.fixture(params=["memory", "sqlite", "redis"])
def lab(request: pytest.FixtureRequest) -> Lab:
    return request.getfixturevalue(f"{request.param}_lab")


@pytest.fixture(params=["sqlite", "redis"])
def shared_lab(request: pytest.FixtureRequest) -> SharedLab:
    """Return the stores that outlive a process and encrypt what they keep."""
    return request.getfixturevalue(f"{request.param}_lab")
