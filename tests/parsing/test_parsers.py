"""Foreign content is parsed under a CPU alarm, then by a worker process, which can be killed."""

import os
import signal
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from tests.parsing.parse_functions import Counted, count, deep, endless, fail, pair
from webquarry.errors import BadInputError, InternalError, ParseLimitError
from webquarry.parsing import worker_process
from webquarry.parsing.parsers import Parsers
from webquarry.parsing.task import ParseTask
from webquarry.parsing.worker_pool import WorkerPool

pytestmark = pytest.mark.anyio

COUNT = ParseTask(count, subject="The page")
COUNT_BY_WORKER = ParseTask(count, subject="The page", inline_bytes=-1)
ENDLESS = ParseTask(endless, subject="The page", seconds=0.1)


@pytest.fixture(autouse=True)
def importable_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let worker processes import the functions of these tests."""
    path = worker_process.ENVIRONMENT["PYTHONPATH"]
    root = str(Path(__file__).parents[2])
    monkeypatch.setitem(worker_process.ENVIRONMENT, "PYTHONPATH", f"{path}{os.pathsep}{root}")


@pytest.fixture
async def parsers() -> AsyncIterator[Parsers]:
    parsers = Parsers(WorkerPool(1))
    yield parsers
    await parsers.aclose()


def runs(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


async def test_short_content_is_parsed_in_this_process(parsers: Parsers) -> None:
    counted = await parsers.run(COUNT, b"abc", name="x")

    assert counted == Counted(size=3, process=os.getpid(), name="x")
    assert parsers.workers.pids == ()


async def test_long_content_is_parsed_by_a_worker_process(parsers: Parsers) -> None:
    counted = await parsers.run(COUNT, b"x" * 131_073, name="x")

    (pid,) = parsers.workers.pids
    assert counted == Counted(size=131_073, process=pid, name="x")


async def test_content_that_takes_long_here_is_parsed_by_a_worker(parsers: Parsers) -> None:
    with pytest.raises(ParseLimitError):
        await parsers.run(ENDLESS, b"abc")

    assert parsers.interrupted == 1


async def test_content_that_takes_long_in_a_worker_ends_in_an_error_and_the_worker_ends(
    parsers: Parsers,
) -> None:
    await parsers.run(COUNT_BY_WORKER, b"")
    (pid,) = parsers.workers.pids

    with pytest.raises(ParseLimitError, match=r"^The page ") as caught:
        await parsers.run(ENDLESS, b"abc")

    assert caught.value.block() == {
        "kind": "content_empty",
        "retryable": False,
        "suggestedAction": "inform_user",
    }
    assert (parsers.workers.pids, runs(pid)) == ((), False)


async def test_the_kernel_ends_a_worker_that_uses_too_much_cpu_time(parsers: Parsers) -> None:
    # the deadline is far away: the limit of CPU time must end it
    task = ParseTask(endless, subject="The page", inline_bytes=-1, seconds=0.9)

    with pytest.raises(ParseLimitError) as caught:
        await parsers.run(task, b"abc")

    messages = (
        "The page needs more work to read than is allowed (0.9 seconds of CPU time)",
        "The page takes too long to read",  # on a busy machine
    )
    assert str(caught.value) in messages


async def test_content_that_kills_its_worker_is_not_parsed_here(parsers: Parsers) -> None:
    task = ParseTask(endless, subject="The page", inline_bytes=-1)

    with pytest.raises(ParseLimitError, match="made its parser fail; it may be damaged or hostile"):
        await parsers.run(task, b"kill")

    assert parsers.workers.pids == ()


async def test_a_worker_that_was_killed_while_idle_is_replaced(parsers: Parsers) -> None:
    first = await parsers.run(COUNT_BY_WORKER, b"a")
    os.kill(first.process, signal.SIGKILL)

    second = await parsers.run(COUNT_BY_WORKER, b"a")

    assert second.process not in (first.process, os.getpid())


async def test_failed_content_is_refused_at_once_for_a_while() -> None:
    now = 1000.0
    parsers = Parsers(WorkerPool(1), clock=lambda: now)
    for _ in range(2):
        with pytest.raises(ParseLimitError):
            await parsers.run(ENDLESS, b"abc")
    assert parsers.interrupted == 1

    now += 301
    with pytest.raises(ParseLimitError):
        await parsers.run(ENDLESS, b"abc")

    assert parsers.interrupted == 2
    await parsers.aclose()


async def test_other_content_and_arguments_are_parsed_after_a_failure(parsers: Parsers) -> None:
    with pytest.raises(ParseLimitError):
        await parsers.run(ENDLESS, b"abc")

    assert (await parsers.run(COUNT, b"abc")).size == 3
    assert (await parsers.run(COUNT_BY_WORKER, b"abc", name="y")).name == "y"


async def test_a_cancelled_caller_ends_the_worker(parsers: Parsers) -> None:
    task = ParseTask(endless, subject="The page", inline_bytes=-1, seconds=1000)
    pids: list[int] = []
    async with anyio.create_task_group() as group:
        group.start_soon(parsers.run, task, b"abc")
        while not parsers.workers.pids:
            await anyio.lowlevel.checkpoint()
        pids.extend(parsers.workers.pids)
        group.cancel_scope.cancel()

    assert (parsers.workers.pids, [runs(pid) for pid in pids]) == ((), [False])


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (b"input", BadInputError, "the content is bad"),
        (b"memory", ParseLimitError, "The page needs more memory to read than is allowed"),
        (b"bug", InternalError, "The page could not be parsed: its parser failed"),
    ],
)
async def test_errors_of_a_worker_are_errors_of_the_tree(
    parsers: Parsers, content: bytes, error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        await parsers.run_in_worker(ParseTask(fail, subject="The page"), content)

    assert (type(caught.value), str(caught.value)) == (error, message)


async def test_endless_recursion_in_a_worker_is_an_error_of_the_tree(parsers: Parsers) -> None:
    with pytest.raises(ParseLimitError, match="The page is nested too deeply"):
        await parsers.run_in_worker(ParseTask(deep, subject="The page"), b"")


async def test_a_task_names_its_own_error(parsers: Parsers) -> None:
    task = ParseTask(endless, subject="bibtex", seconds=0.1, error=BadInputError)

    with pytest.raises(BadInputError, match=r"^bibtex "):
        await parsers.run(task, b"abc")


async def test_arguments_and_results_keep_their_types(parsers: Parsers) -> None:
    counted = Counted(size=1, process=2)

    result = await parsers.run_in_worker(ParseTask(pair, subject="x"), b"caf\xe9", at=(1, counted))

    assert result == ("caf?", counted)


async def test_a_thread_other_than_the_main_one_uses_a_worker() -> None:
    async def parse() -> int:
        parsers = Parsers(WorkerPool(1))
        counted = await parsers.run(COUNT, b"abc")
        await parsers.aclose()
        return counted.process

    processes: list[int] = []
    thread = threading.Thread(target=lambda: processes.append(anyio.run(parse)))
    thread.start()
    await anyio.to_thread.run_sync(thread.join)

    assert processes != [os.getpid()]


async def test_tasks_wait_for_a_free_worker(parsers: Parsers) -> None:
    processes: list[int] = []

    async def parse(name: str) -> None:
        processes.append((await parsers.run(COUNT_BY_WORKER, b"a", name=name)).process)

    async with anyio.create_task_group() as group:
        for name in "abc":
            group.start_soon(parse, name)

    assert len(processes) == 3
    assert set(processes) == set(parsers.workers.pids)
