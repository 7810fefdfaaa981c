"""A queue that one background thread works off in order."""

import queue
import threading
from collections.abc import Callable
from typing import Any

Body = dict[str, Any]


class BackgroundWriter:
    """A bounded queue and its thread, which starts with the first item.

    `handle` must not raise.
    """

    def __init__(self, size: int, handle: Callable[[Body], None], name: str) -> None:
        self._queue: queue.Queue[Body | None] = queue.Queue(size)
        self._handle = handle
        self._name = name
        self._thread: threading.Thread | None = None
        self._start_lock = threading.Lock()

    def put(self, item: Body) -> bool:
        """Add one item; return whether there was room."""
        self._ensure_thread()
        try:
            self._queue.put_nowait(item)
        except queue.Full:
            return False
        return True

    @property
    def is_empty(self) -> bool:
        """Whether no item is queued."""
        return self._queue.empty()

    @property
    def is_idle(self) -> bool:
        """Whether no item is queued or being handled."""
        return self._queue.unfinished_tasks == 0

    def close(self, seconds: float) -> bool:
        """Handle the queued items, for `seconds` at most; return whether all were handled."""
        thread, self._thread = self._thread, None
        if thread is None or not thread.is_alive():
            return self.is_empty
        try:
            self._queue.put(None, timeout=seconds)
        except queue.Full:
            return False
        thread.join(seconds)
        return not thread.is_alive()

    def _ensure_thread(self) -> None:
        with self._start_lock:
            if self._thread is None or not self._thread.is_alive():
                # a daemon thread: a sink that hangs must not prevent the process from ending
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            self._handle(item)
            self._queue.task_done()
        self._queue.task_done()
