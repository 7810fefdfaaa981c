"""Parses foreign content where it can be stopped.

Short content is parsed in this process under a CPU alarm, which costs two system calls. Content
that is long, or that the alarm interrupted, is parsed by a worker process: sandboxed, with limits
of CPU time and memory, and killed when its caller is cancelled. Content that fails there is never
parsed in this process.
"""

import hashlib
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from webquarry.parsing.cpu_alarm import CpuLimitError, can_interrupt, run_limited
from webquarry.parsing.task import P, ParseTask, T
from webquarry.parsing.worker_pool import WorkerPool

_INLINE_SECONDS = 0.1  # of CPU time; ordinary pages of up to 128 KiB take 3 to 60 ms
_CAREFUL_SECONDS = 0.03  # for a while after content was interrupted
_CAREFUL_PERIOD = 60.0
_MAX_FAILURES = 256
_FAILURE_PERIOD = 300.0

_log = logging.getLogger(__name__)


class Parsers:
    """Runs parse tasks, in this process or in worker processes."""

    def __init__(
        self, workers: WorkerPool | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.workers = workers or WorkerPool()
        self._clock = clock
        self._careful_until = 0.0
        self._failures = _Failures(clock)
        self.interrupted = 0  # tasks that the alarm interrupted

    async def run(
        self, task: ParseTask[P, T], content: bytes, *args: P.args, **arguments: P.kwargs
    ) -> T:
        """Return the result of a task; raise the error of the task if it needs too much work."""
        if len(content) <= task.inline_bytes and can_interrupt():
            self._failures.check(task, content, arguments)
            try:
                work = partial(task.function, content, *args, **arguments)
                return run_limited(work, self._seconds())
            except CpuLimitError:
                self.interrupted += 1
                self._careful_until = self._clock() + _CAREFUL_PERIOD
                _log.info("%s takes long to parse: a worker process continues", task.subject)
        return await self.run_in_worker(task, content, *args, **arguments)

    async def compute(
        self, task: ParseTask[P, T], size: int, *args: P.args, **arguments: P.kwargs
    ) -> T:
        """Return the result of a task whose texts, of `size` characters, are in its arguments."""
        run = self.run if size <= task.inline_bytes else self.run_in_worker
        return await run(task, b"", *args, **arguments)

    async def run_in_worker(
        self, task: ParseTask[P, T], content: bytes, *args: P.args, **arguments: P.kwargs
    ) -> T:
        """Return the result of a task that a worker process runs."""
        if args:
            raise TypeError("the arguments of a parse task are passed by name")
        self._failures.check(task, content, arguments)
        try:
            return await self.workers.run(task, content, arguments)
        except task.error as error:
            self._failures.add(task, content, arguments, str(error))
            raise

    async def aclose(self) -> None:
        """End the worker processes."""
        await self.workers.aclose()

    def _seconds(self) -> float:
        is_careful = self._careful_until and self._clock() < self._careful_until
        return _CAREFUL_SECONDS if is_careful else _INLINE_SECONDS


class _Failures:
    """Content that a worker process could not parse, for a while: it is not tried again at once."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._until: OrderedDict[bytes, tuple[float, str]] = OrderedDict()

    def check(
        self, task: ParseTask[Any, Any], content: bytes, arguments: Mapping[str, Any]
    ) -> None:
        """Raise the error of the task if it failed recently."""
        now = self._clock()
        while self._until and next(iter(self._until.values()))[0] <= now:
            self._until.popitem(last=False)
        if self._until and (failure := self._until.get(_digest(task, content, arguments))):
            raise task.error(failure[1])

    def add(
        self,
        task: ParseTask[Any, Any],
        content: bytes,
        arguments: Mapping[str, Any],
        message: str,
    ) -> None:
        """Remember the failure of a task."""
        key = _digest(task, content, arguments)
        self._until[key] = (self._clock() + _FAILURE_PERIOD, message)
        self._until.move_to_end(key)
        if len(self._until) > _MAX_FAILURES:
            self._until.popitem(last=False)


def _digest(task: ParseTask[Any, Any], content: bytes, arguments: Mapping[str, Any]) -> bytes:
    hashed = hashlib.blake2b(
        f"{task.name} {sorted(arguments.items())!r}".encode("utf-8", "replace")
    )
    hashed.update(content)
    return hashed.digest()
