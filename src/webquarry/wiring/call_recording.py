"""What is counted and written down about every call, as the settings want it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from webquarry.calls.call_path import CallRecord
from webquarry.calls.limits import Limiter, StoreCallCounter, personal_limit
from webquarry.models.caller import Caller, Transport
from webquarry.observe.audit import AuditEvent, AuditFile, AuditLog
from webquarry.observe.metrics import Metrics
from webquarry.observe.rotation import Rotation
from webquarry.resources.stats import RECENT_ERRORS_URI
from webquarry.server.subscriptions import Subscriptions
from webquarry.settings.load import Settings
from webquarry.settings.redact import secret_values
from webquarry.storage.store import Store

if TYPE_CHECKING:
    from webquarry.observe.audit_webhook import AuditWebhook

_WAITING = 1000  # events for a webhook, when those for the disk may not wait

Count = Callable[[Caller, str], Coroutine[Any, Any, None]]


def open_audit(settings: Settings, key: bytes, transport: Transport) -> AuditLog | None:
    """Open the audit trail; terminals and programs get none on their stderr."""
    wanted = settings.audit
    if not wanted.enabled or (transport in {"cli", "library"} and wanted.output_path is None):
        return None
    return AuditLog(
        AuditFile(
            path=wanted.output_path,
            key=key,
            include_request_body=wanted.include_request_body,
            secrets=secret_values(settings),
            rotation=Rotation(
                max_bytes=wanted.max_bytes, keep_seconds=86_400.0 * wanted.retention_days
            ),
            buffer=wanted.buffer_size,
            webhook=_webhook(settings),
        )
    )


def _webhook(settings: Settings) -> "AuditWebhook | None":
    wanted = settings.audit
    if not wanted.webhook_url:
        return None
    # the standard library's HTTP client takes a while to load, and hardly anybody needs it
    from webquarry.observe.audit_webhook import AuditWebhook

    return AuditWebhook(wanted.webhook_url, size=wanted.buffer_size or _WAITING)


def limiter(settings: Settings, store: Callable[[], Store]) -> Limiter:
    """Return the cap on one person's tool calls; requests are limited where they come in."""
    return Limiter((personal_limit(settings.limits.max_calls_per_day),), StoreCallCounter(store))


class Recorder:
    """Writes every finished call into the metrics and the audit trail."""

    def __init__(
        self,
        metrics: Metrics,
        audit: AuditLog | None,
        subscriptions: Subscriptions,
        *,
        count: Count | None = None,
    ) -> None:
        self._metrics = metrics
        self._count = count  # for people's own analytics, where those are kept
        self._audit = audit
        self.subscriptions = subscriptions
        self._tasks: set[asyncio.Task[None]] = set()  # a task nobody holds may vanish

    def __call__(self, call: CallRecord) -> None:
        failure = None if call.outcome == "ok" else call.outcome
        self._metrics.record(
            call.tool, seconds=call.seconds, error_kind=failure, cached=call.cached
        )
        self._metrics.tenants.record(
            call.caller.tenant,
            seconds=call.seconds,
            failed=failure is not None,
            cached=call.cached,
            provider=str((call.routing or {}).get("provider_used", "")),
        )
        self._metrics.recent.record(
            call.caller.tenant,
            tool=call.tool,
            seconds=call.seconds,
            outcome=call.outcome,
            cached=call.cached,
        )
        if failure:
            self._note(call, failure)
        if self._audit:
            self._audit.log(_event(call, failure))
        if self._count and failure != "cancelled":
            self._later(self._count(call.caller, call.tool))

    async def close(self) -> None:
        """Wait for what is still to be counted or told, while there is a store to write to."""
        await asyncio.gather(*self._tasks)

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _note(self, call: CallRecord, failure: str) -> None:
        self._metrics.note_error(
            tenant=call.caller.tenant,
            tool=call.tool,
            kind=failure,
            message=call.message,
            request_id=call.request_id,
        )
        self._later(self.subscriptions.updated(RECENT_ERRORS_URI))


def _event(call: CallRecord, failure: str | None) -> AuditEvent:
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
