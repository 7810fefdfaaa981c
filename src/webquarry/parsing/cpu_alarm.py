"""Interrupts synchronous work in the main thread that takes too much CPU time.

A timer sends a signal after so much CPU time, and its handler raises an exception in the work.
Python code and the `re` module are interrupted within milliseconds; other code in C is not, until
it returns. Signals reach the main thread only, and Windows has no such timer: `can_interrupt`
tells whether the work of the caller can be interrupted.
"""

import gc
import signal
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from types import FrameType
from typing import TypeVar

# CPU time between two signals; the exception is raised again if a destructor swallowed it
_TICK_SECONDS = 0.01
# an exception in these modules could leave a module half imported, or a lock held
_IMPORTING = frozenset(("importlib._bootstrap", "importlib._bootstrap_external"))
_LOCKING = frozenset(("logging", "threading"))
_T = TypeVar("_T")
# the function of the module `signal` converts its result to an enumeration, which takes 3 µs
_get_handler: Callable[[int], object] = import_module("_signal").getsignal
_SIGNAL = int(signal.SIGVTALRM) if sys.platform != "win32" else 0


class CpuLimitError(Exception):
    """The work took more CPU time than it was allowed and was interrupted."""


# no handler of ordinary exceptions may catch it
class _Interrupt(BaseException):
    """Raised by the signal handler."""


class _Alarm:
    """The limit of the work in progress, as CPU time of the main thread."""

    seconds: float = 0.0
    limit: float | None = None
    collects_garbage: bool = False  # before the work
    handler: Callable[[FrameType | None], None] | None = None  # of `interrupt_thread`


def can_interrupt() -> bool:
    """Return whether `run_limited` can interrupt work of this thread; install the handler if so."""
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        return False
    handler = _get_handler(_SIGNAL)
    if handler is not _on_signal and handler == signal.SIG_DFL:
        signal.signal(_SIGNAL, _on_signal)
        # the kernel may deliver the signal to any thread: restart its system calls
        signal.siginterrupt(_SIGNAL, False)  # noqa: FBT003 - positional only
        return True
    return handler is _on_signal


def interrupt_thread(thread: int, handler: Callable[[FrameType | None], None]) -> None:
    """Call the handler in the main thread, whatever it is doing: it may raise an exception there.

    Limited work is left to its own limit.
    """
    if sys.platform != "win32" and _get_handler(_SIGNAL) is _on_signal:
        _Alarm.handler = handler
        signal.pthread_kill(thread, _SIGNAL)


def run_limited(work: Callable[[], _T], seconds: float) -> _T:
    """Return the result of the work; raise `CpuLimitError` when it takes too much CPU time.

    Inside other limited work the outer limit applies. Where work cannot be interrupted, this
    only calls it.
    """
    if _Alarm.limit is not None or not can_interrupt():
        return work()
    if sys.platform == "win32":  # for the type checker
        return work()
    try:
        try:
            return _run_armed(work, seconds)
        except _Interrupt:  # the signal may have come at the start of the `finally`
            _disarm()
    except _Interrupt:  # a second signal, before the alarm of the first was stopped
        _disarm()
    raise CpuLimitError(f"took more than {seconds:g} s of CPU time")


def _run_armed(work: Callable[[], _T], seconds: float) -> _T:
    # a collection takes time in proportion to the whole heap; that is not the work of the content
    _Alarm.collects_garbage = gc.isenabled()
    gc.disable()
    _Alarm.seconds = seconds
    _Alarm.limit = time.thread_time() + seconds
    signal.setitimer(signal.ITIMER_VIRTUAL, _TICK_SECONDS, _TICK_SECONDS)
    try:
        return work()
    finally:
        _disarm()


def _disarm() -> None:
    _Alarm.limit = None
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    if _Alarm.collects_garbage:
        gc.enable()


def _on_signal(_signal: int, frame: FrameType | None) -> None:
    limit, now = _Alarm.limit, time.thread_time()
    handler, _Alarm.handler = _Alarm.handler, None
    if limit is None:
        if handler:
            handler(frame)
        return
    modules = _modules(frame)
    if modules & _IMPORTING:
        # the first call of a parser imports much; that is not the work of the content
        _Alarm.limit = now + _Alarm.seconds
    # the timer counts the CPU time of all threads, the limit that of this one
    elif now >= limit and not modules & _LOCKING:
        raise _Interrupt


def _modules(frame: FrameType | None) -> set[str]:
    """Return the modules of the functions in progress."""
    found: set[str] = set()
    while frame is not None and frame.f_code is not run_limited.__code__:
        found.add(frame.f_globals.get("__name__", ""))
        frame = frame.f_back
    return found
