"""The trace of an agent's run: the steps that this server took, as Firecrawl's events."""

from datetime import UTC, datetime
from typing import Any, cast

from webquarry.models.call_task import CallTask

Json = dict[str, Any]
SNAPSHOT_ID = "data"  # the only artifact of a run is its data
_ARTIFACT = "data"
_SEARCH, _READ = "search", "extract"
_OUTCOMES = {"completed": "succeeded", "failed": "failed", "cancelled": "cancelled"}


def trace_events(task: CallTask, state: Json) -> list[Json]:
    """Return what a run has done so far; `state` is its state as clients get it."""
    asked: Json = task.request or {}
    prompt, urls = task.arguments["prompt"], task.arguments["urls"]
    parts: list[Json] = [{"type": "run.started"}, {"type": "agent.started"}]
    if asked.get("searched"):
        parts += _call(_SEARCH, {"query": prompt}, {"urls": urls})
    started, finished = _call(_READ, {"urls": urls, "prompt": prompt}, state.get("sources"))
    parts.append(started)
    if task.outcome is None:
        if task.message:
            parts.append({"type": "progress.reported", "phase": "working", "message": task.message})
        return _numbered(task, parts)
    outcome = _OUTCOMES[state["status"]]
    if outcome == "succeeded":
        parts += [finished, {"type": "artifact.updated", "artifact": _artifact(state)}]
    error = _error(state) if outcome == "failed" else None
    seconds = task.updated - task.created
    end: Json = {"outcome": outcome, "error": error}
    parts.append({"type": "agent.finished", "durationMs": int(seconds * 1000), **end})
    parts.append({"type": "run.finished", **end})
    return _numbered(task, parts)


def _call(name: str, parameters: Json, result: Any) -> list[Json]:
    call = {"toolCallId": name, "toolName": name}
    return [
        {"type": "tool_call.started", **call, "parameters": parameters},
        {"type": "tool_call.finished", **call, "result": result},
    ]


def _artifact(state: Json) -> Json:
    data = state.get("data")
    return {
        "kind": "json",
        "artifactId": _ARTIFACT,
        "snapshotId": SNAPSHOT_ID,
        "change": "init",
        "changedFields": sorted(cast("Json", data)) if isinstance(data, dict) else [],
        "sourceToolCallId": _READ,
    }


def _error(state: Json) -> Json:
    return {
        "code": "internal",
        "source": "tool",
        "retryable": False,
        "message": state.get("error", ""),
    }


def _numbered(task: CallTask, parts: list[Json]) -> list[Json]:
    """Add what every event carries. Only the start and the last change of a run are timed."""
    times = [task.created if part["type"] in _AT_START else task.updated for part in parts]
    agent = {"id": task.id, "role": "orchestrator", "name": "webquarry"}
    return [
        {
            "schemaVersion": 1,
            "eventId": f"{task.id}-{number}",
            "runId": task.id,
            "occurredAt": datetime.fromtimestamp(time, UTC).isoformat().replace("+00:00", "Z"),
            "producerSequence": number,
            "agent": agent,
            **part,
        }
        for number, (time, part) in enumerate(zip(times, parts, strict=True), 1)
    ]


_AT_START = frozenset({"run.started", "agent.started", "tool_call.started"})
