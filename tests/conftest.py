import logging
import signal
from collections.abc import AsyncGenerator, Generator

import pytest
from hypothesis import settings

from webquarry.parsing.worker_pool import WorkerPool

# a shell that starts the tests in the background ignores Ctrl-C, and programs inherit that
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# a busy machine must not fail a property test
settings.register_profile("webquarry", deadline=None)
settings.load_profile("webquarry")

pytest_plugins = ["tests.replay"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True, scope="session")
def own_data_directory(tmp_path_factory: pytest.TempPathFactory) -> Generator[None]:
    """No test reads or writes the data of the person who runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(autouse=True, scope="module")
def unchanged_logging() -> Generator[None]:
    """An application that a module opens sets the log level of this process: set it back."""
    level = logging.root.level
    yield
    logging.root.setLevel(level)
    for handler in [*logging.root.handlers]:
        if type(handler).__module__.startswith("webquarry"):
            logging.root.removeHandler(handler)


@pytest.fixture(autouse=True)
def unlimited_parsing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parse small content in this process: on a busy machine the CPU alarm would start a worker."""
    if "parsing" not in request.path.parts:
        monkeypatch.setattr("webquarry.parsing.parsers._INLINE_SECONDS", 600.0)


@pytest.fixture(autouse=True)
def ended_workers(request: pytest.FixtureRequest) -> None:
    """End the worker processes of services that a test built and did not close."""
    if "anyio_backend" in request.fixturenames:  # an asynchronous test
        request.getfixturevalue("closed_worker_pools")


@pytest.fixture
async def closed_worker_pools(monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[None]:
    pools: list[WorkerPool] = []
    create = WorkerPool.__init__

    def create_and_note(pool: WorkerPool, workers: int | None = None) -> None:
        create(pool, workers)
        pools.append(pool)

    monkeypatch.setattr(WorkerPool, "__init__", create_and_note)
    yield
    for pool in pools:
        await pool.aclose()
