"""Builds the providers whose keys are configured."""

from typing import TYPE_CHECKING

from webquarry.net.upstream.rate_limiter import SharedRateLimiter
from webquarry.net.upstream.upstreams import Upstreams
from webquarry.providers.all_providers import PROVIDERS, build_providers
from webquarry.providers.local import Local
from webquarry.providers.provider import Keys
from webquarry.providers.searxng import Searxng
from webquarry.providers.semanticscholar import PER_SECOND, SemanticScholar
from webquarry.services.provider_choice import ProviderDirectory
from webquarry.settings.load import Settings

if TYPE_CHECKING:
    from webquarry.wiring.container import Services


def build_provider_directory(settings: Settings, services: "Services") -> ProviderDirectory:
    """Return the configured providers; the SearXNG pool is opened when first used."""

    def semantic_scholar(upstreams: Upstreams, keys: Keys) -> SemanticScholar:
        # the API limits requests per key, so all servers with this key share one limiter
        name = SemanticScholar.about.name
        pace = SharedRateLimiter(services.store, name, PER_SECOND, clock=upstreams.clock)
        return SemanticScholar(upstreams, keys, rate_limiter=pace)

    upstreams, index = services.network.upstreams, services.page_index
    ready = build_providers(
        upstreams,
        settings.keys,
        factories={
            Searxng: lambda upstreams, keys: Searxng(upstreams, keys, pool=services.searxng),
            SemanticScholar: semantic_scholar,
        },
    )
    if index:
        ready.append(Local(upstreams, settings.keys, index=index))
    return ProviderDirectory(ready, PROVIDERS)
