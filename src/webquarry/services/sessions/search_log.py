"""The search log of a session in the terms of PRISMA-S (https://doi.org/10.1186/s13643-020-01542-z)."""

from webquarry.content.text.token_count import compact_json
from webquarry.models.session import SearchEntry
from webquarry.services.sessions.notebook import SessionState

_COLUMNS = (
    "No.", "Time (UTC)", "Tool", "Source", "Query as sent", "Limits", "Hits",
    "Duplicates removed", "Excluded", "Screened", "Failure",
)  # fmt: skip


def search_log(notebook: SessionState) -> str:
    """Return every search with what became of its records, and the sums over all."""
    flow = notebook.flow()
    sources = sorted({line.provider for line in notebook.searches})
    parts = [
        f"# Search log: {_cell(notebook.goal) or notebook.id}",
        f"Session {notebook.id}, started {notebook.started_at}.",
        "## Information sources",
        "\n".join(f"- {_cell(name)}" for name in sources) or "None were searched.",
        "## Searches",
        _table(notebook.searches) if notebook.searches else "None were made.",
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
        "or that were beyond the number asked for. Screened are the rest: new to the session, "
        "shown with title and snippet.",
    ]
    return "\n\n".join(parts) + "\n"


def _table(lines: list[SearchEntry]) -> str:
    rows = [_COLUMNS, ("---",) * len(_COLUMNS), *map(_row, lines)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(line: SearchEntry) -> tuple[str, ...]:
    why = f" ({_cell(', '.join(line.excludedBy))})" if line.excludedBy else ""
    return (
        str(line.number),
        line.searchedAt,
        _cell(line.tool),
        _cell(line.provider),
        _cell(line.query),
        _cell(compact_json(line.filters)) if line.filters else "",
        str(line.hits),
        str(line.duplicatesRemoved),
        f"{line.excluded}{why}",
        str(line.screened),
        _cell(line.error or ""),
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "\\<")
