"""Records each finished call in the metrics, the audit log and people's own analytics."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from webquarry.models.caller import Caller
from webquarry.observe.audit import AuditEvent, AuditLog
from webquarry.observe.call_context import CallRecord
from webquarry.observe.metrics import Metrics

CountCall = Callable[[Caller, str], Coroutine[Any, Any, None]]  # the caller and the tool's name
ReportFailure = Callable[[], Coroutine[Any, Any, None]]


class RecordsCalls(Protocol):
    """Records the calls of one user."""

    def record(self, call: CallRecord) -> None:
        """Record a finished call."""
        ...

    async def close(self) -> None:
        """Write what is not stored yet."""
        ...


class CallRecorder:
    """Records finished calls; asynchronous work continues in background tasks until `close`."""

    def __init__(
        self,
        metrics: Metrics,
        audit: AuditLog | None,
        *,
        count: CountCall | None = None,
        history: RecordsCalls | None = None,
    ) -> None:
        self._metrics = metrics
        self._audit = audit
        self.on_failure: ReportFailure | None = None  # set by a server
        self._count = count
        self._history = history
        self._tasks: set[asyncio.Task[None]] = set()  # the event loop holds only weak references

    def __call__(self, call: CallRecord) -> None:
        failure = None if call.outcome == "ok" else call.outcome
        self._metrics.record(call)
        if failure and self.on_failure:
            self._start(self.on_failure())
        if self._audit:
            self._audit.log(_audit_event(call, failure))
        if self._history:
            self._history.record(call)
        if self._count and failure != "cancelled":
            self._start(self._count(call.caller, call.tool))

    async def close(self) -> None:
        """Wait for the background tasks; call it before the store is closed."""
        await asyncio.gather(*self._tasks)
        if self._history:
            await self._history.close()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _audit_event(call: CallRecord, failure: str | None) -> AuditEvent:
    return AuditEvent(
        event_type="tool_call",
        tenant_id=call.caller.tenant,
        user_id=call.caller.user,
        success=failure is None,
        request_id=call.request_id,
        tool_name=call.tool,
        source_ip=call.caller.address or "",
        duration_ms=1000 * call.seconds,
        error_code=failure or "",
        query=call.query,
        metadata=({"routing": dict(call.routing)} if call.routing else {}) | dict(call.spent or {}),
    )
