"""Several processes on one port: started together, started again when one dies."""

import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

from webquarry.server.run_http import greeting, listen
from webquarry.settings.load import Settings

logger = logging.getLogger(__name__)

Serve = Callable[[Mapping[str, str], socket.socket], int]

_HASTY = 5.0  # seconds; a worker that dies sooner never really ran
_MOST_HASTY = 5
_LAST_GRACE = 5.0


def supervise(settings: Settings, serve: Serve, flags: Mapping[str, str]) -> int:
    """Run the workers until told to stop; return the exit status."""
    listener = listen(settings)
    crew = _Crew(serve, flags, listener)

    def told(_: int, __: object) -> None:
        crew.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, told)
    for _ in range(settings.http.workers):
        crew.start()
    sys.stdout.write(greeting(settings, listener))
    sys.stdout.flush()
    return crew.watch(settings.server.http_shutdown_timeout + _LAST_GRACE)


class _Crew:
    """The workers and when each was started."""

    def __init__(self, serve: Serve, flags: Mapping[str, str], listener: socket.socket) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._serve = serve
        self._flags = dict(flags)
        self._listener = listener
        self._workers: dict[BaseProcess, float] = {}
        self._hasty = 0
        self._stopping = threading.Event()
        self._wake_read, self._wake_write = os.pipe()

    def start(self) -> None:
        """Start one more worker."""
        worker = self._context.Process(
            target=_work, args=(self._serve, self._flags, self._listener), daemon=False
        )
        worker.start()
        self._workers[worker] = time.monotonic()

    def stop(self) -> None:
        """Ask everyone to finish what they are doing."""
        self._stopping.set()
        os.write(self._wake_write, b"x")

    def watch(self, patience: float) -> int:
        """Replace workers that die; after `stop`, wait for them and then end them."""
        while not self._stopping.is_set():
            wait([self._wake_read, *(worker.sentinel for worker in self._workers)])
            if self._stopping.is_set() or not self._replace():
                break
        self._listener.close()
        for worker in self._workers:
            worker.terminate()
        deadline = time.monotonic() + patience
        for worker in self._workers:
            worker.join(max(0.0, deadline - time.monotonic()))
            if worker.is_alive():
                worker.kill()
                worker.join()
        return 0 if self._stopping.is_set() else 1

    def _replace(self) -> bool:
        """Start a worker for each that is gone; False when they keep dying at once."""
        for worker in [worker for worker in self._workers if not worker.is_alive()]:
            lived = time.monotonic() - self._workers.pop(worker)
            self._hasty = self._hasty + 1 if lived < _HASTY else 0
            logger.error("worker %s ended with %s", worker.pid, worker.exitcode)
            if self._hasty >= _MOST_HASTY:
                logger.critical("workers end as soon as they start; giving up")
                return False
            self.start()
        return True


def _work(serve: Serve, flags: Mapping[str, str], listener: socket.socket) -> None:
    threading.Thread(target=_follow_parent, daemon=True).start()
    sys.exit(serve(flags, listener))


def _follow_parent() -> None:
    """Stop when the process that started us is gone: nobody would ever stop us otherwise."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
