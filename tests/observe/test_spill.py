"""Events wait while their sink is slow, and none is lost or reordered."""

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from webquarry.observe.spill import Spilling


class Slow:
    """A sink that takes nothing before it is told to."""

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

    def close(self) -> None:
        """Nothing to close."""


def test_a_slow_sink_makes_events_wait_on_disk_in_order(tmp_path: Path) -> None:
    sink, lost = Slow(), list[Exception]()
    swap = tmp_path / "audit.jsonl.swap-1"
    spilling = Spilling(sink, size=2, swap=swap, lost=lost.append)
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

    spilling = Spilling(sink, size=5, swap=tmp_path / "audit.jsonl.swap-1", lost=_fail)
    spilling.append({"n": 3})
    spilling.close()

    assert [body["n"] for body in sink.bodies] == [1, 2, 3]
    assert list(tmp_path.iterdir()) == []


def test_without_a_file_to_wait_in_the_loss_is_told() -> None:
    sink, lost = Slow(), list[Exception]()
    spilling = Spilling(sink, size=1, swap=None, lost=lost.append)
    spilling.append({"n": 0})
    assert sink.entered.wait(30)
    spilling.append({"n": 1})
    spilling.append({"n": 2})
    sink.gate.set()
    spilling.close()

    assert [body["n"] for body in sink.bodies] == [0, 1]
    assert [str(error) for error in lost] == ["the sink is slow and there is no file to wait in"]


def test_a_failing_sink_is_told_for_each_event(tmp_path: Path) -> None:
    sink, lost = Slow(open_at_once=True), list[Exception]()
    sink.fails = True
    spilling = Spilling(sink, size=5, swap=tmp_path / "s.swap-1", lost=lost.append)
    spilling.append({"n": 0})
    spilling.append({"n": 1})
    spilling.close()

    assert [str(error) for error in lost] == ["no space", "no space"]


def _fail(error: Exception) -> None:
    raise AssertionError(error)
