"""Opens the application: builds the services, the call path and the offer to clients."""

import logging
from collections.abc import AsyncGenerator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from webquarry.calls.call_path import CallPath, CallRules
from webquarry.calls.limits import Limiter, StoreCallCounter, personal_limit
from webquarry.calls.registry import choose
from webquarry.calls.tool import AnyTool, ToolEntry
from webquarry.models.caller import Caller, Transport
from webquarry.observe import log, trace
from webquarry.observe.audit import AuditLog
from webquarry.observe.call_recording import CallRecorder, CountCall
from webquarry.services.call_history import CallHistory
from webquarry.settings.load import Settings
from webquarry.settings.redact import secret_values
from webquarry.settings.tree import ignored_note
from webquarry.tools import TOOLS
from webquarry.wiring.build_call_history import build_call_history
from webquarry.wiring.container import Services
from webquarry.wiring.open_audit import open_audit
from webquarry.wiring.open_storage import storage_keys
from webquarry.wiring.resume_checks import resume_checks
from webquarry.wiring.resume_crawls import resume_crawls
from webquarry.wiring.resume_monitors import resume_monitors

if TYPE_CHECKING:
    from webquarry.server.mcp_server import ServerOffer


logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class App:
    """The open application."""

    settings: Settings
    services: Services
    path: CallPath
    owner: Caller  # the caller behind stdio, the library and the command line
    recorder: CallRecorder
    history: CallHistory | None = None
    audit: AuditLog | None = None

    @cached_property
    def offer(self) -> "ServerOffer":
        """What MCP clients are offered. Only servers import this and, with it, the MCP SDK."""
        from webquarry.resources.stats import RECENT_ERRORS_URI
        from webquarry.server.build_offer import build_offer

        offer = build_offer(self.path, self.services, self.settings, self.history)
        self.recorder.on_failure = partial(offer.subscriptions.updated, RECENT_ERRORS_URI)
        return offer

    async def close(self) -> None:
        """Stop the tasks, and store what is pending."""
        if "offer" in vars(self) and self.offer.tasks:
            await self.offer.tasks.close()
        if "offer" in vars(self) and self.offer.updates:
            await self.offer.updates.close()
        await self.path.close()
        await self.recorder.close()


@asynccontextmanager
async def open_app(
    settings: Settings, transport: Transport, *, tools: Iterable[AnyTool | ToolEntry] = TOOLS
) -> AsyncGenerator[App]:
    """Open the application; each service is built when first used and closed at the end."""
    async with AsyncExitStack() as stack:
        _open_observation(settings, transport, stack)
        if transport in {"http", "stdio"} and (note := ignored_note(settings)):
            logger.info(note)
        keys = storage_keys(settings)
        audit = open_audit(settings, keys, transport)
        if audit:
            stack.callback(audit.close)
        services = Services(settings, keys, stack)
        _check_settings(settings, services)
        history = build_call_history(settings, services)
        recorder = CallRecorder(
            services.metrics,
            audit,
            count=_analytics_counter(settings, services),
            history=history,
        )
        path = _call_path(settings, services, recorder, tools)
        if transport in {"http", "stdio"}:
            resume_crawls(settings, lambda: services.crawling, stack)
            resume_checks(settings, services, stack)
            resume_monitors(settings, lambda: services.watching, stack)
        owner = Caller(user=settings.server.local_user, transport=transport)
        app = App(settings, services, path, owner, recorder, history, audit)
        try:
            yield app
        finally:
            await app.close()


def _open_observation(settings: Settings, transport: Transport, stack: AsyncExitStack) -> None:
    """Start logging and tracing; a program that uses the library configures its own logging."""
    secrets, options = secret_values(settings), settings.logging
    if transport != "library":
        log.configure(level=options.level, fmt=options.format, secrets=secrets)
        if options.level != "debug":
            for name in ("mcp", "uvicorn", "asyncio"):
                logging.getLogger(name).setLevel(logging.WARNING)
    stop = trace.configure_tracing(options.otlp_endpoint, options.service_name, secrets=secrets)
    if stop:
        stack.callback(stop)


def _check_settings(settings: Settings, services: Services) -> None:
    """Build what depends on fallible settings, so that startup fails and not the first call."""
    options = settings.search
    if options.provider or options.routing or options.custom_lenses_path:
        _ = services.searching
    if settings.cache.redis_url:
        _ = services.store


def _analytics_counter(settings: Settings, services: Services) -> CountCall | None:
    """Return what counts calls for people's own analytics; None if these are disabled."""
    if not settings.people.user_analytics_enabled:
        return None

    async def count(caller: Caller, tool: str) -> None:
        await services.people.count(caller, tool)

    return count


def _call_path(
    settings: Settings,
    services: Services,
    recorder: CallRecorder,
    tools: Iterable[AnyTool | ToolEntry],
) -> CallPath:
    # the limits per tenant and IP address belong to the HTTP server
    limits = (personal_limit(settings.limits.max_calls_per_day),)
    limiter = Limiter(limits, StoreCallCounter(lambda: services.store))
    services.quotas.register(limiter.quotas)
    rules = CallRules(
        admit=limiter.take if settings.limits.max_calls_per_day else None,
        record=recorder,
        timeout=settings.limits.tool_timeout,
        link_at=settings.cache.link_threshold_bytes,
        summary_tokens=settings.cache.link_summary_tokens,
        isolate_cache=settings.isolated,
    )
    aliases = settings.clients.tool_aliases
    registry = choose(tools, settings.server.toolsets, services, aliases)
    return CallPath(registry, services, rules)
