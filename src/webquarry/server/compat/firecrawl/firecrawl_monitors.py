"""Firecrawl's monitors, over the monitors of this server."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.errors import BadInputError, NotFoundError
from webquarry.models.caller import Caller
from webquarry.models.monitor import Monitor, MonitorCheck, MonitorDefinition
from webquarry.server.compat.firecrawl.firecrawl_errors import parsed
from webquarry.server.compat.firecrawl.firecrawl_job_status import number_in
from webquarry.server.compat.firecrawl.monitor_json import (
    CheckFindings,
    check_json,
    check_pages,
    monitor_json,
    next_check_json,
    shown_targets,
)
from webquarry.server.compat.firecrawl.monitor_request import (
    MonitorBody,
    parse_body,
    target_arguments,
)
from webquarry.server.compat.vendor_context import Handle, VendorContext
from webquarry.server.problem_details import SafeJson
from webquarry.services.watching.service import MonitorService
from webquarry.tools.monitor_create import MonitorCreateIn, definition_of

Json = dict[str, Any]
_CREATE, _LIST, _CHANGES, _DELETE = (
    "monitor_create", "monitor_list", "monitor_changes", "monitor_delete",
)  # fmt: skip
_LISTED, _MAX_LISTED = 25, 100
_STATUSES = ("same", "new", "changed", "removed", "error")
_DAY = 86_400


def monitor_routes(context: VendorContext) -> list[BaseRoute]:
    """Return the routes of monitors."""
    monitors = FirecrawlMonitors(context)
    one = "/v2/monitor/{id}"
    served: list[tuple[str, str, Handle]] = [
        ("POST", "/v2/monitor", monitors.create),
        ("GET", "/v2/monitor", monitors.list_monitors),
        ("GET", one, monitors.get),
        ("PATCH", one, monitors.update),
        ("DELETE", one, monitors.delete),
        ("POST", f"{one}/run", monitors.run),
        ("GET", f"{one}/checks", monitors.list_checks),
        ("GET", f"{one}/checks/{{check}}", monitors.check),
    ]
    return [Route(path, context.handler(handle), methods=[verb]) for verb, path, handle in served]


@dataclass(frozen=True)
class FirecrawlMonitors:
    """Serves the monitors of the caller."""

    context: VendorContext

    async def create(self, request: Request) -> Response:
        """Create a monitor; its first check starts at once."""
        self._check_offered()
        body = parse_body(await self.context.body(request))
        if missing := [name for name in ("name", "schedule") if getattr(body, name) is None]:
            raise BadInputError(f"{missing[0]}: is missing", details={"fields": missing})
        if body.status:
            raise BadInputError("status: a new monitor is active; pause it afterwards")
        target, warnings = target_arguments(body.targets)
        created = await self.context.call(request, _CREATE, {**target, **body.plan()})
        monitor = await self._watching.get(created["monitorId"], self.context.identify(request))
        return self._monitor(monitor, [*warnings, *body.warnings(self._kept_days)])

    async def list_monitors(self, request: Request) -> Response:
        """Return monitors, the newest first."""
        caller = await self._admitted(request, _LIST)
        limit, offset = _limit(request), number_in(request, "offset", 0)
        found = await self._watching.monitors(caller, offset=offset, limit=limit)
        data = [monitor_json(each, self._kept_days) for each in found]
        return SafeJson({"success": True, "data": data})

    async def get(self, request: Request) -> Response:
        """Return a monitor."""
        caller = await self._admitted(request, _LIST)
        return self._monitor(await self._watching.get(request.path_params["id"], caller))

    async def update(self, request: Request) -> Response:
        """Change the name, schedule, webhook or state of a monitor."""
        body = parse_body(await self.context.body(request))
        caller = await self._admitted(request, _CREATE)
        monitor = await self._watching.get(request.path_params["id"], caller)
        definition, warnings = _changed(monitor, body)
        if definition != monitor.definition:
            monitor = await self._watching.update(monitor.id, definition, caller)
        if body.status and body.status != monitor.state:
            monitor = await self._watching.set_state(monitor.id, body.status, caller)
        return self._monitor(monitor, [*warnings, *body.warnings(self._kept_days)])

    async def delete(self, request: Request) -> Response:
        """Delete a monitor with its history."""
        self._check_offered()
        await self.context.call(request, _DELETE, {"id": request.path_params["id"]})
        return SafeJson({"success": True})

    async def run(self, request: Request) -> Response:
        """Check a monitor now, and return the check."""
        caller = await self._admitted(request, _CHANGES)
        before = await self._watching.get(request.path_params["id"], caller)
        monitor = await self._watching.run(before.id, caller)
        checks = monitor.progress.checks
        if monitor.runs == before.runs or not checks:  # it was being checked already
            return _data(next_check_json(monitor, "running"))
        return _data(check_json(monitor, checks[0]))

    async def list_checks(self, request: Request) -> Response:
        """Return the latest checks, the newest first."""
        caller = await self._admitted(request, _CHANGES)
        limit, offset = _limit(request), number_in(request, "offset", 0)
        monitor = await self._watching.get(request.path_params["id"], caller)
        shown = monitor.progress.checks[offset : offset + limit]
        return SafeJson({"success": True, "data": [check_json(monitor, each) for each in shown]})

    async def check(self, request: Request) -> Response:
        """Return a check with its pages."""
        status = request.query_params.get("status")
        if status is not None and status not in _STATUSES:
            raise BadInputError(f"status: choose from {', '.join(_STATUSES)}")
        skip, limit = number_in(request, "skip", 0), _limit(request)
        caller = await self._admitted(request, _CHANGES)
        monitor = await self._watching.get(request.path_params["id"], caller)
        wanted = request.path_params["check"]
        if wanted == str(monitor.runs + 1):
            return _data(next_check_json(monitor, "queued") | {"pages": []})
        check = _check_of(monitor, wanted)
        pages = check_pages(monitor, check, await self._findings(monitor, check, caller))
        if status:
            pages = [page for page in pages if page["status"] == status]
        body: Json = {"success": True, "data": check_json(monitor, check)}
        body["data"]["pages"] = pages[skip : skip + limit]
        if len(pages) > skip + limit:
            query = {"skip": skip + limit, "limit": limit} | ({"status": status} if status else {})
            path = f"/v2/monitor/{monitor.id}/checks/{check.number}?{urlencode(query)}"
            body["next"] = self.context.public_url(request, path)
        return SafeJson(body)

    @property
    def _watching(self) -> MonitorService:
        return self.context.offer.services.watching

    @property
    def _kept_days(self) -> int:
        return int(self.context.settings.watching.retention // _DAY)

    def _monitor(self, monitor: Monitor, warnings: Sequence[str] = ()) -> Response:
        data = monitor_json(monitor, self._kept_days)
        if warnings:
            data["warning"] = ". ".join(warnings) + "."
        return _data(data)

    async def _admitted(self, request: Request, tool: str) -> Caller:
        self._check_offered()
        return await self.context.admit(request, tool)

    def _check_offered(self) -> None:
        try:
            self.context.path.registry.lookup(_CREATE)
        except NotFoundError as error:
            raise BadInputError(
                "monitor: this server offers none; its operator can add toolset watch"
            ) from error

    async def _findings(
        self, monitor: Monitor, check: MonitorCheck, caller: Caller
    ) -> CheckFindings:
        """Return what the check found; the oldest versions and changes are not kept."""
        change = None
        if check.change:
            found = await self._watching.changes(
                monitor.id, caller, before=check.change + 1, limit=1
            )
            change = next((each for each in found if each.seq == check.change), None)
        store = self._watching.store
        return CheckFindings(
            changes=change.changes if change else (),
            before=await store.version(monitor.id, change.before) if change else None,
            after=await store.version(monitor.id, check.version),
        )


def _changed(monitor: Monitor, body: MonitorBody) -> tuple[MonitorDefinition, list[str]]:
    """Return the definition with what the body changes, and what of it is not honoured."""
    definition, warnings = monitor.definition, list[str]()
    schedule, notify = definition.schedule, definition.notify
    plan = body.plan()
    arguments: MonitorCreateIn = parsed(
        MonitorCreateIn, {"target": definition.target.target[:1], **plan}
    )
    asked = definition_of(arguments)
    if body.schedule:
        times = {"every": asked.schedule.every, "timezone": asked.schedule.timezone}
        schedule = schedule.model_copy(update=times)
    if body.webhook:
        notify = notify.model_copy(update={"webhooks": asked.notify.webhooks})
    updates: Json = {"name": body.name or definition.name, "schedule": schedule, "notify": notify}
    if body.targets is not None and list(body.targets) != shown_targets(definition.target):
        target, warnings = target_arguments(body.targets)
        wanted = definition_of(parsed(MonitorCreateIn, target))
        updates["target"] = wanted.target
    return definition.model_copy(update=updates), warnings


def _check_of(monitor: Monitor, number: str) -> MonitorCheck:
    for check in monitor.progress.checks:
        if str(check.number) == number:
            return check
    raise NotFoundError(
        f"The monitor {monitor.id} has no check {number!r}, or no more: the latest "
        f"{len(monitor.progress.checks)} are listed."
    )


def _limit(request: Request) -> int:
    return max(1, min(_MAX_LISTED, number_in(request, "limit", _LISTED)))


def _data(data: Json) -> Response:
    return SafeJson({"success": True, "data": data})
