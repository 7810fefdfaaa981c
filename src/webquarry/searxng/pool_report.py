"""Report about the pool: which instances are used, which are not, and why."""

from datetime import UTC, datetime
from typing import Any

from webquarry.searxng.instance import GOOD_UPTIME, Instance
from webquarry.searxng.pool import Pool


async def describe(pool: Pool) -> dict[str, Any]:
    """Return the state of the pool as JSON-ready data; no query is in it."""
    maintenance = pool.maintenance
    await maintenance.load_state()
    catalogue = maintenance.sources.catalogue
    return {
        "preference": "your instances, then public ones graded "
        f"A+, A ({GOOD_UPTIME:g} %+ uptime), B; "
        "within a grade the slow ones last, the others in "
        f"{'random' if pool.options.use_random_instances else 'fixed'} rotation",
        "instances": [_instance(instance, pool) for instance in pool.instances.ranked()],
        "last_choice": _last_choice(pool),
        "engines": pool.engines.report(),
        "catalogue": {
            "source": catalogue.source if catalogue else None,
            "read_at": _timestamp(maintenance.times.catalogue_read or None),
            "problem": maintenance.catalogue_error or None,
            "built_in_list_used": maintenance.uses_fallback,
        },
        "health_checks": {
            "every_seconds": pool.options.instance_health_check_interval,
            "last_at": _timestamp(maintenance.times.checked or None),
        },
    }


def _instance(instance: Instance, pool: Pool) -> dict[str, Any]:
    now = pool.clock.time()
    reason = instance.unavailable_reason(now, pool.options.max_consecutive_failures)
    return {
        "url": instance.url,
        "grade": instance.grade,
        "uptime": instance.uptime,
        "response_time": instance.response_time,
        "last_checked": _timestamp(instance.last_checked),
        "rate_limited_until": _timestamp(instance.rate_limited_until),
        "consecutive_failures": instance.consecutive_failures,
        "available": not reason,
        "why_not": reason or None,
        "format": "json" if instance.offers_json(now) else "html",
        "answers": instance.answers,
        "failures": instance.failures,
    }


def _last_choice(pool: Pool) -> dict[str, Any] | None:
    if pool.instances.last_selected is None:
        return None
    at, selected = pool.instances.last_selected
    return {
        "at": _timestamp(at),
        "instance": selected.instance.url,
        "why": selected.reason,
        "passed_over": [{"instance": url, "why": why} for url, why in selected.skipped],
    }


def _timestamp(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
