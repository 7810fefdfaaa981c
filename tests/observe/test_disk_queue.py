"""Events wait while their sink is slow, and none is lost or reordered."""

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from webquarry.observe.disk_queue import DiskQueue


class Slow:
    """A sink that blocks until it is opened."""

    def __init__(self, *, open_at_once: bool = False) -> None:
        self.gate = threading.Event()
        self.entered = threading.Event()
        self.bodies: list[Mapping[str, Any]] = []
        self.fails = False
        if open_at_once:
            self.gate.set()

    def append(self, body: Mapping[str, Any]) -> None:
        self.entered.set()
        assert self.gate.wait(30)
        if self.fails:
            raise OSError("no space")
        self.bodies.append(body)

    def try_append(self, body: Mapping[str, Any]) -> bool:
        return False

    def close(self) -> None:
        """Nothing to close."""


class Quick:
    """A sink that can be written to directly unless it is busy, with a clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.takes = 0.0  # seconds for one event
        self.busy = False
        self.fails = False
        self.gate = threading.Event()
        self.entered = threading.Event()
        self.written: list[tuple[int, str]] = []  # the event, and how it was written

    def append(self, body: Mapping[str, Any]) -> None:
        self.entered.set()
        assert self.gate.wait(30)
        self.written.append((body["n"], "thread"))

    def try_append(self, body: Mapping[str, Any]) -> bool:
        if self.fails:
            raise OSError("no space")
        if self.busy:
            return False
        self.now += self.takes
        self.written.append((body["n"], "in place"))
        return True

    def close(self) -> None:
        """Nothing to close."""


def test_events_for_a_slow_sink_spill_to_disk_in_order(tmp_path: Path) -> None:
    sink, lost = Slow(), list[Exception]()
    swap = tmp_path / "audit.jsonl.swap-1"
    spilling = DiskQueue(sink, size=2, spill_file=swap, on_loss=lost.append)
    spilling.append({"n": 0})
    assert sink.entered.wait(30)  # the thread holds the first, the queue the next two

    for number in range(1, 8):
        spilling.append({"n": number})
    waiting = [json.loads(line)["n"] for line in swap.read_text().splitlines()]
    sink.gate.set()
    spilling.close()

    assert (waiting, spilling.spilled) == ([3, 4, 5, 6, 7], 5)
    assert [body["n"] for body in sink.bodies] == list(range(8))
    assert lost == []
    assert list(tmp_path.iterdir()) == []


def test_events_of_a_process_that_was_killed_are_written_by_the_next(tmp_path: Path) -> None:
    dead = tmp_path / "audit.jsonl.swap-999999999"
    dead.write_text('{"n": 1}\n{"n": 2}\n{"n": ')
    sink = Slow(open_at_once=True)

    spilling = DiskQueue(sink, size=5, spill_file=tmp_path / "audit.jsonl.swap-1", on_loss=_fail)
    spilling.append({"n": 3})
    spilling.close()

    assert [body["n"] for body in sink.bodies] == [1, 2, 3]
    assert list(tmp_path.iterdir()) == []


def test_without_a_spill_file_the_loss_is_reported() -> None:
    sink, lost = Slow(), list[Exception]()
    spilling = DiskQueue(sink, size=1, spill_file=None, on_loss=lost.append)
    spilling.append({"n": 0})
    assert sink.entered.wait(30)
    spilling.append({"n": 1})
    spilling.append({"n": 2})
    sink.gate.set()
    spilling.close()

    assert [body["n"] for body in sink.bodies] == [0, 1]
    assert [str(error) for error in lost] == ["the queue is full and there is no spill file"]


def test_each_event_that_a_failing_sink_loses_is_reported(tmp_path: Path) -> None:
    sink, lost = Slow(open_at_once=True), list[Exception]()
    sink.fails = True
    spilling = DiskQueue(sink, size=5, spill_file=tmp_path / "s.swap-1", on_loss=lost.append)
    spilling.append({"n": 0})
    spilling.append({"n": 1})
    spilling.close()

    assert [str(error) for error in lost] == ["no space", "no space"]


def test_a_fast_sink_is_written_to_directly_without_a_thread() -> None:
    sink, threads = Quick(), threading.active_count()
    spilling = DiskQueue(sink, size=5, spill_file=None, on_loss=_fail)
    for number in range(3):
        spilling.append({"n": number})

    assert sink.written == [(0, "in place"), (1, "in place"), (2, "in place")]
    assert threading.active_count() == threads


def test_queued_events_are_written_first_when_the_sink_is_fast_again() -> None:
    sink = Quick()
    spilling = DiskQueue(sink, size=5, spill_file=None, on_loss=_fail)
    sink.busy = True
    spilling.append({"n": 0})
    assert sink.entered.wait(30)  # taken out of the queue, but not written yet
    sink.busy = False
    spilling.append({"n": 1})
    sink.gate.set()
    spilling.close()
    spilling.append({"n": 2})

    assert sink.written == [(0, "thread"), (1, "thread"), (2, "in place")]


def test_a_sink_that_was_slow_once_is_left_to_the_thread_for_a_minute() -> None:
    sink = Quick()
    sink.gate.set()
    spilling = DiskQueue(sink, size=5, spill_file=None, on_loss=_fail, monotonic=lambda: sink.now)
    sink.takes = 0.06
    spilling.append({"n": 0})
    sink.takes = 0.0
    sink.now += 59.0
    spilling.append({"n": 1})
    spilling.close()
    sink.now += 1.1
    spilling.append({"n": 2})

    assert sink.written == [(0, "in place"), (1, "thread"), (2, "in place")]


def test_a_failure_of_a_direct_write_is_reported_and_the_next_event_written() -> None:
    sink, lost = Quick(), list[Exception]()
    spilling = DiskQueue(sink, size=5, spill_file=None, on_loss=lost.append)
    sink.fails = True
    spilling.append({"n": 0})
    sink.fails = False
    spilling.append({"n": 1})

    assert [str(error) for error in lost] == ["no space"]
    assert sink.written == [(1, "in place")]


def _fail(error: Exception) -> None:
    raise AssertionError(error)
