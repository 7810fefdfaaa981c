"""Builds the call history, unless it is off or the server has many users."""

from webquarry.services.call_history import CallHistory
from webquarry.settings.load import Settings
from webquarry.wiring.container import Services


def build_call_history(settings: Settings, services: Services) -> CallHistory | None:
    """Return the history; None if it is off, or if callers authenticate."""
    ttl = settings.people.call_history_ttl
    if not ttl or settings.auth.required:
        return None
    # a callable: a process that calls no tool does not open the store
    return CallHistory(lambda: services.store, settings.server.local_user, ttl=ttl)
