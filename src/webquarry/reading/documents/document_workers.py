"""The sandboxed processes that read documents: started when needed and reused."""

import json
import logging
import signal
import sys
from dataclasses import dataclass
from typing import Any, cast

import anyio

from webquarry.errors import InternalError, WebquarryError
from webquarry.parsing.worker_process import FunctionFailedError, Worker, WorkerDiedError
from webquarry.reading.documents.document_errors import ReaderCrashError

_log = logging.getLogger(__name__)
_IDLE_SECONDS = 60.0
_FUNCTION = "webquarry.reading.documents.document_reply:document_reply"


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What the processes may use."""

    memory_bytes: int = 1024 * 2**20
    count: int = 2
    documents: int = 50  # that one process reads
    program: str = ""  # the only one that they may start


class DocumentWorkers:
    """Processes with the same limits."""

    def __init__(self, limits: WorkerLimits) -> None:
        self._limits = limits
        self._slots = anyio.CapacityLimiter(limits.count)
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()
        self._closed = False

    @property
    def pids(self) -> tuple[int, ...]:
        """The ids of the running processes."""
        return tuple(w.pid for w in (*self._idle, *self._busy) if w.is_alive)

    async def read(self, task: dict[str, Any], data: bytes) -> dict[str, Any]:
        """Return the reply to a task; `ReaderCrashError` if there is none."""
        url, seconds = task["url"], task["seconds"]
        header = {"function": _FUNCTION, "arguments": task, "seconds": seconds}
        async with self._slots:
            worker = await self._worker()
            self._busy.add(worker)
            keep = False
            try:
                with anyio.fail_after(seconds):
                    reply = _decoded(await worker.request(header, data))
                keep = reply.get("failure") not in ("memory", "bug")
            except TimeoutError as error:
                raise ReaderCrashError(
                    f"Reading {url} took longer than {seconds:g} seconds"
                ) from error
            except (WorkerDiedError, FunctionFailedError) as error:
                raise await self._crash_error(worker, url) from error
            finally:
                self._busy.discard(worker)
                await self._release(worker, keep=keep)
        return reply

    async def aclose(self) -> None:
        """End all processes; documents being read fail."""
        self._closed = True
        workers, self._idle = [*self._idle, *self._busy], []
        for worker in workers:
            await worker.end()

    async def _worker(self) -> Worker:
        """Return an idle process that does not end soon, or a new one."""
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive and anyio.current_time() - worker.idle_since < _IDLE_SECONDS:
                return worker
            await worker.end()
        if self._closed:
            raise InternalError("no document can be read: the server is shutting down")
        # its own idle limit is longer, so that it never ends while a request is sent
        try:
            return await Worker.start(
                memory_bytes=self._limits.memory_bytes,
                idle_seconds=_IDLE_SECONDS + 30,
                program=self._limits.program,
            )
        except OSError as error:
            raise ReaderCrashError(
                f"No process to read documents could be started: {error}"
            ) from error

    async def _release(self, worker: Worker, *, keep: bool) -> None:
        is_fresh = worker.requests < self._limits.documents
        if keep and is_fresh and not self._closed:
            worker.idle_since = anyio.current_time()
            self._idle.append(worker)
        else:
            await worker.end()

    async def _crash_error(self, worker: Worker, url: str) -> WebquarryError:
        code = await worker.exit_code()
        if self._closed:
            return ReaderCrashError(f"Reading {url} was stopped: the server is shutting down")
        _log.warning("document worker %d died with %d", worker.pid, code)
        if sys.platform != "win32" and code == -signal.SIGXCPU:
            return ReaderCrashError(f"Reading {url} took more CPU time than is allowed")
        # a library in C or Rust ends the process when it gets no memory
        if sys.platform != "win32" and code == -signal.SIGABRT:
            return ReaderCrashError(
                f"Reading {url} was aborted, probably because it needs more memory than is allowed"
            )
        return ReaderCrashError(
            f"The process reading {url} died; the document may be damaged or hostile"
        )


def _decoded(reply: bytes) -> dict[str, Any]:
    """Return a reply, empty if it is invalid: the worker may be compromised."""
    try:
        decoded = json.loads(reply)
    except ValueError:
        return {}
    return cast("dict[str, Any]", decoded) if isinstance(decoded, dict) else {}
