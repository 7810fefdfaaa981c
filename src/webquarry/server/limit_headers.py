"""Tells clients how they stand with our limits, in headers."""

import math
from collections.abc import Sequence

from webquarry.calls.limits import LimitStatus


def limit_headers(standings: Sequence[LimitStatus]) -> dict[str, str]:
    """Return the RateLimit headers, in their current and in their earlier, common form."""
    if not standings:
        return {}
    tightest = min(standings, key=lambda s: (s.left / s.limit.most, -s.resets_in))
    return {
        "RateLimit-Policy": ", ".join(
            f'"{s.limit.name}";q={s.limit.most};w={s.limit.seconds}' for s in standings
        ),
        "RateLimit": ", ".join(
            f'"{s.limit.name}";r={s.left};t={math.ceil(s.resets_in)}' for s in standings
        ),
        "RateLimit-Limit": str(tightest.limit.most),
        "RateLimit-Remaining": str(tightest.left),
        "RateLimit-Reset": str(math.ceil(tightest.resets_in)),
    }
