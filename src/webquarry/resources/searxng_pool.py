"""`searxng://pool`: the SearXNG instances, and why one of them was asked."""

from webquarry.content.tokens import compact_json
from webquarry.resources.base import Asked, Reading, Resource


async def _read(asked: Asked) -> Reading:
    # imported here: a start would otherwise load the pool
    from webquarry.searxng.state import describe

    pool = asked.services.searxng
    return Reading(compact_json(await describe(pool) if pool else {"instances": []}))


SEARXNG_POOL = Resource(
    uri="searxng://pool",
    name="SearXNG Pool",
    description="Health of every SearXNG instance, and why the last one was chosen.",
    read=_read,
)
