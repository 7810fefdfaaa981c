"""The differences of two sets of entries: pages of a crawl, search results, entries of a feed."""

from collections.abc import Iterator

from webquarry.content.changes.differences import PLACE_SEPARATOR, VersionDifference
from webquarry.content.changes.page_differences import page_differences
from webquarry.models.changes import EntriesVersion, PageVersion, WatchedEntry

MAX_ENTRIES = 5_000


def merge_entries(before: EntriesVersion, after: EntriesVersion) -> EntriesVersion:
    """Return the version to compare the next one with.

    It remembers the entries of a rolling set that have left, so that one that comes back is not
    new, and those that an incomplete version lacks.
    """
    if not after.rolling and after.complete:
        return after
    known = {entry.key for entry in after.entries}
    kept = (*after.entries, *(entry for entry in before.entries if entry.key not in known))
    return after.model_copy(update={"entries": kept[:MAX_ENTRIES], "complete": True})


def entry_differences(
    before: EntriesVersion, after: EntriesVersion
) -> tuple[list[VersionDifference], bool]:
    """Return the entries that are new, gone or different, and whether there are too many."""
    old = {entry.key: entry for entry in before.entries[:MAX_ENTRIES]}
    new = {entry.key: entry for entry in after.entries[:MAX_ENTRIES]}
    found: list[VersionDifference] = []
    truncated = max(len(before.entries), len(after.entries)) > MAX_ENTRIES
    for key, entry in new.items():
        if key not in old:
            found.append(_difference(entry, "", _named(entry)))
            continue
        inside, is_cut = _changed(old[key], entry, (before.at, after.at))
        found += inside
        truncated = truncated or is_cut
    if after.complete and not after.rolling:
        found += [_difference(old[key], _named(old[key]), "") for key in old if key not in new]
    return found, truncated


def _changed(
    before: WatchedEntry, after: WatchedEntry, at: tuple[float, float]
) -> tuple[list[VersionDifference], bool]:
    if before == after:
        return [], False
    pages = [
        PageVersion(url=entry.url, title=entry.title, markdown=entry.text, at=time)
        for entry, time in zip((before, after), at, strict=True)
    ]
    if not before.text or not after.text:  # one of the two was not read
        pages = [page.model_copy(update={"markdown": ""}) for page in pages]
    found, truncated = page_differences(*pages)
    return list(_of_entry(found, after)), truncated


def _of_entry(found: list[VersionDifference], entry: WatchedEntry) -> Iterator[VersionDifference]:
    for each in found:
        where = PLACE_SEPARATOR.join(filter(None, (entry.key, each.where)))
        yield each._replace(where=where, url=entry.url, block=-1)


def _difference(entry: WatchedEntry, before: str, after: str) -> VersionDifference:
    return VersionDifference("entry", before, after, where=entry.key, url=entry.url)


def _named(entry: WatchedEntry) -> str:
    return entry.title or entry.url or entry.key
