"""Constructs the providers that the settings allow."""

from collections.abc import Callable

from webquarry.net.upstream.rate_limiter import SharedRateLimiter
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers import PROVIDERS, build_providers
from webquarry.providers.local import Local
from webquarry.providers.provider import Keys
from webquarry.providers.searxng import Searxng
from webquarry.providers.semanticscholar import PER_SECOND, SemanticScholar
from webquarry.searxng.pool import Pool
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.settings.load import Settings
from webquarry.storage.page_index import PageIndex
from webquarry.storage.store import Store
from webquarry.wiring.open_network import NetworkServices


def build_choices(
    settings: Settings,
    network: NetworkServices,
    store: Store,
    index: PageIndex | None,
    pool: Callable[[], Pool],
) -> ProviderDirectory:
    """Return the providers that have all they need; `pool` serves the one that shares it."""

    def paced(upstreams: Upstreams, keys: Keys) -> SemanticScholar:
        # its limit is one for all servers that use the same key
        name = SemanticScholar.about.name
        pace = SharedRateLimiter(store, name, PER_SECOND, clock=upstreams.clock)
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
    return ProviderDirectory(ready, PROVIDERS)
