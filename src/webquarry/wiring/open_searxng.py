"""Opens the pool of SearXNG instances as the settings want it."""

from contextlib import AsyncExitStack

from webquarry.searxng.guarded_http import GuardedHttp
from webquarry.searxng.open_pool import open_pool
from webquarry.searxng.pool import Pool
from webquarry.settings.load import Settings
from webquarry.storage.store import Store
from webquarry.wiring.open_network import NetworkServices


def open_searxng(
    settings: Settings, store: Store, network: NetworkServices, stack: AsyncExitStack
) -> Pool:
    """Open the pool; nothing is asked before it is used."""
    pool = open_pool(
        network.http,
        settings.keys,
        options=settings.web_search,
        store=store,
        public=GuardedHttp(network.fetcher),
    )
    stack.push_async_callback(pool.close)
    return pool
