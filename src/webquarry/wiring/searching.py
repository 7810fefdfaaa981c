"""Opens searching as the settings want it."""

from contextlib import AsyncExitStack

from webquarry.services.choice import Choices
from webquarry.services.searching import Preferences, Searching
from webquarry.settings.load import Settings
from webquarry.storage.index import PageIndex
from webquarry.wiring.network import Network


def open_index(settings: Settings, stack: AsyncExitStack) -> PageIndex | None:
    """Open the index of what was read, unless it is turned off; no file before it is used."""
    if not settings.search.local_index:
        return None
    index = PageIndex(
        settings.server.data_dir / "index.sqlite3", most_pages=settings.search.local_index_pages
    )
    stack.push_async_callback(index.close)
    return index


def build_searching(
    settings: Settings, choices: Choices, network: Network, index: PageIndex | None
) -> Searching:
    """Return searching over these providers; a wrong setting is a SettingsError."""
    wanted = settings.search
    preferences = Preferences(
        provider=wanted.provider.lower(),
        routing=wanted.routing,
        thin=wanted.thin_threshold,
        custom_lenses=wanted.custom_lenses_path,
    )
    return Searching(choices, preferences, health=network.upstreams.health, index=index)
