"""Watches the event loop: how late it is, what blocks it, and stops what blocks it for long.

A callback of the loop notes the time twice a second. A thread looks at that note: if it is old,
the loop is blocked, and the thread logs what the main thread is doing. If a tool is computing
there, it gets an error, so that the other callers are served again.
"""

import asyncio
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

from webquarry.errors import InternalError
from webquarry.observe.metrics import Metrics
from webquarry.parsing import cpu_alarm

_INTERVAL = 0.5  # seconds
_BLOCKED_SECONDS = 1.0
_STOP_CPU_SECONDS = 5.0  # of the main thread, in one callback
_MAX_FRAMES = 30
# code that only computes: an exception leaves nothing half done
_STOPPABLE = ("webquarry.calls.", "webquarry.content.", "webquarry.models.", "webquarry.providers.",
              "webquarry.reading.", "webquarry.searxng.", "webquarry.services.",
              "webquarry.tools.")  # fmt: skip
_NOT_STOPPABLE = ("asyncio", "uvloop", "logging", "threading", "importlib", "anyio", "ssl",
                  "selectors", "concurrent")  # fmt: skip

_log = logging.getLogger(__name__)


class LoopWatchdog:
    """Compares the time of the last callback with the clock. `check` runs in another thread."""

    def __init__(
        self,
        metrics: Metrics,
        *,
        clock: Callable[[], float] = time.monotonic,
        cpu_clock: Callable[[], float] | None = None,
        thread: int | None = None,
    ) -> None:
        self._metrics = metrics
        self._clock = clock
        self._thread = threading.get_ident() if thread is None else thread
        self._cpu_clock = cpu_clock or _cpu_clock(self._thread)
        self._due = clock() + _INTERVAL  # when the loop should call `beat`
        self._cpu_at_beat = self._cpu_clock()
        self._checked = clock()
        self._reported = False

    def beat(self) -> None:
        """Note that the loop runs."""
        now = self._clock()
        lag = max(0.0, now - self._due)
        self._metrics.record_loop_lag(lag, blocked=lag >= _BLOCKED_SECONDS)
        self._due, self._cpu_at_beat, self._reported = now + _INTERVAL, self._cpu_clock(), False

    def check(self) -> None:
        """Log what blocks the loop, once; stop it after a while."""
        now, was = self._clock(), self._checked
        self._checked = now
        # the whole process was suspended if this thread was late, too
        if now - was > _INTERVAL + _BLOCKED_SECONDS or now - self._due < _BLOCKED_SECONDS:
            return
        if not self._reported:
            self._reported = True
            _log.error("the event loop is blocked for more than 1 s:\n%s", self._stack())
        if self._cpu_clock() - self._cpu_at_beat >= _STOP_CPU_SECONDS:
            cpu_alarm.interrupt_thread(self._thread, stop_computation)

    def _stack(self) -> str:
        # documented, despite its name
        frames = sys._current_frames()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        frame = frames.get(self._thread)
        return "".join(traceback.format_stack(frame, _MAX_FRAMES)) if frame else "(ended)"


@contextmanager
def watched_loop(metrics: Metrics) -> Generator[None]:
    """Watch the running event loop, which is that of the main thread."""
    watchdog, loop, stopped = LoopWatchdog(metrics), asyncio.get_running_loop(), threading.Event()

    def beat() -> None:
        nonlocal timer
        watchdog.beat()
        timer = loop.call_later(_INTERVAL, beat)

    def watch() -> None:
        while not stopped.wait(_INTERVAL):
            watchdog.check()

    cpu_alarm.can_interrupt()  # installs the signal handler
    timer = loop.call_later(_INTERVAL, beat)
    threading.Thread(target=watch, name="loop watchdog", daemon=True).start()
    try:
        yield
    finally:
        timer.cancel()
        stopped.set()


def stop_computation(frame: FrameType | None) -> None:
    """Raise an error if the main thread is computing for a tool."""
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith("webquarry."):
            if module.startswith(_STOPPABLE):
                _log.error("what blocked the event loop was stopped in %s", module)
                raise InternalError("The call was stopped: it kept the server busy for too long.")
            return
        if module.startswith(_NOT_STOPPABLE):
            return
        frame = frame.f_back


def _cpu_clock(thread: int) -> Callable[[], float]:
    """Return the CPU time of a thread; without a clock for threads, that of the process."""
    if sys.platform in ("win32", "darwin"):
        return time.process_time
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)
