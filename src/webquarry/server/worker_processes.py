"""Several server processes on one port; a process that dies is replaced."""

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

from webquarry.errors import EXIT_INTERRUPTED
from webquarry.server.run_http import greeting, listen
from webquarry.settings.load import Settings

logger = logging.getLogger(__name__)

Serve = Callable[[Mapping[str, str], socket.socket], int]

_MIN_LIFETIME = 5.0  # seconds; a worker that dies sooner failed to start
_MAX_FAILED_STARTS = 5
_EXTRA_GRACE = 5.0  # seconds


def supervise(settings: Settings, serve: Serve, flags: Mapping[str, str]) -> int:
    """Run the workers until SIGTERM or SIGINT; return the exit code."""
    listener = listen(settings)
    pool = _WorkerPool(serve, flags, listener)

    received: list[int] = []

    def stop(number: int, _: object) -> None:
        received.append(number)
        pool.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    for _ in range(settings.http.workers):
        pool.start()
    sys.stdout.write(greeting(settings, listener))
    sys.stdout.flush()
    code = pool.watch(settings.server.http_shutdown_timeout + _EXTRA_GRACE)
    return EXIT_INTERRUPTED if signal.SIGINT in received else code


class _WorkerPool:
    """The worker processes and when each was started."""

    def __init__(self, serve: Serve, flags: Mapping[str, str], listener: socket.socket) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._serve = serve
        self._flags = dict(flags)
        self._listener = listener
        self._workers: dict[BaseProcess, float] = {}
        self._failed_starts = 0
        self._stopping = threading.Event()
        self._wake_read, self._wake_write = os.pipe()

    def start(self) -> None:
        """Start one more worker."""
        worker = self._context.Process(
            target=_work, args=(self._serve, self._flags, self._listener), daemon=False
        )
        # Ctrl-C reaches all processes of a terminal; one that is still importing ignores it
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        worker.start()
        signal.signal(signal.SIGINT, handler)
        self._workers[worker] = time.monotonic()

    def stop(self) -> None:
        """Make `watch` stop the workers."""
        self._stopping.set()
        os.write(self._wake_write, b"x")

    def watch(self, grace: float) -> int:
        """Replace workers that die; after `stop`, terminate them and kill them after `grace`."""
        while not self._stopping.is_set():
            wait([self._wake_read, *(worker.sentinel for worker in self._workers)])
            if self._stopping.is_set() or not self._replace():
                break
        self._listener.close()
        for worker in self._workers:
            worker.terminate()
        deadline = time.monotonic() + grace
        for worker in self._workers:
            worker.join(max(0.0, deadline - time.monotonic()))
            if worker.is_alive():
                worker.kill()
                worker.join()
        return 0 if self._stopping.is_set() else 1

    def _replace(self) -> bool:
        """Replace the workers that died; return False if they keep failing to start."""
        for worker in [worker for worker in self._workers if not worker.is_alive()]:
            lifetime = time.monotonic() - self._workers.pop(worker)
            self._failed_starts = self._failed_starts + 1 if lifetime < _MIN_LIFETIME else 0
            logger.error("worker %s exited with %s", worker.pid, worker.exitcode)
            if self._failed_starts >= _MAX_FAILED_STARTS:
                logger.critical("workers exit as soon as they start; giving up")
                return False
            self.start()
        return True


def _work(serve: Serve, flags: Mapping[str, str], listener: socket.socket) -> None:
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    sys.exit(serve(flags, listener))


def _stop_with_parent() -> None:
    """Stop when the parent process is gone; nothing else would stop this worker."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
