"""A temporary Postgres for tests, on its own Unix socket."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

_DEBIAN = Path("/usr/lib/postgresql")


@contextmanager
def running_postgres() -> Generator[str]:
    """Run a server while the block runs; yield its URL."""
    initdb, server = _program("initdb"), _program("postgres")
    # Postgres refuses to run as root
    user = "postgres" if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as directory:
        data = Path(directory) / "data"
        if user:
            shutil.chown(directory, user)
        subprocess.run(
            [initdb, "-D", str(data), "-A", "trust", "-U", "crawl", "--no-sync"],
            check=True, stdout=subprocess.DEVNULL, user=user, cwd=directory,
        )  # fmt: skip
        command = [server, "-D", str(data), "-k", directory, "-c", "listen_addresses=",
                   "-c", "fsync=off", "-c", "shared_buffers=16MB"]  # fmt: skip
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=user, cwd=directory
        ) as running:
            try:
                url = f"postgresql://crawl@/postgres?host={directory}"
                _wait_until_ready(url, running)
                yield url
            finally:
                # fast: does not wait for connections that a failed test left open
                running.send_signal(signal.SIGINT)


@pytest.fixture(scope="session")
def postgres_url() -> Generator[str]:
    with running_postgres() as url:
        yield url


def _program(name: str) -> str:
    found = sorted(_DEBIAN.glob(f"*/bin/{name}"))
    path = str(found[-1]) if found else shutil.which(name)
    if path is None:
        pytest.skip("postgresql is not installed")
    return path


def _wait_until_ready(url: str, running: "subprocess.Popen[bytes]") -> None:
    import psycopg

    for _ in range(200):
        if running.poll() is not None:
            pytest.skip("postgresql does not start on this machine")
        try:
            psycopg.connect(url, connect_timeout=2).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    pytest.fail("postgresql did not answer")
