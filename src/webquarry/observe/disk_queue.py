"""Events wait on disk while the place they go to is slow."""

import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from webquarry.observe.background_writer import BackgroundWriter, Body

_MODE = 0o600
_MOST_BYTES = 50 * 2**20
_CLOSING = 10.0  # seconds to write what is left when the process ends
_SLOW = 0.05  # seconds for one event, from which a sink is left to the thread
_LEFT_ALONE = 60.0  # seconds for which it is


class Sink(Protocol):
    """Where events end up."""

    def append(self, body: Mapping[str, Any]) -> None: ...

    def close(self) -> None: ...


class FastSink(Sink, Protocol):
    """One that can tell whether it would keep anybody waiting."""

    def at_once(self, body: Mapping[str, Any]) -> bool:
        """Take an event if nothing can hold that up; return whether it was taken."""
        ...


class DiskQueue:
    """A sink in front of one that may be slow: a queue first, then a file beside the trail.

    While nothing waits, a quick sink is written to in place: waking a thread costs ten times that.
    """

    def __init__(
        self,
        sink: FastSink,
        *,
        size: int,
        swap: Path | None,
        lost: Callable[[Exception], None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sink = sink
        self._swap = swap
        self._lost = lost
        self._monotonic = monotonic
        self._quick_from = float("-inf")  # since when the sink may be written to in place
        self._lock = threading.Lock()  # the order of events, and the swap file
        self._backlog = BackgroundWriter(size, self._write, "audit")
        self.spilled = 0
        self._waiting = 0  # events in the swap file
        self._orphans = _left_behind(swap) if swap else []
        if self._orphans:
            self._waiting = 1
            self._backlog.put({})

    def append(self, body: Mapping[str, Any]) -> None:
        """Take an event at once, whatever the sink does."""
        with self._lock:
            if self._took_at_once(body):
                return
            # nothing overtakes what already waits on disk
            if not self._waiting and self._backlog.put(dict(body)):
                return
            self._spill(dict(body))
        self._backlog.put({})  # a nudge, in case the queue has run empty meanwhile

    def close(self) -> None:
        """Write what is left, then close the sink."""
        if not self._backlog.close(_CLOSING):
            self._lost(OSError("the sink did not take them in time"))
        elif self._waiting:
            self._write_waiting()  # the thread has ended, so nobody else does
        self._sink.close()

    def _took_at_once(self, body: Mapping[str, Any]) -> bool:
        """Write in place if nothing waits that must come first, and the sink is quick."""
        begun = self._monotonic()
        if self._waiting or not self._backlog.is_idle or begun < self._quick_from:
            return False
        try:
            taken = self._sink.at_once(body)
        except (OSError, ValueError) as error:
            self._lost(error)
            return True
        ended = self._monotonic()
        if ended - begun > _SLOW:
            self._quick_from = ended + _LEFT_ALONE
        return taken

    def _write(self, body: Body) -> None:
        if body:
            self._deliver(body)
        if self._waiting and self._backlog.is_empty:
            self._write_waiting()

    def _deliver(self, body: Body) -> None:
        try:
            self._sink.append(body)
        except (OSError, ValueError) as error:
            self._lost(error)

    def _spill(self, body: Body) -> None:
        try:
            self._keep(json.dumps(body).encode() + b"\n")
        except OSError as error:
            self._lost(error)
        else:
            self._waiting += 1
            self.spilled += 1

    def _keep(self, line: bytes) -> None:
        if self._swap is None:
            raise OSError("the sink is slow and there is no file to wait in")
        file = os.open(self._swap, os.O_WRONLY | os.O_APPEND | os.O_CREAT, _MODE)
        try:
            if os.fstat(file).st_size + len(line) > _MOST_BYTES:
                raise OSError("too many events wait for a slow sink")
            os.write(file, line)
        finally:
            os.close(file)

    def _write_waiting(self) -> None:
        """Write what waits on disk; a kill meanwhile may write some of it twice, but loses none."""
        if self._swap is None:
            return
        with self._lock:
            self._waiting = 0
            left = [path for path in (*self._orphans, self._swap) if path.exists()]
            self._orphans = []
            if self._swap in left:
                reading = self._swap.with_name(f"{self._swap.name}.reading")
                left[left.index(self._swap)] = self._swap.replace(reading)
        for path in left:
            for line in path.read_bytes().splitlines():
                if body := _event(line):
                    self._deliver(body)
            path.unlink()


def _left_behind(swap: Path) -> list[Path]:
    """Return the files of processes that were killed while events waited."""
    stem, _, _ = swap.name.rpartition("-")
    return [
        path
        for path in sorted(swap.parent.glob(f"{stem}-*"))
        if not _is_alive(path.name.removesuffix(".reading").rpartition("-")[2])
    ]


def _is_alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, ValueError):
        return False
    except PermissionError:  # alive, and somebody else's
        return True
    return True


def _event(line: bytes) -> Body | None:
    try:
        return json.loads(line)
    except ValueError:  # torn by a kill
        return None
