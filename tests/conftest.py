import pytest
from hypothesis import settings

# a machine that is busy with something else is no mistake of ours
settings.register_profile("webquarry", deadline=None)
settings.load_profile("webquarry")

pytest_plugins = ["tests.replay"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
