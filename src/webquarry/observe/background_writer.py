"""Work that one thread does in order, so that whoever has it need not wait."""

import queue
import threading
from collections.abc import Callable
from typing import Any

Body = dict[str, Any]


class BackgroundWriter:
    """A bounded queue and the thread that empties it; the thread begins with the first item.

    `handle` must see to its own failures.
    """

    def __init__(self, size: int, handle: Callable[[Body], None], name: str) -> None:
        self._queue: queue.Queue[Body | None] = queue.Queue(size)
        self._handle = handle
        self._name = name
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def put(self, item: Body) -> bool:
        """Add one item; return whether there was room."""
        self._begin()
        try:
            self._queue.put_nowait(item)
        except queue.Full:
            return False
        return True

    @property
    def is_empty(self) -> bool:
        """Return whether everything was taken out."""
        return self._queue.empty()

    @property
    def is_idle(self) -> bool:
        """Return whether everything was taken out and done."""
        return self._queue.unfinished_tasks == 0

    def close(self, seconds: float) -> bool:
        """Finish what is queued, for so long at most; return whether all of it was done."""
        thread, self._thread = self._thread, None
        if thread is None or not thread.is_alive():
            return self.is_empty
        try:
            self._queue.put(None, timeout=seconds)
        except queue.Full:
            return False
        thread.join(seconds)
        return not thread.is_alive()

    def _begin(self) -> None:
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                # a daemon: a sink that hangs must not keep the process from ending
                self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()

    def _run(self) -> None:
        item: Body | None = {}
        while item is not None:
            item = self._queue.get()
            if item is not None:
                self._handle(item)
            self._queue.task_done()
