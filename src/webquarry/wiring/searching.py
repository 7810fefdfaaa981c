"""Opens searching as the settings want it."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

from webquarry.server.protocol import Complete
from webquarry.services.choice import Choices
from webquarry.services.searching import Preferences, Searching
from webquarry.settings.load import Settings
from webquarry.storage.index import PageIndex
from webquarry.wiring.network import Network


@asynccontextmanager
async def open_index(settings: Settings) -> AsyncGenerator[PageIndex | None]:
    """Open the index of what was read, unless it is turned off; no file before it is used."""
    if not settings.search.local_index:
        yield None
        return
    index = PageIndex(
        settings.server.data_dir / "index.sqlite3", most_pages=settings.search.local_index_pages
    )
    try:
        yield index
    finally:
        await index.close()


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


def completions(searching: Searching) -> Mapping[str, Complete]:
    """Return what clients may offer while a person types an argument."""
    return {
        "lens": lambda _, __: list(searching.lenses.all()),
        "provider": lambda _, __: searching.provider_names(),
    }
