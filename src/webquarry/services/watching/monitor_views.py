"""Monitors and changes in the form that tools and the REST API return."""

from typing import Any
from urllib.parse import urlsplit

from webquarry.content.text.timestamps import to_rfc3339
from webquarry.models.changes import Change
from webquarry.models.monitor import Monitor, MonitorChange
from webquarry.models.monitor_results import (
    ChangeRow,
    IgnoredRow,
    MonitorDetails,
    MonitorRow,
    NoiseRow,
    PassageRow,
)
from webquarry.services.watching.notifications import summary

FEED_PATH = "/feeds/monitors"


def monitor_row(monitor: Monitor) -> MonitorRow:
    """Return a monitor as a list shows it."""
    return MonitorRow(**_common(monitor))


def monitor_details(monitor: Monitor, feed_token: str) -> MonitorDetails:
    """Return a monitor with its definition and what it ignores."""
    patterns = monitor.noise.patterns
    return MonitorDetails(
        **_common(monitor),
        definition=_definition(monitor),
        createdAt=_time(monitor.created) or "",
        feed=f"{FEED_PATH}/{monitor.id}/{feed_token}",
        muted=tuple(
            NoiseRow(rule=p.id, origin=p.origin, where=p.where, text=p.text) for p in patterns
        ),
        ignored=tuple(map(passage_row, monitor.progress.ignored)),
    )


def change_row(change: MonitorChange) -> ChangeRow:
    """Return what a check found."""
    return ChangeRow(
        number=change.seq,
        at=_time(change.at) or "",
        event=change.event,
        summary=summary(change),
        url=change.url,
        title=change.title,
        changes=tuple(map(passage_row, change.changes)),
        ignored=tuple(map(passage_row, change.ignored)),
        since=_time(change.since),
        reason=change.reason,
        evidence=bool(change.captured) or None,
    )


def passage_row(change: Change) -> PassageRow:
    """Return one thing that changed."""
    ignored, anchor = change.ignored, change.after or change.before
    return PassageRow(
        id=change.id,
        kind=change.kind,
        action=change.action,
        where=change.where,
        before=change.before.quote if change.before else "",
        after=change.after.quote if change.after else "",
        size=change.size,
        number=change.number,
        url=anchor.url if anchor else "",
        diff=change.diff,
        ignored=IgnoredRow(rule=ignored.rule, reason=ignored.reason, note=ignored.note)
        if ignored
        else None,
    )


def _common(monitor: Monitor) -> dict[str, Any]:
    progress, target = monitor.progress, monitor.definition.target
    return {
        "monitorId": monitor.id,
        "name": monitor.definition.name,
        "kind": target.kind,
        "target": target.target,
        "status": monitor.state,
        "schedule": monitor.definition.schedule.every,
        "nextRun": _time(monitor.due) if monitor.state == "active" else None,
        "lastRun": _time(progress.last_run),
        "lastOutcome": progress.last_outcome,
        "lastChange": _time(progress.last_change),
        "changes": monitor.changes,
        "runs": monitor.runs,
        "unreachableSince": _time(progress.failing_since) if progress.unreachable_told else None,
        "error": progress.last_error,
    }


def _definition(monitor: Monitor) -> dict[str, Any]:
    """Return the definition without what opens an account: addresses, headers, secrets."""
    definition = monitor.definition
    shown = definition.model_dump(mode="json", exclude_defaults=True, exclude={"notify", "name"})
    notify = definition.notify
    receivers = [_origin(each.url) for each in notify.webhooks]
    receivers += [url.partition("://")[0] + "://…" for url in notify.services]
    if receivers:
        shown["notify"] = receivers
    if notify.digest:
        shown["digest"] = notify.digest
    return shown


def _origin(url: str) -> str:
    """Return the URL up to its host: what follows may hold a token."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


def _time(at: float | None) -> str | None:
    return None if at is None else to_rfc3339(at, at)
