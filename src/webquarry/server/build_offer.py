"""Builds what MCP clients are offered."""

import time

from webquarry.calls.call_path import CallPath
from webquarry.prompts import PROMPTS
from webquarry.prompts.prompt import PromptRegistry
from webquarry.resources import RESOURCES
from webquarry.resources.resource import ResourceRegistry
from webquarry.server.argument_completion import completions
from webquarry.server.call_tasks import CallTasks
from webquarry.server.mcp_server import ServerOffer
from webquarry.server.monitor_updates import MonitorUpdates
from webquarry.server.structured_output import StructuredOutput
from webquarry.server.subscriptions import Subscriptions
from webquarry.services.call_history import CallHistory
from webquarry.settings.load import Settings
from webquarry.storage.task_records import TaskRecords
from webquarry.wiring.container import Services


def build_offer(
    path: CallPath, services: Services, settings: Settings, history: CallHistory | None
) -> ServerOffer:
    """Return the tools, resources, prompts and completions of a server."""
    clients = settings.clients
    structured = StructuredOutput(clients.structured_content, links=clients.resource_links)

    def records() -> TaskRecords:  # opens the store when the first task needs it
        return TaskRecords(services.store, time.time)

    subscriptions = Subscriptions()
    updates = MonitorUpdates(subscriptions, lambda: services.watching)
    subscriptions.on_subscribed = updates.subscribed
    return ServerOffer(
        path=path,
        services=services,
        resources=ResourceRegistry(RESOURCES),
        prompts=PromptRegistry(PROMPTS),
        completers=completions(services),
        subscriptions=subscriptions,
        updates=updates,
        history=history,
        structured=structured,
        tasks=CallTasks(path, records, structured, ttl=settings.cache.task_ttl),
    )
