"""Runs one target in a process of its own, with a limit on CPU time and memory for each input."""

import faulthandler
import hashlib
import multiprocessing
import resource
import signal
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from bench.fuzz.mutation import mutated
from bench.fuzz.targets import TARGETS

SEEDS = Path(__file__).parent / "seeds"
FINDINGS = Path(".cache/fuzz")
CPU_SECONDS = 5.0  # for one input of at most 64 KiB
_MEMORY = 2 * 2**30  # bytes, of the process


class InputTooSlow(Exception):  # noqa: N818 - a finding, not an error of the program
    """One input took more CPU time than allowed."""


@dataclass(slots=True)
class FuzzReport:
    """What one target did."""

    target: str
    executions: int = 0
    slowest: float = 0.0
    findings: dict[str, str] = field(default_factory=dict[str, str])  # file -> last line


def seeds_of(target: str) -> list[bytes]:
    """Return the kept inputs of a target."""
    return [path.read_bytes() for path in sorted((SEEDS / target).iterdir())]


def run_one(target: str, data: bytes) -> float:
    """Run one input; return its CPU time. Raises what the target raises, and `InputTooSlow`."""
    started = time.process_time()
    signal.signal(signal.SIGVTALRM, _too_slow)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
    try:
        TARGETS[target](data)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - started


def fuzz(target: str, seconds: float, start: int = 0) -> FuzzReport:
    """Run a target on changed seeds for some seconds; a crash of its process is a finding, too."""
    report = FuzzReport(target)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for data, spent, failure in _process(target, deadline, start + report.executions):
            report.executions += 1
            report.slowest = max(report.slowest, spent)
            if failure:
                report.findings[_keep(target, data, failure)] = failure.strip().splitlines()[-1]
    return report


def _process(target: str, deadline: float, seed: int) -> "Iterator[tuple[bytes, float, str]]":
    """Yield each input with its time and failure, until the deadline or a crash."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    child = context.Process(target=_work, args=(target, theirs))
    child.start()
    theirs.close()
    try:
        for data in _inputs(target, seed):
            if time.monotonic() > deadline:
                return
            ours.send_bytes(data)
            if not ours.poll(CPU_SECONDS * 20):
                yield data, CPU_SECONDS, "does not end, not even in Python code"
                return
            try:
                spent, failure = ours.recv()
            except EOFError:
                child.join()
                yield data, 0.0, f"the process ended with {child.exitcode}"
                return
            yield data, spent, failure
    finally:
        child.kill()
        child.join()


def _work(target: str, connection: Connection) -> None:
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    while True:
        data = connection.recv_bytes()
        try:
            connection.send((run_one(target, data), ""))
        except Exception:  # noqa: BLE001 - every failure is a finding
            connection.send((0.0, traceback.format_exc()))


def _inputs(target: str, seed: int) -> Iterator[bytes]:
    """Yield the seeds, then changed ones; some of these are changed again."""
    random = Random(f"{target} {seed}")  # noqa: S311 - reproducible
    pool = seeds_of(target)
    if seed == 0:
        yield from pool
    others = list(pool)
    while True:
        data = mutated(random.choice(pool), random, others)
        if len(pool) < 500 and random.random() < 0.02:
            pool.append(data)
        yield data


def _keep(target: str, data: bytes, failure: str) -> str:
    folder = FINDINGS / target
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / hashlib.sha256(data).hexdigest()[:16]
    path.write_bytes(data)
    path.with_suffix(".txt").write_text(failure, "utf-8")
    return str(path)


def _too_slow(signum: int, frame: object) -> None:
    raise InputTooSlow(f"more than {CPU_SECONDS} s of CPU time")
