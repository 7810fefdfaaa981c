"""A blocked event loop is measured, logged with its stack, and stopped where that is safe."""

import asyncio
import logging
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from webquarry.errors import InternalError
from webquarry.observe.loop_watchdog import LoopWatchdog, stop_computation, watched_loop
from webquarry.observe.metrics import Metrics
from webquarry.parsing import cpu_alarm


class Times:
    """The clocks of a test."""

    now = 100.0
    cpu = 5.0


def watchdog(metrics: Metrics) -> tuple[LoopWatchdog, Times]:
    times = Times()
    return LoopWatchdog(metrics, clock=lambda: times.now, cpu_clock=lambda: times.cpu), times


def later(times: Times, check: Callable[[], None], seconds: float, cpu: float = 0.0) -> None:
    """Let the time pass while the thread of the watchdog checks every half second."""
    for _ in range(int(seconds * 2)):
        times.now += 0.5
        times.cpu += cpu / seconds / 2
        check()


def loop_metrics(metrics: Metrics) -> list[str]:
    lines = metrics.prometheus().splitlines()
    return [line for line in lines if line.startswith("mcp_event_loop")]


def test_a_loop_in_time_is_not_reported(caplog: pytest.LogCaptureFixture) -> None:
    metrics = Metrics()
    dog, times = watchdog(metrics)
    for _ in range(10):
        later(times, dog.check, 0.5)
        dog.beat()
    times.now += 0.6
    dog.beat()

    assert caplog.messages == []
    assert loop_metrics(metrics) == [
        "mcp_event_loop_lag_seconds 0.100000",
        "mcp_event_loop_blocks_total 0",
        "mcp_event_loop_blocked_seconds_total 0.000000",
    ]


def test_a_blocked_loop_is_logged_once_with_its_stack_and_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    metrics = Metrics()
    dog, times = watchdog(metrics)

    later(times, dog.check, 4.0)
    dog.beat()

    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert record.message.startswith("the event loop is blocked for more than 1 s:\n  File ")
    assert "test_a_blocked_loop_is_logged_once_with_its_stack" in record.message
    assert loop_metrics(metrics) == [
        "mcp_event_loop_lag_seconds 3.500000",
        "mcp_event_loop_blocks_total 1",
        "mcp_event_loop_blocked_seconds_total 3.500000",
    ]


def test_a_suspended_process_is_not_reported(caplog: pytest.LogCaptureFixture) -> None:
    dog, times = watchdog(Metrics())

    times.now += 3600
    dog.check()

    assert caplog.messages == []


@pytest.mark.parametrize(("cpu", "stopped"), [(4.0, False), (5.5, True)])
def test_only_what_uses_the_cpu_for_long_is_stopped(
    monkeypatch: pytest.MonkeyPatch, cpu: float, *, stopped: bool
) -> None:
    threads: list[int] = []

    def note(thread: int, _handler: object) -> None:
        threads.append(thread)

    monkeypatch.setattr(cpu_alarm, "interrupt_thread", note)
    dog, times = watchdog(Metrics())

    later(times, dog.check, 4.0, cpu=cpu)

    assert set(threads) == ({threading.get_ident()} if stopped else set())


# a function that ends after some calls of the handler, unless the handler raises an exception
SPIN = "def spin(calls):\n    while len(calls) < 3:\n        pass\n    return 'ended'\n"


def spin_in(module: str) -> str:
    """Keep this thread busy with a function of a module while the watchdog wants to stop it."""
    names: dict[str, Any] = {"__name__": module}
    exec(SPIN, names)  # noqa: S102 - a function of another module
    calls: list[object] = []
    thread, done = threading.get_ident(), threading.Event()

    def handler(frame: FrameType | None) -> None:
        calls.append(frame)
        stop_computation(frame)

    def interrupt() -> None:
        while not done.is_set():
            cpu_alarm.interrupt_thread(thread, handler)

    assert cpu_alarm.can_interrupt()  # installs the signal handler
    interrupter = threading.Thread(target=interrupt)
    interrupter.start()
    try:
        return names["spin"](calls)
    finally:
        done.set()
        interrupter.join()


def test_a_computation_of_a_tool_is_stopped_with_an_error() -> None:
    with pytest.raises(InternalError, match="The call was stopped: it kept the server busy"):
        spin_in("webquarry.content.anything")


@pytest.mark.parametrize("module", ["asyncio.events", "webquarry.storage.anything", "logging"])
def test_what_could_be_left_half_done_is_not_stopped(module: str) -> None:
    assert spin_in(module) == "ended"


async def _watched() -> set[str]:
    with watched_loop(Metrics()):
        await asyncio.sleep(0)
        return {thread.name for thread in threading.enumerate()}


def test_a_running_loop_is_watched_by_a_thread() -> None:
    assert "loop watchdog" in asyncio.run(_watched())
