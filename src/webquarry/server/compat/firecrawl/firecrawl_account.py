"""The account calls: this server has limits, but no credits."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from webquarry.server.compat.vendor_context import Handle, VendorContext
from webquarry.server.problem_details import SafeJson

Json = dict[str, Any]
_PLENTY = 1_000_000_000  # of what is not counted; clients compare it with what they need
_STATUS = "cinder_get_crawl_status"
_LISTED = 100


def usage_handler(context: VendorContext, noun: str) -> Handle:
    """Return the handler of the credits or tokens that are left."""

    async def usage(request: Request) -> Response:
        context.identify(request)
        data = {f"remaining{noun}": _PLENTY, f"plan{noun}": _PLENTY}
        return SafeJson({"success": True, "data": data | _PERIOD})

    return context.handler(usage)


_PERIOD: Json = {"billingPeriodStart": None, "billingPeriodEnd": None}


def history_handler(context: VendorContext) -> Handle:
    """Return the handler of the credits or tokens that were used: none."""

    async def history(request: Request) -> Response:
        context.identify(request)
        return SafeJson({"success": True, "periods": []})

    return context.handler(history)


def concurrency_handler(context: VendorContext) -> Handle:
    """Return the handler of the number of running jobs."""

    async def concurrency(request: Request) -> Response:
        running = await _count(context, request, "running")
        data = {"concurrency": running, "maxConcurrency": _limit(context)}
        return SafeJson({"success": True, **data, "data": data})

    return context.handler(concurrency)


def queue_handler(context: VendorContext) -> Handle:
    """Return the handler of the number of jobs that run or wait."""

    async def queue(request: Request) -> Response:
        running = await _count(context, request, "running")
        waiting = await _count(context, request, "queued")
        data: Json = {
            "jobsInQueue": running + waiting,
            "activeJobsInQueue": running,
            "waitingJobsInQueue": waiting,
            "maxConcurrency": _limit(context),
            "mostRecentSuccess": await _last_success(context, request),
        }
        return SafeJson({"success": True, **data, "data": data})

    return context.handler(queue)


async def _count(context: VendorContext, request: Request, state: str) -> int:
    body = await context.call(request, _STATUS, {"status": state, "limit": _LISTED})
    return len(body["crawls"])


async def _last_success(context: VendorContext, request: Request) -> str | None:
    body = await context.call(request, _STATUS, {"status": "completed", "limit": 1})
    return body["crawls"][0].get("completedAt") if body["crawls"] else None


def _limit(context: VendorContext) -> int:
    return context.settings.crawling.per_user
