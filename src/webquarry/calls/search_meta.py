"""What the search tools report in `_meta`, for fresh and for cached results."""

import time
from collections.abc import Iterable
from typing import Any, Literal

from webquarry.calls.tool import AfterCall, Call
from webquarry.models.model import Model
from webquarry.services.provider_queries import RoutingTrace
from webquarry.services.searching.search_sources import ProviderResults


def report_search(
    call: Call, found: ProviderResults[Any], trace: RoutingTrace | None = None
) -> None:
    """Report locally applied filters, several or failed requests, and the routing if any."""
    if found.applied_locally:
        call.meta["appliedAfterwards"] = list(found.applied_locally)
    if found.requests > 1:
        call.meta["requests"] = {found.provider: found.requests}
    if found.incomplete:
        call.meta["incomplete"] = dict(found.incomplete)
    if trace:
        call.meta["routing"] = trace.as_meta(found.provider, time.perf_counter() - call.started)


def asked_for(unhonoured: Iterable[str], args: Model) -> list[str]:
    """Return the filters that the caller asked for; SafeSearch is also requested by default."""
    return [name for name in unhonoured if name != "safe" or getattr(args, "safe", None)]


def report_cost(call: Call, provider: str, cost: float | None) -> None:
    """Report the paid provider, and the cost if it is known, for the audit log."""
    known = {} if cost is None else {"cost_usd": cost}
    call.meta["spent"] = {"provider": provider, **known}


def search_meta(
    *, max_results: int, routed: Literal["web", "news", "images"] | None = None
) -> AfterCall:
    """Return the `after_call` of a search tool; `routed` names its router."""

    async def complete(args: Any, out: Any, call: Call) -> None:
        if unhonoured := getattr(out, "unhonoured", None):
            call.meta["unhonoured"] = list(unhonoured)
        if not 1 <= args.num_results <= max_results:
            call.meta["requestedNumResults"] = args.num_results
        if not routed or args.provider or not call.meta.get("cached"):
            return
        if getattr(call.services.searching, routed).is_routed:
            seconds = time.perf_counter() - call.started
            call.meta["routing"] = {"cache_hit": True, "latency_ms": round(seconds * 1000)}

    return complete
