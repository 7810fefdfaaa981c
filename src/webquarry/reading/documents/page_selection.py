"""Page ranges of a request."""

from webquarry.reading.documents.draft import DocumentDraft, DocumentTask, NoSuchPages


def selected_indexes(
    task: DocumentTask, count: int, draft: DocumentDraft, noun: str = "page"
) -> list[int]:
    """Return the indexes to read, and warn about those that are not there."""
    if not task.pages:
        return list(range(count))
    indexes: dict[int, None] = {}
    missing = False
    for first, last in task.pages:
        end = count if last is None else min(last, count)
        missing = missing or first > count or (last is not None and last > count)
        indexes.update(dict.fromkeys(range(first - 1, end)))
    if not indexes:
        raise NoSuchPages(
            f"has {count} {noun}{'' if count == 1 else 's'}; none of the requested ones"
        )
    if missing:
        draft.warnings.append(f"the document has only {count} {noun}s")
    return list(indexes)


def warn_if_pages_requested(task: DocumentTask, draft: DocumentDraft) -> None:
    """Warn that page ranges do not apply to this kind of document."""
    if task.pages:
        draft.warnings.append(f"pages was not applied: a {draft.kind} document has no fixed pages")
