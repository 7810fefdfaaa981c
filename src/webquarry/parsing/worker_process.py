"""The server's side of a worker process."""

import contextlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any, cast

import anyio
from anyio.abc import Process

from webquarry.parsing.worker_protocol import LENGTH, MAX_JSON, RETURNED, pack_header

_SOURCE = Path(__file__).parents[2]
# the worker does not inherit environment variables: some are secrets
ENVIRONMENT = {
    "PYTHONPATH": str(_SOURCE),
    "PATH": os.defpath,
    "LANG": "C.UTF-8",
    "OMP_THREAD_LIMIT": "1",  # more threads slow tesseract down
    "ORT_DISABLE_TELEMETRY": "1",  # of onnxruntime; the process has no network either
}
_CHUNK_BYTES = 2**18


class WorkerDiedError(Exception):
    """The process ended without a reply, or sent an invalid one."""


class FunctionFailedError(Exception):
    """The function raised an exception in the process."""

    def __init__(self, failure: dict[str, Any]) -> None:
        super().__init__(failure)
        self.failure = failure


class Worker:
    """A process that parses one piece of content at a time."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._buffer = bytearray()
        self.requests = 0
        self.idle_since = 0.0

    @classmethod
    async def start(cls, *, memory_bytes: int, idle_seconds: float, program: str = "") -> "Worker":
        """Start the process, which may start one program; it imports a parser when first used."""
        command = [sys.executable, "-P", "-B", "-m", "webquarry.parsing.worker",
                   str(memory_bytes), str(idle_seconds), program]  # fmt: skip
        # its own session, so that its child processes can be killed with it
        return cls(
            await anyio.open_process(
                command, stderr=None, env=ENVIRONMENT, cwd="/", start_new_session=True
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

    async def request(self, header: dict[str, Any], data: bytes) -> bytes:
        """Return the JSON that a function returned; `FunctionFailedError` if it failed."""
        self.requests += 1
        stdin = self._process.stdin
        if stdin is None:
            raise WorkerDiedError
        try:
            head = pack_header(header, len(data))
            await stdin.send(head + data[:_CHUNK_BYTES])
            for start in range(_CHUNK_BYTES, len(data), _CHUNK_BYTES):
                await stdin.send(data[start : start + _CHUNK_BYTES])
            size, status = LENGTH.unpack(await self._receive(LENGTH.size))
            if size > MAX_JSON:
                raise WorkerDiedError
            reply = await self._receive(size)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError) as error:
            raise WorkerDiedError from error
        if status == RETURNED:
            return reply
        raise FunctionFailedError(_decoded(reply))

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


def _decoded(reply: bytes) -> dict[str, Any]:
    try:
        failure = json.loads(reply)
    except ValueError as error:  # the worker may be compromised
        raise WorkerDiedError from error
    if not isinstance(failure, dict):
        raise WorkerDiedError
    return cast("dict[str, Any]", failure)
