"""What can be searched with: providers and their health, SearXNG instances, lenses."""

from typing import Any

from webquarry.resources.resource import Resource, ResourceRequest

_SEARCH_PREFIX = "search_"  # of the methods of a provider that searches


async def _providers(request: ResourceRequest) -> dict[str, Any]:
    ready = request.services.providers.ready
    return {
        "providers": [{"name": p.about.name, "type": kind} for p in ready for kind in _kinds(p)]
    }


def _kinds(provider: Any) -> list[str]:
    """Return what a provider can search, from the names of its methods."""
    methods = [name for name in dir(provider) if name.startswith(_SEARCH_PREFIX)]
    return sorted(name.removeprefix(_SEARCH_PREFIX) for name in methods) or ["lookup"]


async def _health(request: ResourceRequest) -> dict[str, Any]:
    searching = request.services.searching
    if not searching.is_routed:
        return {"status": "healthy", "providers": []}
    health = searching.health()
    listed = [
        {
            "name": name,
            "state": health[name].state,
            "failures": health[name].failures,
            "retryAfterSeconds": round(health[name].retry_after),
        }
        for name in searching.routed_names()
        if name in health
    ]
    return {"status": _status([row["state"] for row in listed]), "providers": listed}


def _status(states: list[object]) -> str:
    paused = states.count("open")
    if not paused:
        return "healthy"
    return "unhealthy" if paused == len(states) else "degraded"


async def _searxng_pool(request: ResourceRequest) -> dict[str, Any]:
    # imported here: startup does not need the pool
    from webquarry.searxng.pool_report import describe

    return await describe(request.services.searxng)


async def _lenses(request: ResourceRequest) -> dict[str, Any]:
    lenses = [
        {
            "name": lens.name,
            "description": lens.description,
            "domainCount": len(lens.domains),
            "hasCX": bool(lens.cx),
        }
        for lens in request.services.searching.lenses.all().values()
    ]
    return {"lenses": lenses}


PROVIDER_LIST = Resource(
    uri="stats://providers",
    name="Configured Providers",
    description="Every configured provider by name and capability.",
    read=_providers,
)
PROVIDER_HEALTH = Resource(
    uri="diagnostics://health",
    name="Provider Health",
    description="Circuit-breaker state of the routed search providers.",
    read=_health,
)
SEARXNG_POOL = Resource(
    uri="searxng://pool",
    name="SearXNG Pool",
    description="Health of every SearXNG instance, and why the last one was chosen.",
    read=_searxng_pool,
)
LENSES = Resource(
    uri="lenses://catalog",
    name="Search Lens Catalog",
    description="Sets of sites to search in; pass a name to web_search as lens.",
    read=_lenses,
)
