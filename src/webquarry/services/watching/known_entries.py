"""Entries of lists whose members come and go: results of searches, entries of feeds."""

from collections.abc import Mapping, Sequence

from webquarry.models.changes import WatchedEntry

_MAX_KNOWN = 2000


def with_earlier(
    entries: Sequence[WatchedEntry], earlier: Mapping[str, WatchedEntry]
) -> tuple[WatchedEntry, ...]:
    """Return the entries, and those seen before: an entry that comes back is not new."""
    current = {entry.key: entry for entry in entries}
    known = [entry for key, entry in earlier.items() if key not in current]
    return (*current.values(), *known)[:_MAX_KNOWN]
