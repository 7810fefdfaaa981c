"""Work in the main thread is interrupted when it takes too much CPU time."""

import asyncio
import gc
import re
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import FrameType

import pytest
import uvloop

from webquarry.parsing.cpu_alarm import CpuLimitError, can_interrupt, run_limited

SPACES = " " * 2_000_000


def endless() -> None:
    while True:
        pass


def endless_list() -> None:
    rest = list(range(10**6))
    while rest:
        _, *rest = rest


WORK: dict[str, Callable[[], object]] = {
    "a loop": endless,
    "a list consumed from its head": endless_list,
    "a search for white space before something": lambda: re.search(r"\s+x", SPACES),
    "a search for a literal run": lambda: re.search(" +x", SPACES),
    "a search from many starts": lambda: re.search("a[^b]*b", "a" * 10**6),
    "a substitution": lambda: re.sub(r"\s+$", "", SPACES + "x"),
    "nested repeats": lambda: re.search("(a*)*b", "a" * 10**6),
}


@pytest.mark.parametrize("name", WORK)
def test_python_code_and_patterns_are_interrupted(name: str) -> None:
    with pytest.raises(CpuLimitError, match=r"took more than 0\.02 s of CPU time"):
        run_limited(WORK[name], 0.02)


def test_a_result_in_time_is_returned_and_nothing_is_raised_later() -> None:
    assert run_limited(lambda: 42, 0.02) == 42
    with suppress(CpuLimitError):
        run_limited(endless, 0.02)

    for _ in range(5):  # more than twice the limit, without one
        re.search(r"\s+x", SPACES[:15_000])
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_collecting_the_garbage_of_others_is_not_counted() -> None:
    collections: list[str] = []

    def note(phase: str, _: dict[str, int]) -> None:
        collections.append(phase)

    gc.callbacks.append(note)
    try:
        run_limited(lambda: [[number] for number in range(20_000)], 5)
        assert collections == []
        assert gc.isenabled()
        with suppress(CpuLimitError):
            run_limited(endless, 0.02)
        assert gc.isenabled()
    finally:
        gc.callbacks.remove(note)


def test_errors_of_the_work_are_raised_as_they_are() -> None:
    with pytest.raises(ZeroDivisionError):
        run_limited(lambda: 1 / 0, 1.0)

    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_work_that_swallows_every_exception_is_interrupted_in_the_end() -> None:
    swallowed: list[BaseException] = []

    def stubborn() -> None:
        while len(swallowed) < 3:
            try:
                endless()
            except BaseException as error:  # noqa: BLE001 - what a destructor does
                swallowed.append(error)
        endless()

    with pytest.raises(CpuLimitError):
        run_limited(stubborn, 0.02)

    assert len(swallowed) == 3


def test_inside_limited_work_the_outer_limit_applies() -> None:
    def outer() -> None:
        run_limited(endless, 1000.0)

    with pytest.raises(CpuLimitError, match=r"0\.02 s"):
        run_limited(outer, 0.02)


def test_work_of_another_thread_is_not_limited() -> None:
    results: list[object] = []

    def work() -> None:
        results.extend((can_interrupt(), run_limited(lambda: 42, 0.02)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert results == [False, 42]


@contextmanager
def handler(function: Callable[[int, FrameType | None], None]) -> Generator[None]:
    before = signal.signal(signal.SIGVTALRM, function)
    yield
    signal.signal(signal.SIGVTALRM, before)


def test_a_handler_of_somebody_else_is_left_alone() -> None:
    def other(_signal: int, _frame: FrameType | None) -> None: ...

    with handler(other):
        assert (can_interrupt(), run_limited(lambda: 42, 0.02)) == (False, 42)
        assert signal.getsignal(signal.SIGVTALRM) is other


def test_imports_are_completed_and_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = "import time\nend = time.thread_time() + 0.2\nwhile time.thread_time() < end: pass\n"
    (tmp_path / "slow_to_import.py").write_text(f"{module}VALUE = 42\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])

    def work() -> int:
        return import_module("slow_to_import").VALUE

    assert run_limited(work, 0.05) == 42


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_an_event_loop_continues_after_an_interruption(
    loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    async def main() -> list[str]:
        events: list[str] = []
        asyncio.get_running_loop().call_soon(events.append, "callback")
        try:
            run_limited(endless, 0.02)
        except CpuLimitError:
            events.append("interrupted")
        await asyncio.sleep(0)
        received = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, received.set)
        signal.raise_signal(signal.SIGUSR1)
        await received.wait()
        return [*events, "signal"]

    with asyncio.Runner(loop_factory=loop) as runner:
        assert runner.run(main()) == ["interrupted", "callback", "signal"]
