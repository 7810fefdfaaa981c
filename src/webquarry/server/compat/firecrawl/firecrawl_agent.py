"""`/agent`: a run is one search, unless pages are named, and one extraction.

Runs are listed; each is a thread of one turn, and its trace has the steps that it took.
"""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.errors import BadInputError, NotFoundError
from webquarry.models.call_task import CallTask
from webquarry.models.model import Model
from webquarry.server.compat.firecrawl.agent_trace import SNAPSHOT_ID, trace_events
from webquarry.server.compat.firecrawl.firecrawl_errors import parsed, refuse
from webquarry.server.compat.firecrawl.firecrawl_extract import (
    MAX_URLS,
    Prompt,
    cancel_extract_handler,
    found_urls,
    start_task,
    task_state,
    tasks_of,
)
from webquarry.server.compat.firecrawl.firecrawl_options import REFUSED, target_url
from webquarry.server.compat.vendor_context import Handle, VendorContext
from webquarry.server.problem_details import SafeJson

Json = dict[str, Any]
_AGENT = "firecrawl.agent"  # marks the tasks that are runs
_LISTED = 20  # runs of one page
_REFUSED = {
    "webhook": "is for crawls and batches; ask for the status instead",
    "threadId": "a run has no conversation; put everything into the prompt",
    "exchange": "is not available: it is a service of Firecrawl",
    "threatProtection": REFUSED["threatProtection"],
}


class FirecrawlAgent(Model):
    """The body of a run."""

    prompt: Prompt
    urls: Annotated[tuple[str, ...], Field(max_length=MAX_URLS)] | None = None
    schema_: dict[str, Any] | None = Field(default=None, alias="schema")
    # these change nothing: a run has one model, one mode and no credits
    strictConstrainToURLs: bool | None = None
    model: str | None = None
    effort: str | None = None
    maxCredits: int | None = None
    origin: str | None = None
    integration: str | None = None
    mode: str | None = None
    auditMetadata: dict[str, Any] | None = None
    # refused
    webhook: Any = None
    threadId: str | None = None
    exchange: Any = None
    threatProtection: dict[str, Any] | None = None


def agent_routes(context: VendorContext) -> list[BaseRoute]:
    """Return the routes of agents."""
    runs = AgentRuns(context)
    served: list[tuple[str, str, Handle]] = [
        ("POST", "/v2/agent", runs.start),
        ("GET", "/v2/agent", runs.list_runs),
        ("GET", "/v2/agent/threads/{id}", runs.thread),
        ("GET", "/v2/agent/{id}/trace", runs.trace),
        ("GET", "/v2/agent/{id}/snapshots/{snapshot}", runs.snapshot),
        ("GET", "/v2/agent/{id}", runs.status),
    ]
    return [
        *(Route(path, context.handler(handle), methods=[verb]) for verb, path, handle in served),
        Route("/v2/agent/{id}", cancel_extract_handler(context), methods=["DELETE"]),
    ]


