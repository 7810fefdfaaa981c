"""The resources. To add one: write it, add it to `RESOURCES`."""

from webquarry.resources.artifact import ARTIFACT
from webquarry.resources.crawl_screenshots import CRAWL_SCREENSHOT
from webquarry.resources.monitor_resource import MONITOR
from webquarry.resources.resource import Resource
from webquarry.resources.search_views import LENSES, PROVIDER_HEALTH, PROVIDER_LIST, SEARXNG_POOL
from webquarry.resources.session_views import SESSION, SESSION_STATISTICS
from webquarry.resources.stats import RATE_LIMITS, RECENT_ERRORS, TOOL_STATISTICS

RESOURCES: tuple[Resource, ...] = (
    ARTIFACT,
    CRAWL_SCREENSHOT,
    MONITOR,
    SESSION,
    TOOL_STATISTICS,
    SESSION_STATISTICS,
    RATE_LIMITS,
    RECENT_ERRORS,
    SEARXNG_POOL,
    LENSES,
    PROVIDER_LIST,
    PROVIDER_HEALTH,
)
