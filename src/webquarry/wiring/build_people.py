"""Opens what may be kept for people, as the settings want it."""

from webquarry.services.people.analytics import Analytics
from webquarry.services.people.consent import Consents
from webquarry.services.people.members import Members
from webquarry.services.people.memories import Memories
from webquarry.services.people.service import PeopleService
from webquarry.services.people.workspaces import Workspaces
from webquarry.settings.load import Settings
from webquarry.storage.store import Store


def build_people(settings: Settings, store: Store) -> PeopleService:
    """Return what the operator turned on, on top of the consents."""
    wanted = settings.people
    shared = Workspaces(store, Members(store), wanted.workspace_ttl)
    return PeopleService(
        consents=Consents(store),
        memories=Memories(store, wanted.memory_retention) if wanted.memory_enabled else None,
        workspaces=shared if wanted.workspaces_enabled else None,
        analytics=Analytics(store) if wanted.user_analytics_enabled else None,
    )
