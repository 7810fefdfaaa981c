"""The pool explained: who is asked, who is not, and why."""

from datetime import UTC, datetime
from typing import Any

from webquarry.searxng.instance import GOOD_UPTIME, Instance
from webquarry.searxng.pool import Pool


async def describe(pool: Pool) -> dict[str, Any]:
    """Return the state of the pool as JSON-ready data; no query is in it."""
    upkeep = pool.upkeep
    await upkeep.wake()
    return {
        "preference": f"configured, A+, A (uptime {GOOD_UPTIME:g} % or more), B; "
        f"{'random turns' if pool.options.use_random_instances else 'round robin'} within a grade",
        "instances": [_instance(instance, pool) for instance in pool.roster.all()],
        "last_choice": _last_choice(pool),
        "engines": pool.engines.state(),
        "catalogue": {
            "source": upkeep.catalogue.source if upkeep.catalogue else None,
            "read_at": _moment(upkeep.times.listed or None),
            "problem": upkeep.problem or None,
        },
        "health_checks": {
            "every_seconds": pool.options.instance_health_check_interval,
            "last_at": _moment(upkeep.times.checked or None),
        },
    }


def _instance(instance: Instance, pool: Pool) -> dict[str, Any]:
    now, most = pool.clock.today(), pool.options.max_consecutive_failures
    objection = instance.objection(now, most)
    return {
        "url": instance.url,
        "grade": instance.grade,
        "uptime": instance.uptime,
        "response_time": instance.response_time,
        "last_checked": _moment(instance.last_checked),
        "rate_limited_until": _moment(instance.rate_limited_until),
        "consecutive_failures": instance.consecutive_failures,
        "available": not objection,
        "why_not": objection or None,
        "format": "json" if instance.gives_json(now) else "html",
        "answers": instance.answers,
        "failures": instance.failures,
    }


def _last_choice(pool: Pool) -> dict[str, Any] | None:
    if pool.last_pick is None:
        return None
    at, pick = pool.last_pick
    return {
        "at": _moment(at),
        "instance": pick.instance.url,
        "why": pick.why,
        "passed_over": [{"instance": url, "why": why} for url, why in pick.skipped],
    }


def _moment(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
