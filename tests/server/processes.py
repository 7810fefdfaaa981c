"""Starts `webquarry serve --stdio` as a process and exchanges messages with it."""

import json
import os
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from webquarry.front.snapshot_requests import CAPABILITIES_KEY, CLIENT_KEY, VERSION_KEY

CLIENT = {"name": "test", "version": "1"}
ENVELOPE = {VERSION_KEY: "2026-07-28", CLIENT_KEY: CLIENT, CAPABILITIES_KEY: {}}


class Process:
    """A stdio server process, seen by its client."""

    def __init__(self, popen: "subprocess.Popen[bytes]") -> None:
        self.popen = popen

    def write(self, raw: bytes) -> None:
        assert self.popen.stdin
        self.popen.stdin.write(raw)
        self.popen.stdin.flush()

    def send(self, message: Mapping[str, Any]) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def read(self) -> Any:
        assert self.popen.stdout
        line = self.popen.stdout.readline()
        assert line, f"the server ended with {self.popen.wait(10)}"
        return json.loads(line)

    def request(self, method: str, params: Any = None, *, id: int | str = 1) -> Any:  # noqa: A002
        self.send({"id": id, "method": method} | ({} if params is None else {"params": params}))
        return self.read()

    def handshake(self, version: str = "2025-11-25") -> Any:
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT}
        response = self.request("initialize", params, id="hello")
        self.send({"method": "notifications/initialized"})
        return response

    def close(self) -> int:
        assert self.popen.stdin
        self.popen.stdin.close()
        return self.popen.wait(20)


def environment(home: Path, **settings: str) -> dict[str, str]:
    inherited = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return inherited | {"HOME": str(home), "WEBQUARRY_DATA_DIR": str(home / "data")} | settings


@contextmanager
def stdio_server(
    home: Path, *arguments: str, settings: Mapping[str, str] | None = None
) -> Generator[Process]:
    """Start `webquarry serve --stdio` in `home`; its stderr goes to a file there."""
    command = [sys.executable, "-m", "webquarry", "serve", "--stdio", *arguments]
    with (home / "stderr").open("wb") as errors:
        popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=home,
            env=environment(home, **(settings or {})),
        )
    try:
        yield Process(popen)
    finally:
        popen.kill()
        popen.wait()
        for pipe in (popen.stdin, popen.stdout):
            if pipe and not pipe.closed:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue
