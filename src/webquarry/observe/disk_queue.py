"""A queue in front of a slow sink for audit events; it spills to disk when it is full."""

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from webquarry.observe.background_writer import BackgroundWriter, Body

_MODE = 0o600
_MAX_SPILL_BYTES = 50 * 2**20
_CLOSE_TIMEOUT = 10.0  # seconds to write queued events at shutdown
_SLOW_WRITE = 0.05  # seconds for one event, from which only the thread writes to the sink
_SLOW_PERIOD = 60.0  # seconds for which only the thread does


class Sink(Protocol):
    """Writes events."""

    def append(self, body: Mapping[str, Any]) -> None: ...

    def close(self) -> None: ...


class FastSink(Sink, Protocol):
    """A sink that can write without blocking."""

    def try_append(self, body: Mapping[str, Any]) -> bool:
        """Write an event if that cannot block; return whether it was written."""
        ...


class DiskQueue:
    """Queues events for a sink that may be slow: in memory first, then in a spill file.

    While the queue is empty, a fast sink is written to directly: a thread costs ten times as much.
    """

    def __init__(
        self,
        sink: FastSink,
        *,
        size: int,
        spill_file: Path | None,
        on_loss: Callable[[Exception], None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sink = sink
        self._spill_file = spill_file
        self._on_loss = on_loss
        self._monotonic = monotonic
        self._direct_after = float("-inf")  # when the sink may be written to directly
        self._lock = threading.Lock()  # guards the order of events and the spill file
        self._queue = BackgroundWriter(size, self._write, "audit")
        self.spilled = 0
        self._pending_on_disk = 0  # events in the spill file
        self._orphans = _orphaned_files(spill_file) if spill_file else []
        if self._orphans:
            self._pending_on_disk = 1
            self._queue.put({})

    def append(self, body: Mapping[str, Any]) -> None:
        """Accept an event without waiting for the sink."""
        with self._lock:
            if self._write_directly(body):
                return
            # keep the order: spilled events come first
            if not self._pending_on_disk and self._queue.put(dict(body)):
                return
            self._spill(dict(body))
        self._queue.put({})  # wake the thread, in case the queue is empty by now

    def close(self) -> None:
        """Write queued events, then close the sink."""
        if not self._queue.close(_CLOSE_TIMEOUT):
            self._on_loss(OSError("the sink was too slow at shutdown"))
        elif self._pending_on_disk:
            self._write_spilled()  # the thread has ended
        self._sink.close()

    def _write_directly(self, body: Mapping[str, Any]) -> bool:
        """Write to the sink directly if no event is queued and the sink is fast."""
        started = self._monotonic()
        if self._pending_on_disk or not self._queue.is_idle or started < self._direct_after:
            return False
        try:
            written = self._sink.try_append(body)
        except (OSError, ValueError) as error:
            self._on_loss(error)
            return True
        ended = self._monotonic()
        if ended - started > _SLOW_WRITE:
            self._direct_after = ended + _SLOW_PERIOD
        return written

    def _write(self, body: Body) -> None:
        if body:
            self._deliver(body)
        if self._pending_on_disk and self._queue.is_empty:
            self._write_spilled()

    def _deliver(self, body: Body) -> None:
        try:
            self._sink.append(body)
        except (OSError, ValueError) as error:
            self._on_loss(error)

    def _spill(self, body: Body) -> None:
        try:
            self._append_to_spill_file(json.dumps(body).encode() + b"\n")
        except OSError as error:
            self._on_loss(error)
        else:
            self._pending_on_disk += 1
            self.spilled += 1

    def _append_to_spill_file(self, line: bytes) -> None:
        if self._spill_file is None:
            raise OSError("the queue is full and there is no spill file")
        file = os.open(self._spill_file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, _MODE)
        try:
            if os.fstat(file).st_size + len(line) > _MAX_SPILL_BYTES:
                raise OSError("the spill file is full")
            os.write(file, line)
        finally:
            os.close(file)

    def _write_spilled(self) -> None:
        """Write the spilled events. A kill may write some twice, but loses none."""
        if self._spill_file is None:
            return
        with self._lock:
            self._pending_on_disk = 0
            files = [path for path in (*self._orphans, self._spill_file) if path.exists()]
            self._orphans = []
            if self._spill_file in files:
                reading = self._spill_file.with_name(f"{self._spill_file.name}.reading")
                files[files.index(self._spill_file)] = self._spill_file.replace(reading)
        for path in files:
            for line in path.read_bytes().splitlines():
                if body := _event(line):
                    self._deliver(body)
            path.unlink()


def _orphaned_files(spill_file: Path) -> list[Path]:
    """Return the spill files of processes that were killed."""
    stem, _, _ = spill_file.name.rpartition("-")
    return [
        path
        for path in sorted(spill_file.parent.glob(f"{stem}-*"))
        if not _is_alive(path.name.removesuffix(".reading").rpartition("-")[2])
    ]


def _is_alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError):
        return False
    except PermissionError:  # alive, but of another user
        pass
    return True


def _event(line: bytes) -> Body | None:
    try:
        return json.loads(line)
    except ValueError:  # incomplete: the process was killed
        return None
