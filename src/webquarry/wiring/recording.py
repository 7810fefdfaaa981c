"""What is counted and written down about every call, as the settings want it."""

import asyncio

from webquarry.models.caller import Transport
from webquarry.observe.audit import Audit, Event, Trail
from webquarry.observe.metrics import Metrics
from webquarry.resources.stats import RECENT_ERRORS_URI
from webquarry.server.subscriptions import Subscriptions
from webquarry.settings.load import Settings
from webquarry.settings.redact import secret_values
from webquarry.storage.base import Store
from webquarry.tools.callpath import CallRecord
from webquarry.tools.limits import (
    Limit,
    Limiter,
    LocalCounts,
    StoreCounts,
    http_limits,
    personal_limit,
)


def open_audit(settings: Settings, key: bytes, transport: Transport) -> Audit | None:
    """Open the audit trail; terminals and programs get none on their stderr."""
    wanted = settings.audit
    if not wanted.enabled or (transport in {"cli", "library"} and wanted.output_path is None):
        return None
    return Audit(
        Trail(
            path=wanted.output_path,
            key=key,
            include_request_body=wanted.include_request_body,
            secrets=secret_values(settings),
        )
    )


def limiter(settings: Settings, store: Store, transport: Transport) -> Limiter:
    """Count in Redis what several servers share, otherwise in this process."""
    limits = settings.limits
    shared: tuple[Limit, ...] = ()
    if transport == "http":
        shared = http_limits(
            per_tenant=limits.rate_limit_per_tenant,
            overall=limits.rate_limit_global,
            daily=limits.daily_quota_per_tenant,
        )
    personal = personal_limit(limits.max_calls_per_day)
    counts = StoreCounts(store) if settings.cache.redis_url else LocalCounts()
    return Limiter((*shared, personal), counts)


class Recorder:
    """Writes every finished call into the metrics and the audit trail."""

    def __init__(self, metrics: Metrics, audit: Audit | None, subscriptions: Subscriptions) -> None:
        self._metrics = metrics
        self._audit = audit
        self._subscriptions = subscriptions
        self._telling: set[asyncio.Task[None]] = set()  # a task nobody holds may vanish

    def __call__(self, call: CallRecord) -> None:
        failure = None if call.outcome == "ok" else call.outcome
        self._metrics.record(
            call.tool, seconds=call.seconds, error_kind=failure, cached=call.cached
        )
        if failure:
            self._note(call, failure)
        if self._audit:
            self._audit.log(_event(call, failure))

    def _note(self, call: CallRecord, failure: str) -> None:
        self._metrics.note_error(
            tenant=call.caller.tenant,
            tool=call.tool,
            kind=failure,
            message=call.message,
            request_id=call.request_id,
        )
        task = asyncio.create_task(self._subscriptions.updated(RECENT_ERRORS_URI))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)


def _event(call: CallRecord, failure: str | None) -> Event:
    return Event(
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
        metadata={"routing": dict(call.routing)} if call.routing else {},
    )
