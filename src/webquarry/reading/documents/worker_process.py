"""One worker process, seen from the server."""

import contextlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import Process

from webquarry.reading.documents.worker_protocol import LENGTH, MAX_JSON, packed

_SOURCE = Path(__file__).parents[3]
# no variable of ours reaches the worker: some are secrets
_ENVIRONMENT = {
    "PYTHONPATH": str(_SOURCE),
    "PATH": os.defpath,
    "LANG": "C.UTF-8",
    "OMP_THREAD_LIMIT": "1",  # tesseract's threads cost more than they gain
}
_PIECE = 2**18


class WorkerDiedError(Exception):
    """The process ended without an answer."""


class Worker:
    """A process that reads one document at a time."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._unread = bytearray()
        self.documents = 0
        self.idle_since = 0.0

    @classmethod
    async def start(cls, *, memory_bytes: int, idle_seconds: float) -> "Worker":
        """Start the process; it imports what it needs when its first document comes."""
        command = [sys.executable, "-P", "-B", "-m", "webquarry.reading.documents.worker",
                   str(memory_bytes), str(idle_seconds)]  # fmt: skip
        # a session of its own, so that it can be ended together with what it started
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

    async def ask(self, header: dict[str, Any], data: bytes) -> dict[str, Any]:
        """Return the answer to one request."""
        try:
            return json.loads(await self.ask_for_json(header, data))
        except ValueError as error:  # a subverted worker may also answer with nonsense
            raise WorkerDiedError from error

    async def ask_for_json(self, header: dict[str, Any], data: bytes) -> bytes:
        """Return the answer to one request as it came."""
        self.documents += 1
        stdin = self._process.stdin
        if stdin is None:
            raise WorkerDiedError
        try:
            head = packed(header, len(data))
            await stdin.send(head + data[:_PIECE])
            for at in range(_PIECE, len(data), _PIECE):
                await stdin.send(data[at : at + _PIECE])
            size, _ = LENGTH.unpack(await self._receive(LENGTH.size))
            if size > MAX_JSON:
                raise WorkerDiedError
            return await self._receive(size)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError) as error:
            raise WorkerDiedError from error

    async def end(self) -> None:
        """End the process and all it started, now."""
        with anyio.CancelScope(shield=True):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if sys.platform == "win32":
                    self._process.kill()
                elif self.is_alive:
                    os.killpg(self.pid, signal.SIGKILL)
            await self._process.aclose()

    async def cause(self) -> int:
        """Return the exit code of a process that died: negative for a signal."""
        with anyio.CancelScope(shield=True), anyio.move_on_after(1):
            return await self._process.wait()
        return 0

    async def _receive(self, size: int) -> bytes:
        stdout = self._process.stdout
        while len(self._unread) < size:
            if stdout is None:
                raise WorkerDiedError
            try:
                self._unread += await stdout.receive(_PIECE)
            except anyio.EndOfStream as error:
                raise WorkerDiedError from error
        found = bytes(self._unread[:size])
        del self._unread[:size]
        return found
