"""Calls as tasks: the client gets a handle and asks for the result later."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from tests.server.raw_mcp_client import RawClient, raw_client
from tests.services.cinder.fakes import Crawls
from tests.support import ALICE, BOB, CallHarness, override, services
from webquarry.calls.tool import AnyTool, Call, TaskOptions, ToolAnnotations, ToolOptions, tool
from webquarry.errors import NotFoundError
from webquarry.models.call_task import CallTask
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlJob
from webquarry.models.model import Model
from webquarry.models.result import Result, text_result
from webquarry.resources.resource import ResourceRegistry
from webquarry.server import call_tasks
from webquarry.server.call_tasks import CallTasks
from webquarry.server.mcp_server import ServerOffer, build_server
from webquarry.server.task_methods import EXTENSION, detailed_task
from webquarry.server.task_run import RUN, TaskCall
from webquarry.storage.memory_store import MemoryStore
from webquarry.storage.task_records import TaskRecords
from webquarry.tools.cinder_crawl import cinder_crawl

pytestmark = pytest.mark.anyio
DECLARED: dict[str, dict[str, Any]] = {EXTENSION: {}}
DONE = {"content": [{"type": "text", "text": "done"}]}


class Nothing(Model):
    """No arguments."""


@dataclass
class Work:
    """The work of the slow tools: what has happened, and when it may end."""

    starts: int = 0
    stops: int = 0
    end: asyncio.Event = field(default_factory=asyncio.Event)


WORK: list[Work] = []


async def _work(call: Call) -> Result:
    work = WORK[-1]
    work.starts += 1
    await call.progress(1, 2, "half of it")
    try:
        await work.end.wait()
    except asyncio.CancelledError:
        work.stops += 1
        raise
    return text_result("done")


@tool("web", ToolOptions(task=TaskOptions()))
async def slow(args: Nothing, call: Call) -> Result:
    """Work until told to end."""
    return await _work(call)


WRITES = ToolAnnotations(read_only=False, idempotent=False)


@tool("web", ToolOptions(task=TaskOptions(), annotations=WRITES))
async def slow_write(args: Nothing, call: Call) -> Result:
    """Work with effects until told to end."""
    return await _work(call)


@tool("web")
async def quick(args: Nothing, call: Call) -> Result:
    """End at once."""
    return text_result("done")


@tool("web", ToolOptions(task=TaskOptions()))
async def asks(args: Nothing, call: Call) -> Result:
    """Ask the client for two things."""
    responses = await RUN.get().request_input({"a": {"method": "x"}, "b": {"method": "y"}})
    return text_result(f"{responses['a']} and {responses['b']}")


TOOLS: tuple[AnyTool, ...] = (slow, slow_write, quick, asks)


@dataclass
class Servers:
    """Server processes that share a store and a clock."""

    tools: tuple[AnyTool, ...] = TOOLS
    crawls: Crawls | None = None
    now: float = 1_700_000_000.0
    opened: list[CallTasks] = field(default_factory=list[CallTasks])

    def __post_init__(self) -> None:
        self.store = MemoryStore(clock=self.clock)

    def clock(self) -> float:
        return self.now

    def harness(self) -> CallHarness:
        built = override(services(), **({"crawling": self.crawls} if self.crawls else {}))
        return CallHarness(self.tools, services=built)

    def start(self) -> CallTasks:
        records = TaskRecords(self.store, self.clock)
        tasks = CallTasks(self.harness().path, lambda: records, ttl=600, clock=self.clock)
        self.opened.append(tasks)
        return tasks


async def silent(done: float, total: float | None, message: str | None) -> None:
    return None


async def begin(tasks: CallTasks, name: str = "slow", caller: Caller = ALICE, **given: Any) -> str:
    """Call a tool and return the id of the task that it becomes."""
    task = await tasks.call(TaskCall(name, given), caller, silent)
    assert isinstance(task, CallTask)
    assert task.status in {"working", "input_required"}
    return task.id


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    with anyio.fail_after(30):
        while not await condition():
            await anyio.lowlevel.checkpoint()


async def ended(tasks: CallTasks, task_id: str) -> CallTask:
    """Return the task when it has ended."""

    async def is_over() -> bool:
        return bool((await tasks.get(task_id, ALICE)).outcome)

    await until(is_over)
    return await tasks.get(task_id, ALICE)


async def started(times: int = 1) -> None:
    async def has_started() -> bool:
        return WORK[-1].starts >= times

    await until(has_started)


@pytest.fixture(autouse=True)
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    monkeypatch.setattr(call_tasks, "TASK_SECONDS", 0.0)
    monkeypatch.setattr(call_tasks, "_BEAT_SECONDS", 0.0)
    WORK.append(Work())
    yield WORK[-1]
    WORK.clear()


@pytest.fixture
async def servers() -> Any:
    opened = Servers()
    yield opened
    for tasks in opened.opened:
        await tasks.close()


def server_for(servers: Servers, caller: Caller = ALICE) -> Any:
    harness = servers.harness()
    offer = ServerOffer(
        path=harness.path,
        services=harness.services,
        resources=ResourceRegistry(()),
        tasks=servers.start(),
    )
    return build_server(offer, lambda _: caller)


async def _finished(client: RawClient, task_id: str) -> dict[str, Any]:
    while (task := await client.request("tasks/get", taskId=task_id))["status"] == "working":
        await anyio.lowlevel.checkpoint()
    return task


async def test_a_client_that_declares_tasks_gets_a_handle_and_then_the_result(
    servers: Servers, work: Work
) -> None:
    async with raw_client(server_for(servers), DECLARED) as client:
        created = await client.request("tools/call", name="slow", arguments={})
        task_id = created.pop("taskId")
        created.pop("statusMessage", None)  # there may be progress already
        assert created == {
            "resultType": "task",
            "status": "working",
            "createdAt": "2023-11-14T22:13:20.000Z",
            "lastUpdatedAt": "2023-11-14T22:13:20.000Z",
            "ttlMs": 600_000,
            "pollIntervalMs": 1000,
        }
        work.end.set()
        task = await _finished(client, task_id)

    assert (task["status"], task["result"]) == ("completed", {"resultType": "complete", **DONE})


async def test_the_extension_is_announced_to_clients(servers: Servers) -> None:
    async with raw_client(server_for(servers), {}) as client:
        discovered = await client.request("server/discover")

    assert discovered["capabilities"]["extensions"].items() >= DECLARED.items()


async def test_a_call_that_ends_soon_is_no_task(
    servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with raw_client(server_for(servers), DECLARED) as client:
        result = await client.request("tools/call", name="quick", arguments={})

    assert result == {"resultType": "complete", **DONE}


async def test_a_client_without_the_extension_gets_results_and_no_task_methods(
    servers: Servers, work: Work
) -> None:
    work.end.set()
    async with raw_client(server_for(servers), {}) as client:
        result = await client.request("tools/call", name="slow", arguments={})
        refused = await client.request("tasks/get", taskId="t")

    assert result == {"resultType": "complete", **DONE}
    assert refused["error"]["code"] == -32021
    assert refused["error"]["data"] == {"requiredCapabilities": {"extensions": DECLARED}}


async def test_an_unknown_tool_and_an_unknown_task_are_errors(servers: Servers) -> None:
    async with raw_client(server_for(servers), DECLARED) as client:
        no_tool = await client.request("tools/call", name="slw", arguments={})
        no_task = await client.request("tasks/cancel", taskId="../t")

    assert (no_tool["error"]["code"], no_task["error"]["code"]) == (-32602, -32602)


@pytest.mark.parametrize(
    "other", [BOB, Caller(tenant="other", user="alice")], ids=["person", "tenant"]
)
async def test_a_task_is_invisible_to_others(servers: Servers, work: Work, other: Caller) -> None:
    tasks = servers.start()
    task_id = await begin(tasks)

    for attempt in (
        tasks.get(task_id, other),
        tasks.cancel(task_id, other),
        tasks.answer(task_id, other, {}),
    ):
        with pytest.raises(NotFoundError, match="There is no task"):
            await attempt

    assert (await tasks.get(task_id, ALICE)).status == "working"
    assert work.stops == 0


async def test_the_progress_of_a_task_is_its_message(servers: Servers) -> None:
    tasks = servers.start()
    task_id = await begin(tasks)

    async def has_message() -> bool:
        return (await tasks.get(task_id, ALICE)).message == "half of it"

    await until(has_message)


async def test_cancelling_stops_the_call(servers: Servers, work: Work) -> None:
    tasks = servers.start()
    task_id = await begin(tasks)
    await started()

    await tasks.cancel(task_id, ALICE)

    assert (await tasks.get(task_id, ALICE)).status == "cancelled"
    assert work.stops == 1
    await tasks.cancel(task_id, ALICE)  # the second time changes nothing
    assert (await tasks.get(task_id, ALICE)).status == "cancelled"


async def test_cancelling_through_another_server_stops_the_call(
    servers: Servers, work: Work
) -> None:
    runs, other = servers.start(), servers.start()
    task_id = await begin(runs)
    await started()

    await other.cancel(task_id, ALICE)

    async def has_stopped() -> bool:
        return work.stops == 1

    await until(has_stopped)
    assert (await runs.get(task_id, ALICE)).status == "cancelled"


async def test_a_task_of_a_server_that_was_stopped_is_continued_by_the_next(
    servers: Servers, work: Work
) -> None:
    first = servers.start()
    task_id = await begin(first)
    await started()
    await first.close()
    second = servers.start()
    work.end.set()

    task = await ended(second, task_id)

    assert (task.status, task.result, work.starts) == ("completed", DONE, 2)


async def test_a_call_with_effects_is_not_repeated(servers: Servers, work: Work) -> None:
    first = servers.start()
    task_id = await begin(first, "slow_write")
    await started()
    await first.close()

    task = await servers.start().get(task_id, ALICE)

    text = "The server was restarted while slow_write ran. Call it again."
    assert detailed_task(task)["error"] == {"code": -32603, "message": text}
    assert (task.status, work.starts) == ("failed", 1)


async def test_a_server_that_gives_no_sign_of_life_is_replaced(
    servers: Servers, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_tasks, "_BEAT_SECONDS", 60.0)  # as if it were gone
    silent_server, other = servers.start(), servers.start()
    task_id = await begin(silent_server)
    await started()

    await other.get(task_id, ALICE)
    assert work.starts == 1
    servers.now += 16
    await other.get(task_id, ALICE)

    await started(2)


async def test_a_task_is_forgotten_after_its_time(servers: Servers, work: Work) -> None:
    tasks = servers.start()
    task_id = await begin(tasks)
    await started()
    servers.now += 601

    with pytest.raises(NotFoundError):
        await tasks.get(task_id, ALICE)

    async def has_stopped() -> bool:
        return work.stops == 1

    await until(has_stopped)


async def test_input_is_requested_and_given_in_parts(servers: Servers) -> None:
    tasks = servers.start()
    task_id = await begin(tasks, "asks")

    async def is_asking() -> bool:
        return (await tasks.get(task_id, ALICE)).status == "input_required"

    await until(is_asking)
    await tasks.answer(task_id, ALICE, {"a": 1, "unknown": 2})
    assert detailed_task(await tasks.get(task_id, ALICE))["inputRequests"] == {"b": {"method": "y"}}
    await tasks.answer(task_id, ALICE, {"b": 3})

    task = await ended(tasks, task_id)
    assert task.result == {"content": [{"type": "text", "text": "1 and 3"}]}


async def test_one_person_has_a_limited_number_of_tasks(
    servers: Servers, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_tasks, "_MAX_RUNNING", 1)
    tasks = servers.start()
    await begin(tasks)
    waiting = asyncio.create_task(tasks.call(TaskCall("slow", {}), ALICE, silent))
    await started(2)
    assert isinstance(await tasks.call(TaskCall("slow", {}), BOB, silent), CallTask)

    work.end.set()

    assert await waiting == DONE


class EndlessCrawls(Crawls):
    """Crawls that run until they are cancelled."""

    async def watch(self, job_id: str, caller: Caller) -> AsyncIterator[CrawlJob]:
        if self.known[job_id][0].state == "queued":
            yield self.become(job_id, "running", pagesCrawled=2)
        while self.known[job_id][0].state == "running":
            await anyio.lowlevel.checkpoint()
        yield self.known[job_id][0]

    async def cancel_started(self, idempotency_key: str, caller: Caller) -> None:
        self.become(self.keys[idempotency_key], "cancelled")

    def job_of(self, number: int) -> CrawlJob:
        return self.known[f"job{number}"][0]


@pytest.fixture
async def crawl_servers() -> Any:
    opened = Servers((cinder_crawl,), EndlessCrawls())
    yield opened
    for tasks in opened.opened:
        await tasks.close()


async def test_a_crawl_is_a_task_that_survives_a_restart(crawl_servers: Servers) -> None:
    crawls = crawl_servers.crawls
    assert isinstance(crawls, EndlessCrawls)
    first = crawl_servers.start()
    task_id = await begin(first, "cinder_crawl", url="https://owls.test/")

    async def is_running() -> bool:
        return (await first.get(task_id, ALICE)).message.startswith("running: 2 pages")

    await until(is_running)
    await first.close()
    second = crawl_servers.start()
    assert (await second.get(task_id, ALICE)).status == "working"
    crawls.become("job1", "completed", pagesCrawled=9)

    task = await ended(second, task_id)

    assert task.result is not None
    assert task.result["structuredContent"]["crawlId"] == "job1"
    assert task.result["structuredContent"]["pagesCrawled"] == 9
    assert len(crawls.started) == 1


async def test_cancelling_the_task_of_a_crawl_cancels_the_crawl(crawl_servers: Servers) -> None:
    crawls = crawl_servers.crawls
    assert isinstance(crawls, EndlessCrawls)
    first = crawl_servers.start()
    task_id = await begin(first, "cinder_crawl", url="https://owls.test/")

    async def is_running() -> bool:
        return bool(crawls.started) and crawls.job_of(1).state == "running"

    await until(is_running)
    await first.close()

    await crawl_servers.start().cancel(task_id, ALICE)

    assert crawls.job_of(1).state == "cancelled"


async def test_a_crawl_that_shall_not_wait_returns_at_once(
    crawl_servers: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(call_tasks, "TASK_SECONDS", 30.0)
    arguments = {"url": "https://owls.test/", "wait": False}

    result = await crawl_servers.start().call(TaskCall("cinder_crawl", arguments), ALICE, silent)

    assert isinstance(result, dict)
    assert result["structuredContent"]["status"] == "queued"
