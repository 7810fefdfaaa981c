"""A temporary Redis (or Valkey) for tests, on its own Unix socket and without persistence."""

import shutil
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def running_redis() -> Generator[str]:
    """Run a server while the block runs; yield its URL."""
    binary = shutil.which("redis-server") or shutil.which("valkey-server")
    if binary is None:
        pytest.skip("neither redis-server nor valkey-server is installed")
    # not tmp_path: the path of a Unix socket must be short
    with tempfile.TemporaryDirectory(prefix="redis-") as directory:
        socket = Path(directory) / "redis.sock"
        command = [binary, "--port", "0", "--unixsocket", str(socket), "--dir", directory]
        command += ["--save", "", "--appendonly", "no"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                _wait_until_ready(server)
                yield f"unix://{socket}"
            finally:
                server.terminate()


@pytest.fixture(scope="session")
def redis_url() -> Generator[str]:
    with running_redis() as url:
        yield url


def _wait_until_ready(server: subprocess.Popen[str]) -> None:
    printed: list[str] = []
    assert server.stdout is not None
    for line in server.stdout:
        printed.append(line)
        if "ready to accept connections" in line.lower():
            return
    pytest.fail(f"the server did not start:\n{''.join(printed)}")
