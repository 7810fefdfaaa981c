"""Constructs the application from its settings. Nothing else constructs anything."""

import logging
from collections.abc import AsyncGenerator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from webquarry.models.caller import Caller, Transport
from webquarry.observe import log, trace
from webquarry.observe.audit import Audit
from webquarry.prompts import PROMPTS
from webquarry.prompts.base import PromptBook
from webquarry.resources import RESOURCES
from webquarry.resources.base import Library
from webquarry.server.protocol import Offer
from webquarry.server.subscriptions import Subscriptions
from webquarry.services import Services
from webquarry.settings.load import Settings
from webquarry.settings.redact import secret_values
from webquarry.tools import TOOLS
from webquarry.tools.base import AnyTool, Listed
from webquarry.tools.callpath import CallPath, Rules
from webquarry.tools.registry import choose
from webquarry.wiring.completing import completions
from webquarry.wiring.parts import Parts
from webquarry.wiring.recording import Count, Recorder, limiter, open_audit
from webquarry.wiring.resuming import resume_crawls
from webquarry.wiring.storing import storage_keys


@dataclass(frozen=True)
class App:
    """The running parts, and what they offer to clients."""

    settings: Settings
    offer: Offer
    owner: Caller
    parts: Parts
    audit: Audit | None = None


@asynccontextmanager
async def open_app(
    settings: Settings, transport: Transport, *, tools: Iterable[AnyTool | Listed] = TOOLS
) -> AsyncGenerator[App]:
    """Make everything ready to be opened when it is first used, and close it at the end."""
    async with AsyncExitStack() as stack:
        _open_observation(settings, transport, stack)
        keys = storage_keys(settings)
        audit = open_audit(settings, keys.current, transport)
        if audit:
            stack.callback(audit.close)
        parts = Parts(settings, keys, stack)
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
    tools: Iterable[AnyTool | Listed],
) -> Offer:
    limits = limiter(settings, lambda: services.store)
    services.quotas.watch(limits.quotas)
    rules = Rules(
        admit=limits.admit,
        record=recorder,
        timeout=settings.limits.tool_timeout,
        link_at=settings.cache.link_threshold_bytes,
        isolate_cache=settings.isolated,
    )
    registry = choose(tools, settings.server.toolsets, services)
    return Offer(
        path=CallPath(registry, services, rules),
        services=services,
        library=Library(RESOURCES),
        prompts=PromptBook(PROMPTS),
        complete=completions(services),
        subscriptions=recorder.subscriptions,
    )
