"""Opens searching as the settings want it."""

from webquarry.services.provider_choice import ProviderDirectory
from webquarry.services.searching.service import Preferences, SearchService
from webquarry.settings.load import Settings
from webquarry.storage.page_index import PageIndex
from webquarry.wiring.open_network import NetworkServices


def build_searching(
    settings: Settings,
    choices: ProviderDirectory,
    network: NetworkServices,
    index: PageIndex | None,
) -> SearchService:
    """Return searching over these providers; a wrong setting is a SettingsError."""
    wanted = settings.search
    preferences = Preferences(
        provider=wanted.provider.lower(),
        routing=wanted.routing,
        thin=wanted.thin_threshold,
        custom_lenses=wanted.custom_lenses_path,
    )
    return SearchService(choices, preferences, health=network.upstreams.health, index=index)
