"""A server process to measure: clean environment, MCP over stdio, CPU and memory from /proc."""

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache"
WEBQUARRY = Path(sys.executable).with_name("webquarry")
TIMEOUT = 60.0

Message = dict[str, Any]


@dataclass(frozen=True)
class Usage:
    """CPU, memory and elapsed time of a process when a reply arrived."""

    wall_ms: float
    cpu_ms: float
    rss_mb: float


class Process:
    """A child process with an empty home directory and a clean environment."""

    def __init__(
        self, command: Sequence[str], home: Path, settings: Mapping[str, str] | None = None
    ) -> None:
        environment = clean_environment(home) | dict(settings or {})
        self._started = time.perf_counter()
        self._child = subprocess.Popen(
            command,
            cwd=home,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        self._pending = bytearray()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def send(self, message: Message) -> None:
        self._write(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def receive(self, request_id: int) -> bytes:
        """Return the raw reply to a request, skipping notifications in between."""
        while True:
            line = self._read_line()
            if json.loads(line).get("id") == request_id:
                return line

    def call(self, message: Message) -> Message:
        """Send a request and return its result; an error reply stops the benchmark."""
        self.send(message)
        reply: Message = json.loads(self.receive(message["id"]))
        if "result" not in reply or reply["result"].get("isError"):
            raise SystemExit(f"{message['method']} failed: {reply}")
        return reply["result"]

    def call_and_measure(self, message: Message) -> Usage:
        """Send a request and measure the process as soon as the reply's line is complete."""
        self.send(message)
        while True:
            line = self._read_line()
            usage = self.usage()
            if json.loads(line).get("id") == message["id"]:
                return usage

    def usage(self) -> Usage:
        wall = time.perf_counter() - self._started
        return Usage(wall * 1e3, self.cpu_ms(), self.rss_mb())

    def cpu_ms(self) -> float:
        """Return the CPU time of the process and of its descendants."""
        return sum(_cpu_ms(pid) for pid in (self._child.pid, *_descendants(self._child.pid)))

    def rss_mb(self) -> float:
        for line in Path(f"/proc/{self._child.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise SystemExit("the server has ended")

    def stop(self) -> None:
        if self._child.stdin is not None:
            self._child.stdin.close()
        self._child.terminate()
        try:
            self._child.wait(5)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        if self._child.stdout is not None:
            self._child.stdout.close()

    def _write(self, body: bytes) -> None:
        if self._child.stdin is None:
            raise SystemExit("the server has no stdin")
        self._child.stdin.write(body)

    def _read_line(self) -> bytes:
        if self._child.stdout is None:
            raise SystemExit("the server has no stdout")
        descriptor = self._child.stdout.fileno()
        while b"\n" not in self._pending:
            if not select.select([descriptor], [], [], TIMEOUT)[0]:
                raise SystemExit(f"no reply within {TIMEOUT:.0f} s")
            chunk = os.read(descriptor, 1 << 16)
            if not chunk:
                raise SystemExit("the server closed its stdout; run it yourself to see why")
            self._pending += chunk
        line, _, rest = bytes(self._pending).partition(b"\n")
        self._pending[:] = rest
        return line


def _cpu_ms(pid: int) -> float:
    # the CPU clock id of another process, as clock_getcpuclockid(3) computes it
    return time.clock_gettime((~pid << 3) | 2) * 1e3


def _descendants(pid: int) -> list[int]:
    descendants: list[int] = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            descendants += [child, *_descendants(child)]
    return descendants


def clean_environment(home: Path) -> dict[str, str]:
    """Return an environment without API keys, proxy or configuration."""
    return {
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "WEBQUARRY_DATA_DIR": str(home / "data"),
    }


def request(number: int, method: str, params: Message | None = None) -> Message:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}


HANDSHAKE_VERSION = "2025-11-25"
INITIALIZE = request(
    1,
    "initialize",
    {
        "protocolVersion": HANDSHAKE_VERSION,
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
)
INITIALIZED: Message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
