"""The RateLimit headers of HTTP responses."""

import math
from collections.abc import Sequence

from webquarry.calls.limits import LimitStatus


def limit_headers(statuses: Sequence[LimitStatus]) -> dict[str, str]:
    """Return the headers of the current IETF draft and those of the earlier, common one."""
    if not statuses:
        return {}
    tightest = min(statuses, key=lambda s: (s.remaining / s.limit.max_calls, -s.resets_in))
    return {
        "RateLimit-Policy": ", ".join(
            f'"{s.limit.name}";q={s.limit.max_calls};w={s.limit.seconds}' for s in statuses
        ),
        "RateLimit": ", ".join(
            f'"{s.limit.name}";r={s.remaining};t={math.ceil(s.resets_in)}' for s in statuses
        ),
        "RateLimit-Limit": str(tightest.limit.max_calls),
        "RateLimit-Remaining": str(tightest.remaining),
        "RateLimit-Reset": str(math.ceil(tightest.resets_in)),
    }
