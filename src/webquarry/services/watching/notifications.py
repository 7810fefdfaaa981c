"""Notifications of changes: what is sent to webhooks and to mail and chat services."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from webquarry.content.text.timestamps import to_rfc3339
from webquarry.models.changes import Change
from webquarry.models.monitor import Monitor, MonitorChange
from webquarry.models.webhook import WebhookTarget

Channel = Literal["webhook", "service"]
_MAX_LISTED = 20  # changes of one notification; the API has all
_MAX_PASSAGE = 500  # characters
_MAX_LINE = 160


@dataclass(frozen=True, kw_only=True)
class Notification:
    """One message to one receiver, complete: the monitor may change before it is sent."""

    channel: Channel
    receiver: int  # position among the receivers of its channel
    payload: bytes  # JSON, with the address of the receiver

    @property
    def lane(self) -> str:
        """The messages of one lane are sent in order."""
        return f"{self.channel}.{self.receiver}"


def notifications(monitor: Monitor, changes: Sequence[MonitorChange]) -> tuple[Notification, ...]:
    """Return the messages about changes, one for each receiver of the monitor."""
    if not changes:
        return ()
    body = event_body(monitor, changes)
    title, text = message(monitor, changes)
    notify = monitor.definition.notify
    hooks = [
        _notification("webhook", number, {"target": _dumped(target), "body": body})
        for number, target in enumerate(notify.webhooks)
    ]
    services = [
        _notification("service", number, {"url": url, "title": title, "text": text})
        for number, url in enumerate(notify.services)
    ]
    return (*hooks, *services)


def event_body(monitor: Monitor, changes: Sequence[MonitorChange]) -> dict[str, Any]:
    """Return the body of a webhook notification."""
    definition = monitor.definition
    return {
        "event": changes[0].event if len(changes) == 1 else "digest",
        "monitorId": monitor.id,
        "name": definition.name,
        "kind": definition.target.kind,
        "target": definition.target.target,
        "changes": [change_body(change) for change in changes],
    }


def change_body(change: MonitorChange) -> dict[str, Any]:
    """Return what a program is told of one check; the API has the whole passages."""
    body: dict[str, Any] = {
        "number": change.seq,
        "at": to_rfc3339(change.at, change.at),
        "event": change.event,
        "url": change.url,
        "title": change.title,
        "summary": summary(change),
        "changes": [_row(each) for each in change.changes[:_MAX_LISTED]],
        "changeCount": len(change.changes),
        "ignoredCount": len(change.ignored),
    }
    if change.since is not None:
        body["since"] = to_rfc3339(change.since, change.since)
    if change.reason:
        body["reason"] = change.reason
    return body


def summary(change: MonitorChange) -> str:
    """Say in one line what a check found."""
    if change.event == "unreachable":
        since = to_rfc3339(change.since, change.at)
        return f"Has been unreachable since {since}: {change.reason}"
    if change.event == "reachable":
        since = to_rfc3339(change.since, change.at)
        return f"Reachable again; it had been unreachable since {since}"
    first = _line(change.changes[0]) if change.changes else "Changed"
    more = len(change.changes) - 1
    return f"{first} (and {more} more)" if more > 0 else first


def message(monitor: Monitor, changes: Sequence[MonitorChange]) -> tuple[str, str]:
    """Return the title and the text for mail and chat."""
    name = monitor.definition.name
    lines: list[str] = []
    for change in changes:
        if change.event != "changed":
            lines += [summary(change), ""]
            continue
        lines += [f"- {_line(each)}" for each in change.changes[:_MAX_LISTED]]
        if (more := len(change.changes) - _MAX_LISTED) > 0:
            lines.append(f"- and {more} more")
        lines += [change.url, ""] if change.url else [""]
    title = f"{name}: {summary(changes[0])}" if len(changes) == 1 else f"{name}: digest"
    return _shortened(title, _MAX_LINE), "\n".join(lines).strip()


def _line(change: Change) -> str:
    """Return a change in one line."""
    before = _shortened(change.before.quote, _MAX_LINE) if change.before else ""
    after = _shortened(change.after.quote, _MAX_LINE) if change.after else ""
    where = f"{change.where}: " if change.where else ""
    if before and after:
        return f"{where}“{before}” → “{after}”"
    if after:
        return f"{where}new: “{after}”"
    return f"{where}gone: “{before}”"


def _row(change: Change) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": change.id,
        "kind": change.kind,
        "action": change.action,
        "where": change.where,
        "before": _shortened(change.before.quote, _MAX_PASSAGE) if change.before else None,
        "after": _shortened(change.after.quote, _MAX_PASSAGE) if change.after else None,
        "size": change.size,
    }
    if change.number:
        row["number"] = change.number.model_dump(mode="json", exclude_none=True)
    return row


def _notification(channel: Channel, receiver: int, payload: dict[str, Any]) -> Notification:
    data = json.dumps(payload, ensure_ascii=False).encode()
    return Notification(channel=channel, receiver=receiver, payload=data)


def _dumped(target: WebhookTarget) -> dict[str, Any]:
    return target.model_dump(mode="json", exclude_none=True)


def _shortened(text: str, limit: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"
