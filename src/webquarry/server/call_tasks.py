"""Runs tool calls as tasks: they outlive the request, and the client asks for the result later.

A call that ends soon is no task. A task is stored before the client hears of it. If the process
that runs it dies, the next one that is asked for the task repeats the call, unless the repetition
could have effects. A crawl is not repeated: its idempotency key finds the crawl that was started.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from typing import Any

from mcp.shared.exceptions import MCPError

from webquarry.calls.call_path import CallPath
from webquarry.concurrency.coalesce import ReportsProgress
from webquarry.errors import NotFoundError, RateLimitError
from webquarry.models.call_task import CallTask
from webquarry.models.caller import Caller
from webquarry.server.structured_output import StructuredOutput
from webquarry.server.task_run import RUN, TaskCall, TaskRun, may_repeat, task_arguments
from webquarry.storage.store import Clock
from webquarry.storage.task_records import TaskRecords

logger = logging.getLogger(__name__)

Json = dict[str, Any]

TASK_SECONDS = 0.5  # a tool that is made for tasks is one after so long
SLOW_SECONDS = 5.0  # any other tool
_BEAT_SECONDS = 2.0
_LOST_SECONDS = 15.0  # without a sign of life: the process is gone
_CANCEL_SECONDS = 5.0
_MAX_RUNNING = 20  # of one person in this process; further calls are answered when they end
_INTERNAL_ERROR = -32603


class CallTasks:
    """The tasks of this server."""

    def __init__(
        self,
        path: CallPath,
        records: Callable[[], TaskRecords],
        structured: StructuredOutput | None = None,
        *,
        ttl: float = 86_400.0,
        clock: Clock = time.time,
    ) -> None:
        self._path = path
        self._records = records
        self._structured = structured or StructuredOutput()
        self._ttl = ttl
        self._clock = clock
        self._runs: dict[str, tuple[TaskRun, asyncio.Task[Json]]] = {}
        self._followers: set[asyncio.Task[None]] = set()
        self._closing = False

    async def call(
        self, call: TaskCall, caller: Caller, listener: ReportsProgress
    ) -> Json | CallTask:
        """Return the result of a tool, or a task if it takes long."""
        tool, task_id = self._path.registry.lookup(call.name), secrets.token_urlsafe(24)
        arguments = task_arguments(tool, call.arguments, task_id)
        run = TaskRun(task_id, tool, arguments, caller, call.request_id, listener)
        work = asyncio.create_task(self._execute(run))
        try:
            await asyncio.wait({work}, timeout=self._patience(run))
            if work.done():
                return work.result()
            task = self._new_task(run)
            await self._records().create(task, caller)
        except BaseException:  # the client is gone, or the task cannot be stored
            work.cancel()
            raise
        run.listener = None
        self._follow(run, work)
        return task

    async def start(
        self, call: TaskCall, caller: Caller, path: CallPath, request: Json | None = None
    ) -> CallTask:
        """Return a new task at once, for a client that asks for its result later."""
        tool, task_id = path.registry.lookup(call.name), secrets.token_urlsafe(24)
        self._check_running(caller)
        run = TaskRun(task_id, tool, call.arguments, caller, call.request_id, path=path)
        task = self._new_task(run).model_copy(update={"request": request})
        await self._records().create(task, caller)
        self._follow(run, asyncio.create_task(self._execute(run)))
        return task

    def _check_running(self, caller: Caller) -> None:
        if self._running(caller) >= _MAX_RUNNING:
            raise RateLimitError(
                f"{_MAX_RUNNING} of your jobs are running already. Wait for one or cancel one."
            )

    def _running(self, caller: Caller) -> int:
        owner = (caller.tenant, caller.user)
        return sum((r.caller.tenant, r.caller.user) == owner for r, _ in self._runs.values())

    async def get(self, task_id: str, caller: Caller) -> CallTask:
        """Return a task; if its process is gone, continue it here."""
        task = await self._records().get(task_id, caller)
        if self._is_lost(task):
            task = await self._take_over(task, caller)
        return task

    async def list_for(self, caller: Caller) -> list[CallTask]:
        """Return the tasks of the caller, the newest first."""
        return await self._records().list_for(caller)

    async def answer(self, task_id: str, caller: Caller, responses: Json) -> None:
        """Give a task responses to its requests for input."""
        now = self._clock()
        task = await self._records().change(
            task_id, caller, lambda task: task.answered(now, responses)
        )
        if entry := self._runs.get(task_id):
            entry[0].deliver(task.input_responses)

    async def cancel(self, task_id: str, caller: Caller) -> None:
        """Stop a task and what it has started; one that has ended stays as it is."""
        task = await self._records().get(task_id, caller)
        if task.outcome:
            return
        now = self._clock()
        await self._records().change(
            task_id, caller, lambda task: task.changed(now, outcome="cancelled")
        )
        if entry := self._runs.get(task_id):
            entry[1].cancel()
            await asyncio.wait({entry[1]}, timeout=_CANCEL_SECONDS)
        options = self._path.registry.lookup(task.tool).options.task
        if options and options.cancel and (key := task.arguments.get("idempotencyKey")):
            await self._path.cancel(options.cancel, key, caller)

    async def close(self) -> None:
        """Stop all tasks; the next process that is asked for one continues it."""
        self._closing = True
        for _, work in self._runs.values():
            work.cancel()
        await asyncio.gather(*self._followers, return_exceptions=True)

    def _patience(self, run: TaskRun) -> float | None:
        """Return how long the call may take before it is a task; None: as long as it likes."""
        if self._running(run.caller) >= _MAX_RUNNING:
            return None
        return TASK_SECONDS if run.tool.options.task else SLOW_SECONDS

    def _new_task(self, run: TaskRun) -> CallTask:
        now = self._clock()
        return CallTask(
            id=run.id,
            tool=run.tool.name,
            arguments=run.arguments,
            created=now,
            updated=now,
            ttl=self._ttl,
            message=run.message,
            alive=now,
            input_requests=run.requests,
        )

    async def _execute(self, run: TaskRun) -> Json:
        RUN.set(run)
        tool = run.tool
        seconds = self._ttl if tool.options.task else None
        result = await (run.path or self._path).call(
            tool.name,
            run.arguments,
            run.caller,
            request_id=run.request_id,
            report=run.report,
            time_limit=seconds,
        )
        wire = result.wire()
        return wire if run.path else self._structured.sent(wire, tool)

    def _follow(self, run: TaskRun, work: "asyncio.Task[Json]") -> None:
        """Keep the stored task current until the call has ended."""

        async def save_requests(requests: Json) -> None:
            await self._change(run, lambda task: {"input_requests": task.input_requests | requests})

        run.save_requests = save_requests
        self._runs[run.id] = run, work
        follower = asyncio.create_task(self._watch(run, work))
        self._followers.add(follower)
        follower.add_done_callback(self._followers.discard)

    async def _watch(self, run: TaskRun, work: "asyncio.Task[Json]") -> None:
        try:
            while not work.done():
                await asyncio.wait({work}, timeout=_BEAT_SECONDS)
                if not work.done() and not await self._beat(run):
                    work.cancel()
                    await asyncio.wait({work})
            await self._change(run, lambda _: self._ending(run, work))
        except NotFoundError:
            logger.info("a task of %s was erased while it ran", run.tool.name)
        except Exception:  # the store failed: whoever is asked for the task continues it
            work.cancel()
            logger.exception("the state of a task of %s was not stored", run.tool.name)
        finally:
            del self._runs[run.id]

    async def _beat(self, run: TaskRun) -> bool:
        """Store a sign of life; return whether the call should go on."""
        try:
            task = await self._change(run, lambda _: {})
        except NotFoundError:  # expired or erased
            return False
        run.deliver(task.input_responses)
        return task.outcome is None

    async def _change(self, run: TaskRun, fields: Callable[[CallTask], Json]) -> CallTask:
        now = self._clock()

        def change(task: CallTask) -> CallTask:
            alive = {"alive": now, "message": run.message}
            return task.changed(now, **alive | fields(task))

        return await self._records().change(run.id, run.caller, change)

    def _ending(self, run: TaskRun, work: "asyncio.Task[Json]") -> Json:
        """Return the fields of a task whose call has ended."""
        if work.cancelled():
            return {"alive": 0.0} if self._closing else {"outcome": "cancelled"}
        problem = work.exception()
        if problem is None:
            return {"outcome": "completed", "result": work.result(), "input_requests": {}}
        if isinstance(problem, MCPError):
            return _failed(problem.error.code, problem.error.message)
        logger.error("%s failed as a task", run.tool.name, exc_info=problem)
        return _failed(_INTERNAL_ERROR, f"{run.tool.name} failed inside the server; see its log.")

    def _is_lost(self, task: CallTask) -> bool:
        silent = self._clock() - task.alive > _LOST_SECONDS
        return task.outcome is None and task.id not in self._runs and silent

    async def _take_over(self, task: CallTask, caller: Caller) -> CallTask:
        """Continue a task that no process runs, unless another process is faster."""
        now, claimed = self._clock(), list[CallTask]()
        try:
            tool = self._path.registry.lookup(task.tool)
            repeats = may_repeat(tool)
        except NotFoundError:
            tool, repeats = None, False

        def claim(current: CallTask) -> CallTask:
            if not self._is_lost(current):
                return current
            if not repeats:
                text = f"The server was restarted while {task.tool} ran. Call it again."
                return current.changed(now, **_failed(_INTERNAL_ERROR, text))
            claimed.append(current)
            return current.changed(now, alive=now)

        changed = await self._records().change(task.id, caller, claim)
        if tool and claimed:
            run = TaskRun(task.id, tool, task.arguments, caller, message=task.message)
            self._follow(run, asyncio.create_task(self._execute(run)))
        return changed


def _failed(code: int, message: str) -> Json:
    return {"outcome": "failed", "error": {"code": code, "message": message}, "message": message}
