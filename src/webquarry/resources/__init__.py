"""The resources. To add one: write its file, add it to `RESOURCES`."""

from webquarry.resources.artifact import ARTIFACT
from webquarry.resources.lens_catalog import LENSES
from webquarry.resources.providers import PROVIDER_HEALTH, PROVIDER_LIST
from webquarry.resources.rate_limits import RATE_LIMITS
from webquarry.resources.resource import Resource
from webquarry.resources.searxng_pool import SEARXNG_POOL
from webquarry.resources.session_views import SESSION, SESSION_STATISTICS
from webquarry.resources.stats import RECENT_ERRORS, TOOL_STATISTICS

RESOURCES: tuple[Resource, ...] = (
    ARTIFACT,
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
