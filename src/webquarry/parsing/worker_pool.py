"""The worker processes that parse foreign content."""

import logging
import os
import signal
import sys
from collections.abc import Mapping
from typing import Any, TypeVar

import anyio
from pydantic_core import to_jsonable_python

from webquarry import errors
from webquarry.errors import InternalError, WebquarryError
from webquarry.parsing.task import ParseTask, call_for_reply
from webquarry.parsing.worker_process import FunctionFailedError, Worker, WorkerDiedError

_DEADLINE_FACTOR = 6  # of the CPU time: the cores may be busy
_MEMORY_BYTES = 1024 * 2**20
_IDLE_SECONDS = 300.0
_REQUESTS_PER_WORKER = 2_000
_MAX_MESSAGE = 2_000  # characters of an error
_CALL = f"{call_for_reply.__module__}:{call_for_reply.__qualname__}"
_LIMITS = {
    "memory": "needs more memory to read than is allowed",
    "depth": "is nested too deeply",
}
_CPU_LIMIT = -signal.SIGXCPU if sys.platform != "win32" else None  # exit code
T = TypeVar("T")

_log = logging.getLogger(__name__)


class _WorkerLostError(Exception):
    """The process ended with this code, or sent an invalid reply."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class WorkerPool:
    """Runs parse tasks in worker processes, which start when needed and end when idle."""

    def __init__(self, workers: int | None = None) -> None:
        """Use at most so many processes; by default one for each core, up to 2."""
        self.max_workers = workers or min(2, os.cpu_count() or 1)
        self._slots = anyio.CapacityLimiter(self.max_workers)
        self._idle: list[Worker] = []
        self._workers: set[Worker] = set()
        self._closed = False
        self._waiting = 0  # tasks that have no process yet

    @property
    def pids(self) -> tuple[int, ...]:
        """The ids of the running processes."""
        return tuple(worker.pid for worker in self._workers if worker.is_alive)

    @property
    def busy(self) -> int:
        """The number of processes that parse something."""
        return len(self._workers) - len(self._idle)

    @property
    def is_idle(self) -> bool:
        """Whether a process waits for work, and nobody for a process."""
        return sum(worker.is_alive for worker in self._idle) > self._waiting

    async def run(self, task: ParseTask[Any, T], content: bytes, arguments: Mapping[str, Any]) -> T:
        """Return the result of a task, when a process is free; raise its error if it fails."""
        header = {
            "function": _CALL,
            "arguments": {"function": task.name, "arguments": to_jsonable_python(arguments)},
            "seconds": task.seconds,
        }
        self._waiting += 1
        try:
            await self._slots.acquire()
        finally:
            self._waiting -= 1
        try:
            while True:
                worker = await self._worker()
                was_idle = worker.requests > 0
                try:
                    return await self._request(worker, task, header, content)
                except _WorkerLostError as lost:
                    # one that was idle may have ended for another reason: ask a new one
                    if not was_idle or self._closed or lost.code == _CPU_LIMIT:
                        raise self._crash_error(task, worker, lost.code) from lost
        finally:
            self._slots.release()

    async def aclose(self) -> None:
        """End the processes; what they are parsing fails."""
        self._closed = True
        for worker in tuple(self._workers):
            await self._drop(worker)

    async def _worker(self) -> Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive and anyio.current_time() - worker.idle_since < _IDLE_SECONDS:
                return worker
            await self._drop(worker)
        if self._closed:
            raise InternalError("nothing can be parsed: the server is shutting down")
        try:
            # its own idle limit is longer, so that it does not end while a request is sent
            worker = await Worker.start(memory_bytes=_MEMORY_BYTES, idle_seconds=_IDLE_SECONDS + 30)
        except OSError as error:
            raise InternalError(f"No process to parse content could be started: {error}") from error
        self._workers.add(worker)
        return worker

    async def _request(
        self, worker: Worker, task: ParseTask[Any, T], header: dict[str, Any], content: bytes
    ) -> T:
        """Return the result of one process, which is ended unless it can be used again."""
        keep = False
        try:
            with anyio.fail_after(task.seconds * _DEADLINE_FACTOR):
                reply = await worker.request(header, content)
            result = task.read_result(reply)
            keep = worker.requests < _REQUESTS_PER_WORKER and not self._closed
        except FunctionFailedError as failed:
            keep = "error" in failed.failure and not self._closed
            raise _error(task, failed.failure) from failed
        except TimeoutError as error:
            raise task.error(f"{task.subject} takes too long to read") from error
        except WorkerDiedError as error:
            raise _WorkerLostError(await worker.exit_code()) from error
        except ValueError as error:  # the worker may be compromised
            raise _WorkerLostError(0) from error
        finally:
            if keep:
                worker.idle_since = anyio.current_time()
                self._idle.append(worker)
            else:
                await self._drop(worker)
        return result

    def _crash_error(self, task: ParseTask[Any, Any], worker: Worker, code: int) -> WebquarryError:
        if self._closed:
            return InternalError(f"{task.subject} was not parsed: the server is shutting down")
        _log.warning("worker process %d ended with %d: %s", worker.pid, code, task.subject)
        if code == _CPU_LIMIT:
            return task.error(
                f"{task.subject} needs more work to read than is allowed"
                f" ({task.seconds:g} seconds of CPU time)"
            )
        return task.error(f"{task.subject} made its parser fail; it may be damaged or hostile")

    async def _drop(self, worker: Worker) -> None:
        self._workers.discard(worker)
        await worker.end()


def _error(task: ParseTask[Any, Any], failure: dict[str, Any]) -> WebquarryError:
    """Return the error that a function raised in the process."""
    if limit := _LIMITS.get(str(failure.get("limit"))):
        return task.error(f"{task.subject} {limit}")
    found = getattr(errors, str(failure.get("error")), None)
    if isinstance(found, type) and issubclass(found, WebquarryError):
        return found(str(failure.get("message"))[:_MAX_MESSAGE])
    _log.error(
        "the parser of %s failed: %s", task.subject, str(failure.get("cause"))[:_MAX_MESSAGE]
    )
    return InternalError(f"{task.subject} could not be parsed: its parser failed")
