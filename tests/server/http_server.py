"""Starts `webquarry serve --http` on a free port."""

import json
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from tests.server.processes import environment

UNLIMITED = {"RATE_LIMIT_PER_TENANT": "0", "RATE_LIMIT_GLOBAL": "0", "DAILY_QUOTA_PER_TENANT": "0"}


@contextmanager
def http_server(
    home: Path,
    *arguments: str,
    settings: Mapping[str, str] | None = None,
    killed: bool = False,
) -> Generator[httpx2.Client]:
    """Start `webquarry serve --http`; yield a client. `killed`: it ends by kill -9."""
    command = [sys.executable, "-m", "webquarry", "serve", "--http", "--port", "0",
               "--toolsets", "all", *arguments]  # fmt: skip
    with (home / "stderr").open("wb") as errors:
        popen = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=home,
            env=environment(home, **(UNLIMITED | dict(settings or {}))),
        )
    try:
        with httpx2.Client(base_url=_read_url(popen), timeout=20) as client:
            yield client
    finally:
        popen.send_signal(signal.SIGKILL if killed else signal.SIGTERM)
        try:
            assert popen.wait(60) == (-signal.SIGKILL if killed else 0)
        finally:
            popen.kill()
            assert popen.stdout
            popen.stdout.close()


def _read_url(popen: "subprocess.Popen[bytes]") -> str:
    """Return the URL that the server prints once it listens."""
    assert popen.stdout
    for line in popen.stdout:
        if b"Console" in line:
            return line.split()[1].decode().rstrip("/")
    raise AssertionError("the server ended before it listened")


def messages(response: httpx2.Response) -> list[Any]:
    """Return the JSON-RPC messages of a response, streamed or not."""
    if response.headers["content-type"].startswith("application/json"):
        return [response.json()]
    lines = response.text.splitlines()
    return [json.loads(line[6:]) for line in lines if line.startswith("data: {")]
