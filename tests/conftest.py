import pytest
from hypothesis import settings

# a busy machine must not fail a property test
settings.register_profile("webquarry", deadline=None)
settings.load_profile("webquarry")

pytest_plugins = ["tests.replay"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
