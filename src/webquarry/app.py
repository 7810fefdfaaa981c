"""Constructs the application from its settings. Nothing else constructs anything."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from webquarry.errors import WebquarryError
from webquarry.models.caller import Caller, Transport
from webquarry.net.http import Http, WreqHttp
from webquarry.net.upstreams import Upstreams
from webquarry.observe import log, trace
from webquarry.observe.audit import Audit, Event, Trail
from webquarry.observe.metrics import Metrics
from webquarry.providers import PROVIDERS, build_providers
from webquarry.resources import RESOURCES
from webquarry.resources.base import Library
from webquarry.resources.stats import RECENT_ERRORS_URI
from webquarry.server.protocol import Offer
from webquarry.server.subscriptions import Subscriptions
from webquarry.services import Services
from webquarry.services.choice import Choices
from webquarry.settings.load import Settings
from webquarry.settings.redact import secret_values
from webquarry.storage.artifacts import Artifacts
from webquarry.storage.base import Store
from webquarry.storage.cipher import Keyring
from webquarry.storage.keys import load_or_create_key, parse_key
from webquarry.tools import TOOLS
from webquarry.tools.base import AnyTool
from webquarry.tools.callpath import CallPath, CallRecord, Rules
from webquarry.tools.limits import (
    Limit,
    Limiter,
    LocalCounts,
    StoreCounts,
    http_limits,
    personal_limit,
)
from webquarry.tools.registry import choose

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 600


@dataclass(frozen=True)
class App:
    """The running parts, and what they offer to clients."""

    settings: Settings
    offer: Offer
    owner: Caller


@asynccontextmanager
async def open_app(
    settings: Settings, transport: Transport, *, tools: Iterable[AnyTool] = TOOLS
) -> AsyncGenerator[App]:
    """Open the storage, build everything on it, and close it at the end."""
    secrets = secret_values(settings)
    if transport != "library":  # a program that uses us has logging of its own
        log.configure(level=settings.logging.level, fmt=settings.logging.format, secrets=secrets)
        _quieten(settings)
    stop_tracing = trace.configure_tracing(
        settings.logging.otlp_endpoint, settings.logging.service_name, secrets=secrets
    )
    keys = _keys(settings)
    store = _open_store(settings, keys)
    http = WreqHttp()
    audit = _open_audit(settings, keys.current, transport)
    sweeping = asyncio.create_task(_sweep_for_ever(store))
    try:
        services = _services(settings, store, http)
        yield _assemble(settings, services, audit, transport, tools)
    finally:
        sweeping.cancel()
        await store.close()
        if audit:
            audit.close()
        if stop_tracing:
            stop_tracing()


def _quieten(settings: Settings) -> None:
    """Keep the chatter of libraries out of the log unless somebody is looking for a fault."""
    if settings.logging.level != "debug":
        for name in ("mcp", "uvicorn", "asyncio"):
            logging.getLogger(name).setLevel(logging.WARNING)


async def _sweep_for_ever(store: Store) -> None:
    """Drop what has expired, now and then, so that the store does not grow for ever."""
    while True:
        await asyncio.sleep(SWEEP_SECONDS)
        try:
            await store.sweep()
        except WebquarryError as exc:  # a store that is away for a while is swept later
            logger.warning("expired entries stay for now: %s", exc)


@dataclass(frozen=True)
class _Keys:
    """The key everything stored is encrypted with, and the one before it."""

    current: bytes
    previous: bytes | None


def _keys(settings: Settings) -> _Keys:
    cache = settings.cache
    previous = cache.encryption_key_prev
    return _Keys(
        parse_key(cache.encryption_key, "CACHE_ENCRYPTION_KEY")
        if cache.encryption_key
        else load_or_create_key(settings.server.data_dir / "store.key"),
        parse_key(previous, "CACHE_ENCRYPTION_KEY_PREV") if previous else None,
    )


def _open_store(settings: Settings, keys: _Keys) -> Store:
    """Open Redis when several servers share their state, SQLite in the data directory otherwise."""
    keyring = Keyring(keys.current, keys.previous)
    # imported here because a server uses one of the two, and either costs start-up time
    if settings.cache.redis_url:
        from webquarry.storage.redis import RedisStore

        return RedisStore(settings.cache.redis_url, keyring)
    from webquarry.storage.sqlite import SqliteStore

    return SqliteStore(settings.server.data_dir / "store.sqlite3", keyring)


def _open_audit(settings: Settings, key: bytes, transport: Transport) -> Audit | None:
    """Open the audit trail; a terminal gets none on its screen, a program none on its stderr."""
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


def _services(settings: Settings, store: Store, http: Http) -> Services:
    upstreams = Upstreams(http, base_urls=settings.base_urls)
    return Services(
        store=store,
        artifacts=Artifacts(store, ttl=settings.cache.artifact_ttl),
        metrics=Metrics(secrets=secret_values(settings)),
        choices=Choices(build_providers(upstreams, settings.keys), PROVIDERS),
    )


def _assemble(
    settings: Settings,
    services: Services,
    audit: Audit | None,
    transport: Transport,
    tools: Iterable[AnyTool],
) -> App:
    subscriptions = Subscriptions()
    rules = Rules(
        admit=_limiter(settings, services.store, transport).admit,
        record=_Recorder(services.metrics, audit, subscriptions),
        timeout=settings.limits.tool_timeout,
        link_at=settings.cache.link_threshold_bytes,
        isolate_cache=settings.cache.isolation == "tenant",
    )
    registry = choose(tools, settings.server.toolsets, services)
    offer = Offer(
        path=CallPath(registry, services, rules),
        services=services,
        library=Library(RESOURCES),
        subscriptions=subscriptions,
    )
    user = settings.server.stdio_user_id or "owner"
    return App(settings, offer, Caller(user=user, transport=transport))


def _limiter(settings: Settings, store: Store, transport: Transport) -> Limiter:
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


class _Recorder:
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
        if self._audit:
            self._audit.log(_event(call, failure))


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
