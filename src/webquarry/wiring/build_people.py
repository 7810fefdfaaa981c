"""Builds the services that store data for people, from the people settings."""

from webquarry.services.people.analytics import Analytics
from webquarry.services.people.consent import Consents
from webquarry.services.people.members import Members
from webquarry.services.people.memories import Memories
from webquarry.services.people.service import PeopleService
from webquarry.services.people.workspaces import Workspaces
from webquarry.settings.groups.people import PeopleSettings
from webquarry.storage.store import Store


def build_people(settings: PeopleSettings, store: Store) -> PeopleService:
    """Return consents, and those of memories, workspaces and analytics that are enabled."""
    workspaces = Workspaces(store, Members(store), settings.workspace_ttl)
    return PeopleService(
        consents=Consents(store),
        memories=Memories(store, settings.memory_retention) if settings.memory_enabled else None,
        workspaces=workspaces if settings.workspaces_enabled else None,
        analytics=Analytics(store) if settings.user_analytics_enabled else None,
    )
