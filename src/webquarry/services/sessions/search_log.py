"""The search log of a session in the terms of PRISMA-S (https://doi.org/10.1186/s13643-020-01542-z)."""

from webquarry.content.text.token_count import compact_json
from webquarry.models.session import SearchEntry
from webquarry.services.sessions.session_state import SessionState

_COLUMNS = (
    "No.", "Time (UTC)", "Tool", "Source", "Query as sent", "Limits", "Hits",
    "Duplicates removed", "Excluded", "Screened", "Failure",
)  # fmt: skip


def search_log(state: SessionState) -> str:
    """Return every search with its record counts, and the totals."""
    flow = state.flow()
    sources = sorted({entry.provider for entry in state.searches})
    parts = [
        f"# Search log: {_cell(state.goal) or state.id}",
        f"Session {state.id}, started {state.started_at}.",
        "## Information sources",
        "\n".join(f"- {_cell(name)}" for name in sources) or "None were searched.",
        "## Searches",
        _table(state.searches) if state.searches else "None were made.",
        "## Flow of records",
        "\n".join(
            (
                f"- Identified: {flow.identified}",
                f"- Duplicates removed: {flow.duplicatesRemoved}",
                f"- Excluded before screening: {flow.excluded}",
                f"- Screened: {flow.screened}",
                f"- Read in full: {flow.read}",
                f"- Not retrieved: {flow.notRetrieved}",
            )
        ),
        "Duplicates are records of a page that the same answer or an earlier search had already. "
        "Excluded are records that filters of the search removed after the source had answered, "
        "or that exceeded the requested number. Screened are the rest: new to the session, "
        "shown with title and snippet.",
    ]
    return "\n\n".join(parts) + "\n"


def _table(entries: list[SearchEntry]) -> str:
    rows = [_COLUMNS, ("---",) * len(_COLUMNS), *map(_row, entries)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(entry: SearchEntry) -> tuple[str, ...]:
    reason = f" ({_cell(', '.join(entry.excludedBy))})" if entry.excludedBy else ""
    return (
        str(entry.number),
        entry.searchedAt,
        _cell(entry.tool),
        _cell(entry.provider),
        _cell(entry.query),
        _cell(compact_json(entry.filters)) if entry.filters else "",
        str(entry.hits),
        str(entry.duplicatesRemoved),
        f"{entry.excluded}{reason}",
        str(entry.screened),
        _cell(entry.error or ""),
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "\\<")
