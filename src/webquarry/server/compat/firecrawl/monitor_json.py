"""Monitors and their checks, as Firecrawl's clients expect them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from webquarry.content.text.timestamps import to_rfc3339
from webquarry.models.changes import Change, FieldsVersion, Version
from webquarry.models.monitor import Monitor, MonitorCheck, MonitorTarget
from webquarry.server.compat.firecrawl.schedule_text import cron_of
from webquarry.services.watching.checked_pages import PageStatus, changed_url, page_statuses
from webquarry.services.watching.monitor_views import passage_row

Json = dict[str, Any]
_TARGET_ID = "target"  # a monitor has one
_TYPES = {"site": "crawl", "search": "search"}


def monitor_json(monitor: Monitor, kept_days: int) -> Json:
    """Return a monitor."""
    definition, progress = monitor.definition, monitor.progress
    schedule = definition.schedule
    cron = cron_of(schedule.every)
    webhooks = definition.notify.webhooks
    return {
        "id": monitor.id,
        "name": definition.name,
        "status": monitor.state,
        "schedule": {
            **({"cron": cron} if cron else {"text": f"every {schedule.every}"}),
            "timezone": schedule.timezone,
        },
        "nextRunAt": _time(monitor.due) if monitor.state == "active" else None,
        "lastRunAt": _time(progress.last_run),
        "targets": shown_targets(definition.target),
        "webhook": {"url": _origin(webhooks[0].url)} if webhooks else None,
        "notification": None,
        "retentionDays": kept_days,
        "estimatedCreditsPerMonth": 0,
        "lastCheckSummary": _summary(progress.checks[0]) if progress.checks else None,
        "goal": None,
        "judgeEnabled": False,
        "createdAt": _time(monitor.created),
        "updatedAt": _time(progress.last_run or monitor.created),
    }


def shown_targets(target: MonitorTarget) -> list[Json]:
    """Return what a monitor watches."""
    kind = _TYPES.get(target.kind, "scrape")
    shown: Json = {"id": _TARGET_ID, "type": kind}
    if kind == "search":
        return [shown | {"queries": [target.target]}]
    if kind == "crawl":
        return [shown | {"url": target.target, "crawlOptions": {"limit": target.max_pages}}]
    options: Json = {}
    if target.json_schema:
        options["formats"] = [{"type": "json", "schema": target.json_schema}]
    if target.selector:
        options["includeTags"] = [target.selector]
    return [shown | {"urls": [target.target], **({"scrapeOptions": options} if options else {})}]


def check_json(monitor: Monitor, check: MonitorCheck) -> Json:
    """Return a check that has ended."""
    failed = check.outcome == "failed"
    trigger = "manual" if check.manual else "scheduled"
    return _check(monitor, check.number, trigger, check.began) | {
        "status": "failed" if failed else "completed",
        "startedAt": _time(check.began),
        "finishedAt": _time(check.ended),
        "updatedAt": _time(check.ended),
        "summary": _summary(check),
        "error": check.error,
    }


def next_check_json(monitor: Monitor, status: str) -> Json:
    """Return the next check, or the one that is running."""
    planned = monitor.due
    return _check(monitor, monitor.runs + 1, "scheduled", planned) | {
        "status": status,
        "scheduledFor": _time(planned),
        "updatedAt": _time(planned),
        "summary": _summary(None),
    }


@dataclass(frozen=True, kw_only=True)
class CheckFindings:
    """What is still stored of a check: what it found, and the versions before and after."""

    changes: Sequence[Change] = ()
    before: Version | None = None
    after: Version | None = None


def check_pages(monitor: Monitor, check: MonitorCheck, found: CheckFindings) -> list[Json]:
    """Return the pages of a check."""
    if check.outcome == "failed":
        target = monitor.definition.target.target
        return [_page(check, 0, target, "error") | {"error": check.error}]
    statuses = _statuses(monitor, check, found)
    rows: list[Json] = []
    for number, (url, status) in enumerate(statuses.items()):
        row = _page(check, number, url, status)
        if status == "changed":
            is_only = not _is_set(monitor)
            own = [each for each in found.changes if is_only or changed_url(each) == url]
            row["diff"] = _diff(own, found)
        if isinstance(found.after, FieldsVersion):
            row["snapshot"] = {"json": _values(found.after)}
        rows.append(row)
    return rows


def _statuses(
    monitor: Monitor, check: MonitorCheck, found: CheckFindings
) -> Mapping[str, PageStatus]:
    is_first = check.outcome == "first"
    if _is_set(monitor):
        return page_statuses(found.after, found.changes, is_first=is_first)
    # its versions may have expired
    url = found.after.url if found.after else monitor.definition.target.target
    return {url: "changed" if check.change else "new" if is_first else "same"}


def _is_set(monitor: Monitor) -> bool:
    return monitor.definition.target.kind != "page"


def _check(monitor: Monitor, number: int, trigger: str, created: float) -> Json:
    return {
        "id": str(number),
        "monitorId": monitor.id,
        "trigger": trigger,
        "estimatedCredits": 0,
        "actualCredits": 0,
        "billingStatus": "not_applicable",
        "createdAt": _time(created),
    }


def _summary(check: MonitorCheck | None) -> Json:
    if check is None:
        return {"totalPages": 0, "same": 0, "changed": 0, "new": 0, "removed": 0, "error": 0}
    pages, failed = check.pages, int(check.outcome == "failed")
    differing = {"changed": pages.changed, "new": pages.new, "removed": pages.removed}
    same = pages.total - sum(differing.values())
    return {"totalPages": pages.total + failed, "same": same, **differing, "error": failed}


def _page(check: MonitorCheck, number: int, url: str, status: str) -> Json:
    return {
        "id": f"{check.number}.{number}",
        "targetId": _TARGET_ID,
        "url": url,
        "status": status,
        "createdAt": _time(check.began),
    }


def _diff(changes: Sequence[Change], found: CheckFindings) -> Json:
    if isinstance(found.before, FieldsVersion) and isinstance(found.after, FieldsVersion):
        before, after = _values(found.before), _values(found.after)
        fields = {
            each.where: {"previous": before.get(each.where), "current": after.get(each.where)}
            for each in changes
        }
        return {"json": fields}
    rows = [passage_row(each).model_dump(mode="json", exclude_none=True) for each in changes]
    return {"text": "\n".join(_lines(changes)), "json": rows}


def _lines(changes: Sequence[Change]) -> list[str]:
    """Return the passages in the form of a unified diff."""
    found: list[str] = []
    for each in changes:
        found.append(f"@@ {each.where} @@" if each.where else "@@ @@")
        for sign, anchor in (("-", each.before), ("+", each.after)):
            found += [f"{sign}{line}" for line in anchor.quote.splitlines()] if anchor else []
    return found


def _values(version: FieldsVersion) -> Mapping[str, Any]:
    return {name: state.value for name, state in version.values.items()}


def _origin(url: str) -> str:
    """Return the URL up to its host: what follows may hold a token."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _time(at: float | None) -> str | None:
    return None if at is None else to_rfc3339(at, at)
