"""The settings of a crawl service on each kind of database."""

import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.crawl.test_crash import ROOT, shared_settings
from tests.postgres_server import postgres_url
from tests.redis_server import redis_url

__all__ = ["crawl_settings", "postgres_url", "redis_url"]

_WORKER = "from webquarry.serving import serve_worker; serve_worker({})"


@pytest.fixture(params=["sqlite", "postgres"])
def crawl_settings(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[dict[str, str]]:
    """Yield the settings for SQLite, or for Postgres and Redis with a running worker."""
    if request.param == "sqlite":
        yield {"CHROME_NO_SANDBOX": "true"}
        return
    urls = [str(request.getfixturevalue(name)) for name in ("redis_url", "postgres_url")]
    settings = shared_settings(tmp_path, *urls) | {"CHROME_NO_SANDBOX": "true"}
    command = [sys.executable, "-c", _WORKER]
    with subprocess.Popen(command, cwd=ROOT, env=os.environ | settings) as worker:
        try:
            yield settings
        finally:
            worker.terminate()
