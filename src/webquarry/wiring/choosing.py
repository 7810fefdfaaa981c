"""Constructs the providers that the settings allow."""

from collections.abc import Callable

from webquarry.net.pace import SharedPace
from webquarry.net.upstreams import Upstreams
from webquarry.providers import PROVIDERS, build_providers
from webquarry.providers.base import Keys
from webquarry.providers.local import Local
from webquarry.providers.searxng import Searxng
from webquarry.providers.semanticscholar import PER_SECOND, SemanticScholar
from webquarry.searxng.pool import Pool
from webquarry.services.choice import Choices
from webquarry.settings.load import Settings
from webquarry.storage.base import Store
from webquarry.storage.index import PageIndex
from webquarry.wiring.network import Network


def build_choices(
    settings: Settings,
    network: Network,
    store: Store,
    index: PageIndex | None,
    pool: Callable[[], Pool],
) -> Choices:
    """Return the providers that have all they need; `pool` serves the one that shares it."""

    def paced(upstreams: Upstreams, keys: Keys) -> SemanticScholar:
        # its limit is one for all servers that use the same key
        name = SemanticScholar.about.name
        pace = SharedPace(store, name, PER_SECOND, clock=upstreams.clock)
        return SemanticScholar(upstreams, keys, pace=pace)

    ready = build_providers(
        network.upstreams,
        settings.keys,
        made={
            Searxng: lambda upstreams, keys: Searxng(upstreams, keys, pool=pool()),
            SemanticScholar: paced,
        },
    )
    if index:
        ready.append(Local(network.upstreams, settings.keys, index=index))
    return Choices(ready, PROVIDERS)
