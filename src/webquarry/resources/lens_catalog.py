"""`lenses://catalog`: the named sets of sites that web_search can look through."""

from webquarry.content.text.token_count import compact_json
from webquarry.resources.resource import Resource, ResourceContent, ResourceRequest


async def _read(asked: ResourceRequest) -> ResourceContent:
    lenses = [
        {
            "name": lens.name,
            "description": lens.description,
            "domainCount": len(lens.domains),
            "hasCX": bool(lens.cx),
        }
        for lens in asked.services.searching.lenses.all().values()
    ]
    return ResourceContent(compact_json({"lenses": lenses}))


LENSES = Resource(
    uri="lenses://catalog",
    name="Search Lens Catalog",
    description="Sets of sites to search in; pass a name to web_search as lens.",
    read=_read,
)