@dataclass(frozen=True)
class AgentRuns:
    """Starts runs and describes those of the caller."""

    context: VendorContext

    async def start(self, request: Request) -> Response:
        """Start a run; without URLs, a search finds the pages."""
        options: FirecrawlAgent = parsed(FirecrawlAgent, await self.context.body(request))
        refuse(_REFUSED, {name: getattr(options, name) for name in _REFUSED})
        if options.mode == "chat":
            raise BadInputError("mode: only extract is available")
        listed = [target_url(url) for url in options.urls or ()]
        urls = listed or await found_urls(self.context, request, options.prompt)
        asked = options.model_dump(
            mode="json", by_alias=True, exclude_none=True, include={"prompt", "urls", "schema_"}
        )
        origin = {"api": _AGENT, "options": asked, "searched": not listed}
        task = await start_task(
            self.context, request, urls, options.prompt, options.schema_, origin
        )
        return SafeJson({"success": True, "id": task.id, "status": "processing", **_turn(task)})

    async def status(self, request: Request) -> Response:
        """Return the state of a run, with its data at the end."""
        task = await self._run(request)
        return SafeJson(_state(task) | _turn(task))

    async def list_runs(self, request: Request) -> Response:
        """Return 20 runs, the newest first."""
        before = request.query_params.get("before", "")
        if before and not before.isdecimal():
            raise BadInputError("before: give a time in milliseconds since 1970")
        tasks = await tasks_of(self.context).list_for(self.context.identify(request))
        runs = [task for task in tasks if _is_run(task)]
        if before:
            runs = [task for task in runs if _milliseconds(task) < int(before)]
        body: Json = {"success": True, "agents": [_list_item(task) for task in runs[:_LISTED]]}
        if len(runs) > _LISTED:
            oldest = _milliseconds(runs[_LISTED - 1])
            body["next"] = self.context.public_url(request, f"/v2/agent?before={oldest}")
        return SafeJson(body)

    async def thread(self, request: Request) -> Response:
        """Return a thread, which is one run."""
        task = await self._run(request)
        with_data = request.query_params.get("includeData") == "true"
        created, updated = _time(task.created), _time(task.updated)
        thread = {
            "id": task.id,
            "createdAt": created,
            "updatedAt": updated,
            "status": "idle" if task.outcome else "running",
            "runs": [_thread_run(task, with_data=with_data)],
        }
        return SafeJson({"success": True, "thread": thread})

    async def trace(self, request: Request) -> Response:
        """Return the steps of a run so far."""
        task = await self._run(request)
        body: Json = {"success": True, "id": task.id, "creditsUsed": 0}
        body["events"] = trace_events(task, task_state(task))
        if request.query_params.get("liveView") == "true":
            body["activeBrowserSessions"] = []  # a run operates no browser that could be watched
        return SafeJson(body)

    async def snapshot(self, request: Request) -> Response:
        """Return the data of a run as JSON text."""
        task = await self._run(request)
        data = task_state(task).get("data")
        if request.path_params["snapshot"] != SNAPSHOT_ID or data is None:
            raise NotFoundError("There is no such snapshot; the trace of the run lists them.")
        text = json.dumps(data, ensure_ascii=False)
        return SafeJson(
            {"success": True, "id": task.id, "snapshotId": SNAPSHOT_ID, "snapshot": text}
        )

    async def _run(self, request: Request) -> CallTask:
        run_id = request.path_params["id"]
        task = await tasks_of(self.context).get(run_id, self.context.identify(request))
        if not _is_run(task):
            raise NotFoundError(f"There is no run {run_id!r} of an agent.")
        return task


def _is_run(task: CallTask) -> bool:
    return task.request is not None and task.request.get("api") == _AGENT


def _asked(task: CallTask) -> Json:
    return (task.request or {})["options"]


def _turn(task: CallTask) -> Json:
    return {"threadId": task.id, "threadTurn": 1, "mode": "extract"}


def _list_item(task: CallTask) -> Json:
    asked = _asked(task)
    return {
        "id": task.id,
        "createdAt": _time(task.created),
        "targetHint": next(iter(asked.get("urls") or ()), asked["prompt"]),
        "origin": "api",
        "status": _state(task)["status"],
        "options": asked,
    }


def _thread_run(task: CallTask, *, with_data: bool) -> Json:
    state = _state(task)
    run: Json = {
        "id": task.id,
        "turn": 1,
        "mode": "extract",
        **_asked(task),
        "status": state["status"],
        "createdAt": _time(task.created),
        "creditsUsed": 0,
    }
    if task.outcome:
        run["finishedAt"] = _time(task.updated)
    if with_data and "data" in state:
        run["data"] = state["data"]
    return run


def _state(task: CallTask) -> Json:
    """Return the state of a run; the clients know no cancelled one."""
    state = task_state(task)
    if state["status"] != "cancelled":
        return state
    return state | {"status": "failed", "error": "The run was cancelled."}


def _milliseconds(task: CallTask) -> int:
    return int(task.created * 1000)


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
