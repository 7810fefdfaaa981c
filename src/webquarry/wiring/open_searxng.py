"""Opens the pool of SearXNG instances and the reader of result pages, as configured."""

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from webquarry.reading.robots import Robots
from webquarry.searxng.guarded_http import GuardedHttp
from webquarry.searxng.open_pool import open_pool
from webquarry.searxng.pool import Pool
from webquarry.searxng.result_content import ResultContentReader
from webquarry.settings.load import Settings

if TYPE_CHECKING:
    from webquarry.wiring.container import Services


def open_searxng(settings: Settings, services: "Services", stack: AsyncExitStack) -> Pool:
    """Return the pool; it sends no request before the first search."""
    pool = open_pool(
        services.network.http,
        settings.keys,
        options=settings.web_search,
        store=services.store,
        public=GuardedHttp(services.network.fetcher),
    )
    pool.client.parsers = lambda: services.parsers
    stack.push_async_callback(pool.close)
    return pool


def open_result_content(settings: Settings, services: "Services") -> ResultContentReader:
    """Return the reader of result pages."""
    respect = settings.web_search.respect_robots
    return ResultContentReader(
        services.reading,
        settings.web_search,
        services.searxng.clock,
        robots=Robots(services.network.fetcher) if respect else None,
    )
