"""`lenses://catalog`: the named sets of sites that web_search can look through."""

from webquarry.content.tokens import compact_json
from webquarry.resources.base import Asked, Reading, Resource


async def _read(asked: Asked) -> Reading:
    lenses = [
        {
            "name": lens.name,
            "description": lens.description,
            "domainCount": len(lens.domains),
            "hasCX": bool(lens.cx),
        }
        for lens in asked.services.searching.lenses.all().values()
    ]
    return Reading(compact_json({"lenses": lenses}))


LENSES = Resource(
    uri="lenses://catalog",
    name="Search Lens Catalog",
    description="Sets of sites to search in; pass a name to web_search as lens.",
    read=_read,
)
