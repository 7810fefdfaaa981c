"""Opens searching as the settings want it."""

from webquarry.services.choice import Choices
from webquarry.services.searching import Preferences, Searching
from webquarry.settings.load import Settings
from webquarry.storage.index import PageIndex
from webquarry.wiring.network import Network


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
