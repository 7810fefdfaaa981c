"""`searxng://pool`: the SearXNG instances, and why one of them was asked."""

from webquarry.content.text.token_count import compact_json
from webquarry.resources.resource import Resource, ResourceContent, ResourceRequest


async def _read(asked: ResourceRequest) -> ResourceContent:
    # imported here: a start would otherwise load the pool
    from webquarry.searxng.pool_report import describe

    pool = asked.services.searxng
    return ResourceContent(compact_json(await describe(pool) if pool else {"instances": []}))


SEARXNG_POOL = Resource(
    uri="searxng://pool",
    name="SearXNG Pool",
    description="Health of every SearXNG instance, and why the last one was chosen.",
    read=_read,
)
