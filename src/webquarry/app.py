"""Constructs the application from its settings. Nothing else constructs anything."""

import logging
from collections.abc import AsyncGenerator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from webquarry.models.caller import Caller, Transport
from webquarry.observe import log, trace
from webquarry.observe.audit import Audit
from webquarry.observe.metrics import Metrics
from webquarry.providers import PROVIDERS, build_providers
from webquarry.providers.local import Local
from webquarry.providers.searxng import Searxng
from webquarry.resources import RESOURCES
from webquarry.resources.base import Library
from webquarry.searxng.pool import Pool
from webquarry.server.protocol import Offer
from webquarry.server.subscriptions import Subscriptions
from webquarry.services import Services
from webquarry.services.choice import Choices
from webquarry.services.reading.service import PageReading
from webquarry.settings.load import Settings
from webquarry.settings.redact import secret_values
from webquarry.storage.artifacts import Artifacts
from webquarry.storage.base import Store
from webquarry.storage.index import PageIndex
from webquarry.tools import TOOLS
from webquarry.tools.base import AnyTool
from webquarry.tools.callpath import CallPath, Rules
from webquarry.tools.registry import choose
from webquarry.wiring.network import Network, open_network
from webquarry.wiring.reading import open_reading
from webquarry.wiring.recording import Recorder, limiter, open_audit
from webquarry.wiring.searching import build_searching, completions, open_index
from webquarry.wiring.searxng import open_searxng
from webquarry.wiring.storing import open_store, storage_keys


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
    """Open storage and network, build everything on them, and close them at the end."""
    async with AsyncExitStack() as stack:
        _open_observation(settings, transport, stack)
        keys = storage_keys(settings)
        store = await stack.enter_async_context(open_store(settings, keys))
        audit = open_audit(settings, keys.current, transport)
        if audit:
            stack.callback(audit.close)
        network = await stack.enter_async_context(open_network(settings))
        index = await stack.enter_async_context(open_index(settings))
        reading = await stack.enter_async_context(open_reading(settings, store, network, index))
        pool = await stack.enter_async_context(open_searxng(settings, store, network))
        services = _services(settings, store, network, reading, pool, index)
        yield _assemble(settings, services, audit, transport, tools)


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


def _services(
    settings: Settings,
    store: Store,
    network: Network,
    reading: PageReading,
    pool: Pool,
    index: PageIndex | None,
) -> Services:
    ready = build_providers(
        network.upstreams,
        settings.keys,
        made={Searxng: lambda upstreams, keys: Searxng(upstreams, keys, pool=pool)},
    )
    if index:
        ready.append(Local(network.upstreams, settings.keys, index=index))
    choices = Choices(ready, PROVIDERS)
    return Services(
        store=store,
        artifacts=Artifacts(store, ttl=settings.cache.artifact_ttl),
        metrics=Metrics(secrets=secret_values(settings)),
        choices=choices,
        reading=reading,
        searching=build_searching(settings, choices, network, index),
        searxng=pool,
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
        admit=limiter(settings, services.store, transport).admit,
        record=Recorder(services.metrics, audit, subscriptions),
        timeout=settings.limits.tool_timeout,
        link_at=settings.cache.link_threshold_bytes,
        isolate_cache=settings.cache.isolation == "tenant",
    )
    registry = choose(tools, settings.server.toolsets, services)
    offer = Offer(
        path=CallPath(registry, services, rules),
        services=services,
        library=Library(RESOURCES),
        complete=completions(services.searching),
        subscriptions=subscriptions,
    )
    user = settings.server.stdio_user_id or "owner"
    return App(settings, offer, Caller(user=user, transport=transport))
