"""`stats://providers` and `diagnostics://health`: who can be asked, and who answers."""

from typing import TYPE_CHECKING, Any

from webquarry.content.text.token_count import compact_json
from webquarry.resources.resource import Resource, ResourceContent, ResourceRequest

if TYPE_CHECKING:  # a start would otherwise load the network
    from webquarry.net.upstream.breaker import Health

_KIND = "search_"  # what methods of providers that search begin with


async def _providers(asked: ResourceRequest) -> ResourceContent:
    ready = asked.services.choices.ready
    listed = [{"name": p.about.name, "type": kind} for p in ready for kind in _kinds(p)]
    return ResourceContent(compact_json({"providers": listed}))


def _kinds(provider: Any) -> list[str]:
    """Return what a provider offers, by the methods it has."""
    found = [name.removeprefix(_KIND) for name in dir(provider) if name.startswith(_KIND)]
    return sorted(found) or ["lookup"]


async def _health(asked: ResourceRequest) -> ResourceContent:
    searching = asked.services.searching
    if not searching.is_routed:
        return ResourceContent(compact_json({"status": "healthy", "providers": []}))
    health = searching.health()
    states = {name: health[name] for name in searching.routed_names() if name in health}
    listed = [
        {
            "name": name,
            "state": state.state,
            "failures": state.failures,
            "retryAfterSeconds": round(state.retry_after),
        }
        for name, state in states.items()
    ]
    return ResourceContent(
        compact_json({"status": _status(list(states.values())), "providers": listed})
    )


def _status(states: list["Health"]) -> str:
    paused = sum(state.state == "open" for state in states)
    if not paused:
        return "healthy"
    return "unhealthy" if paused == len(states) else "degraded"


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
