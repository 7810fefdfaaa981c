"""What the search tools tell beside their results, on fresh and on cached answers alike."""

import time
from collections.abc import Iterable, Mapping
from typing import Any

from webquarry.calls.tool import Call
from webquarry.models.model import Model
from webquarry.services.searching.router import Router, RoutingTrace
from webquarry.services.searching.search_sources import ProviderResults


def note_routing(call: Call, router: Router[Any, Any], trace: RoutingTrace, used: str) -> None:
    """Say who was asked, where several providers take turns."""
    if router.is_routed:
        call.meta["routing"] = trace.wire(used, time.perf_counter() - call.started)


def note_found(call: Call, found: ProviderResults[Any]) -> None:
    """Say what was done to the results here, and whether a part of them is missing."""
    if found.afterwards:
        call.meta["appliedAfterwards"] = list(found.afterwards)
    if found.incomplete:
        call.meta["incomplete"] = dict(found.incomplete)


def note_spent(call: Call, provider: str, cost: float | None) -> None:
    """Say for the audit trail who was paid, and how much as far as that is known."""
    known = {} if cost is None else {"cost_usd": cost}
    call.meta["spent"] = {"provider": provider, **known}


def named(unhonoured: Iterable[str], arguments: Mapping[str, str]) -> list[str] | None:
    """Return what was not honoured, called as the tool's arguments are."""
    return [arguments.get(name, name) for name in unhonoured] or None


def finish(
    args: Model, out: Model, call: Call, *, most: int, router: Router[Any, Any] | None
) -> None:
    """Repeat for programs what the body says to models; complete the block of a cached answer."""
    asked = vars(args)
    if unhonoured := getattr(out, "unhonoured", None):
        call.meta["unhonoured"] = list(unhonoured)
    if not 1 <= asked["num_results"] <= most:
        call.meta["requestedNumResults"] = asked["num_results"]
    if router and router.is_routed and not asked["provider"] and call.meta.get("cached"):
        spent = time.perf_counter() - call.started
        call.meta["routing"] = {"cache_hit": True, "latency_ms": round(spent * 1000)}
