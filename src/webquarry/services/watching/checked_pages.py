"""The pages, results or entries that a check saw, each new, changed, removed or the same."""

from collections.abc import Iterable
from typing import Literal

from webquarry.models.changes import Change, EntriesVersion, Version
from webquarry.models.monitor import PageCounts

PageStatus = Literal["same", "new", "changed", "removed"]


def page_statuses(
    version: Version | None, changes: Iterable[Change], *, is_first: bool
) -> dict[str, PageStatus]:
    """Return the status of each page by its URL; without a version, only of those that differ."""
    usual: PageStatus = "new" if is_first else "same"
    if version is not None and not isinstance(version, EntriesVersion):
        return {version.url: "changed" if any(True for _ in changes) else usual}
    entries = version.entries if version else ()
    statuses: dict[str, PageStatus] = {entry.url or entry.key: usual for entry in entries}
    for change in changes:
        statuses[changed_url(change)] = _status(change)
    return statuses


def page_counts(version: Version, changes: Iterable[Change], *, is_first: bool) -> PageCounts:
    """Return how many pages there are of each status."""
    statuses = list(page_statuses(version, changes, is_first=is_first).values())
    return PageCounts(
        total=len(statuses),
        new=statuses.count("new"),
        changed=statuses.count("changed"),
        removed=statuses.count("removed"),
    )


def changed_url(change: Change) -> str:
    """Return the URL of the entry that a change belongs to."""
    anchor = change.after or change.before
    return (anchor.url if anchor else "") or change.where


def _status(change: Change) -> PageStatus:
    if change.kind != "entry" or change.action == "changed":
        return "changed"
    return "new" if change.action == "added" else "removed"
