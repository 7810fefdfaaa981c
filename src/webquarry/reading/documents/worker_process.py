"""The server's side of a worker process."""

import contextlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import Process

from webquarry.reading.documents.worker_protocol import LENGTH, MAX_JSON, pack_header

_SOURCE = Path(__file__).parents[3]
# the worker does not inherit environment variables: some are secrets
_ENVIRONMENT = {
    "PYTHONPATH": str(_SOURCE),
    "PATH": os.defpath,
    "LANG": "C.UTF-8",
    "OMP_THREAD_LIMIT": "1",  # more threads slow tesseract down
}
_CHUNK_BYTES = 2**18


class WorkerDiedError(Exception):
    """The process ended without a reply."""


class Worker:
    """A process that reads one document at a time."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._buffer = bytearray()
        self.documents = 0
        self.idle_since = 0.0

    @classmethod
    async def start(cls, *, memory_bytes: int, idle_seconds: float) -> "Worker":
        """Start the process; it imports a reader with the first document of its kind."""
        command = [sys.executable, "-P", "-B", "-m", "webquarry.reading.documents.worker",
                   str(memory_bytes), str(idle_seconds)]  # fmt: skip
        # its own session, so that its child processes can be killed with it
        return cls(
            await anyio.open_process(
                command, stderr=None, env=_ENVIRONMENT, cwd="/", start_new_session=True
            )
        )

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.returncode is None

    async def request(self, header: dict[str, Any], data: bytes) -> dict[str, Any]:
        """Return the reply to one request."""
        try:
            return json.loads(await self.request_bytes(header, data))
        except ValueError as error:  # the worker may be compromised
            raise WorkerDiedError from error

    async def request_bytes(self, header: dict[str, Any], data: bytes) -> bytes:
        """Return the reply to one request as JSON text."""
        self.documents += 1
        stdin = self._process.stdin
        if stdin is None:
            raise WorkerDiedError
        try:
            head = pack_header(header, len(data))
            await stdin.send(head + data[:_CHUNK_BYTES])
            for start in range(_CHUNK_BYTES, len(data), _CHUNK_BYTES):
                await stdin.send(data[start : start + _CHUNK_BYTES])
            size, _ = LENGTH.unpack(await self._receive(LENGTH.size))
            if size > MAX_JSON:
                raise WorkerDiedError
            return await self._receive(size)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError) as error:
            raise WorkerDiedError from error

    async def end(self) -> None:
        """Kill the process and its child processes."""
        with anyio.CancelScope(shield=True):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if sys.platform == "win32":
                    self._process.kill()
                elif self.is_alive:
                    os.killpg(self.pid, signal.SIGKILL)
            await self._process.aclose()

    async def exit_code(self) -> int:
        """Return the exit code of a process that died: negative for a signal."""
        with anyio.CancelScope(shield=True), anyio.move_on_after(1):
            return await self._process.wait()
        return 0

    async def _receive(self, size: int) -> bytes:
        stdout = self._process.stdout
        while len(self._buffer) < size:
            if stdout is None:
                raise WorkerDiedError
            try:
                self._buffer += await stdout.receive(_CHUNK_BYTES)
            except anyio.EndOfStream as error:
                raise WorkerDiedError from error
        received = bytes(self._buffer[:size])
        del self._buffer[:size]
        return received
