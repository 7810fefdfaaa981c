"""Which pages of a document were asked for."""

from webquarry.reading.documents.draft import BadPages, DocumentTask, Draft


def selected(task: DocumentTask, count: int, draft: Draft, noun: str = "page") -> list[int]:
    """Return the indexes to read, and warn about those that are not there."""
    if not task.pages:
        return list(range(count))
    wanted: dict[int, None] = {}
    missing = False
    for first, last in task.pages:
        end = count if last is None else min(last, count)
        missing = missing or first > count or (last is not None and last > count)
        wanted.update(dict.fromkeys(range(first - 1, end)))
    if not wanted:
        raise BadPages(f"has {count} {noun}{'' if count == 1 else 's'}; none of those asked for")
    if missing:
        draft.warnings.append(f"the document has only {count} {noun}s")
    return list(wanted)


def ignored(task: DocumentTask, draft: Draft) -> None:
    """Say that page ranges mean nothing in this kind of document."""
    if task.pages:
        draft.warnings.append(f"pages was not applied: a {draft.kind} document has no fixed pages")
