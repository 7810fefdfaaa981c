import pytest

pytest_plugins = ["tests.replay"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
