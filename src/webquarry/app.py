"""Constructs the application from its settings. Nothing else constructs anything."""

import logging
from collections.abc import AsyncGenerator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from webquarry.calls.call_path import CallPath, CallRules
from webquarry.calls.registry import choose
from webquarry.calls.tool import AnyTool, ToolEntry
from webquarry.models.caller import Caller, Transport
from webquarry.observe import log, trace
from webquarry.observe.audit import AuditLog
from webquarry.prompts import PROMPTS
from webquarry.prompts.prompt import PromptRegistry
from webquarry.resources import RESOURCES
from webquarry.resources.resource import ResourceRegistry
from webquarry.server.mcp_server import ServerOffer
from webquarry.server.subscriptions import Subscriptions
from webquarry.services import Services
from webquarry.settings.load import Settings
from webquarry.settings.redact import secret_values
from webquarry.tools import TOOLS
from webquarry.wiring.argument_completion import completions
from webquarry.wiring.call_recording import Count, Recorder, limiter, open_audit
from webquarry.wiring.container import Container
from webquarry.wiring.open_storage import storage_keys
from webquarry.wiring.resume_crawls import resume_crawls


@dataclass(frozen=True)
class App:
    """The running parts, and what they offer to clients."""

    settings: Settings
    offer: ServerOffer
    owner: Caller
    parts: Container
    audit: AuditLog | None = None


@asynccontextmanager
async def open_app(
    settings: Settings, transport: Transport, *, tools: Iterable[AnyTool | ToolEntry] = TOOLS
) -> AsyncGenerator[App]:
    """Make everything ready to be opened when it is first used, and close it at the end."""
    async with AsyncExitStack() as stack:
        _open_observation(settings, transport, stack)
        keys = storage_keys(settings)
        audit = open_audit(settings, keys.current, transport)
        if audit:
            stack.callback(audit.close)
        parts = Container(settings, keys, stack)
        services = parts.services()
        _check(settings, services)
        count = _counting(settings, services)
        recorder = Recorder(services.metrics, audit, Subscriptions(), count=count)
        offer = _offer(settings, services, recorder, tools)
        if transport in {"http", "stdio"}:
            resume_crawls(settings, lambda: parts.crawling, stack)
        user = settings.server.stdio_user_id or "owner"
        try:
            yield App(settings, offer, Caller(user=user, transport=transport), parts, audit)
        finally:
            await offer.path.close()
            await recorder.close()


def _open_observation(settings: Settings, transport: Transport, stack: AsyncExitStack) -> None:
    """Start logs and traces; a program that uses us has logging of its own."""
    secrets, wanted = secret_values(settings), settings.logging
    if transport != "library":
        log.configure(level=wanted.level, fmt=wanted.format, secrets=secrets)
        if wanted.level != "debug":  # the chatter of libraries is for those who seek a fault
            for name in ("mcp", "uvicorn", "asyncio"):
                logging.getLogger(name).setLevel(logging.WARNING)
    stop = trace.configure_tracing(wanted.otlp_endpoint, wanted.service_name, secrets=secrets)
    if stop:
        stack.callback(stop)


def _check(settings: Settings, services: Services) -> None:
    """Open at once what may turn out to be set wrongly: a start says so, not the first call."""
    wanted = settings.search
    if wanted.provider or wanted.routing or wanted.custom_lenses_path:
        _ = services.searching
    if settings.cache.redis_url:
        _ = services.store


def _counting(settings: Settings, services: Services) -> Count | None:
    """Return what counts a call for the person calling, where that is wanted."""
    if not settings.people.user_analytics_enabled:
        return None

    async def count(caller: Caller, tool: str) -> None:
        await services.people.count(caller, tool)

    return count


def _offer(
    settings: Settings,
    services: Services,
    recorder: Recorder,
    tools: Iterable[AnyTool | ToolEntry],
) -> ServerOffer:
    limits = limiter(settings, lambda: services.store)
    services.quotas.watch(limits.quotas)
    rules = CallRules(
        admit=limits.admit,
        record=recorder,
        timeout=settings.limits.tool_timeout,
        link_at=settings.cache.link_threshold_bytes,
        isolate_cache=settings.isolated,
    )
    registry = choose(tools, settings.server.toolsets, services)
    return ServerOffer(
        path=CallPath(registry, services, rules),
        services=services,
        library=ResourceRegistry(RESOURCES),
        prompts=PromptRegistry(PROMPTS),
        complete=completions(services),
        subscriptions=recorder.subscriptions,
    )
