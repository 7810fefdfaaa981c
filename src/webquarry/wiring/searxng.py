"""Opens the pool of SearXNG instances as the settings want it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from webquarry.searxng.opening import open_pool
from webquarry.searxng.outside import GuardedHttp
from webquarry.searxng.pool import Pool
from webquarry.settings.load import Settings
from webquarry.storage.base import Store
from webquarry.wiring.network import Network


@asynccontextmanager
async def open_searxng(settings: Settings, store: Store, network: Network) -> AsyncGenerator[Pool]:
    """Open the pool; nothing is asked before it is used."""
    pool = open_pool(
        network.http,
        settings.keys,
        options=settings.web_search,
        store=store,
        public=GuardedHttp(network.fetcher),
    )
    try:
        yield pool
    finally:
        await pool.close()
