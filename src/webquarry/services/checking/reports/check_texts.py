"""The result of a check as Markdown, CSV and JSON."""

import json

from webquarry.content.export.csv_rows import csv_row
from webquarry.models.document_check import CheckedReference, DocumentCheck, Finding
from webquarry.services.checking.reports.check_rows import (
    CLASS_NAMES,
    COLUMNS,
    CheckRow,
    check_columns,
    check_rows,
    headline,
    location,
)


def check_json(check: DocumentCheck) -> str:
    """Return everything, as a tool returns it."""
    body = check.model_dump(mode="json", exclude_none=True)
    return json.dumps(body, ensure_ascii=False, indent=2) + "\n"


def check_markdown(check: DocumentCheck) -> str:
    """Return summary, findings, claims and references."""
    lines = [f"# Check of {check.title or check.document}", "", headline(check), ""]
    if check.findings:
        lines += ["## Findings", ""]
        lines += [f"{at}. {_finding(each)}" for at, each in enumerate(check.findings, 1)]
        lines.append("")
    if rows := check_rows(check):
        columns = check_columns(check)
        lines += ["## Claims", "", _table(*(name.capitalize() for name in columns))]
        lines += [
            _table(*("---" for _ in columns)),
            *(_claim_row(row, columns) for row in rows),
            "",
        ]
    if check.references:
        lines += ["## References", "", _table("#", "Reference", "Result", "Source read")]
        lines += [_table(*("---",) * 4), *map(_reference_row, check.references), ""]
    lines += [*(f"Note: {note}" for note in check.notes), f"Checked {check.checkedAt}.", ""]
    return "\n".join(lines)


def check_csv(check: DocumentCheck) -> str:
    """Return the table of claims."""
    columns = check_columns(check)
    rows = [_cells(row)[: len(columns)] for row in check_rows(check)]
    return "".join(csv_row(row) for row in (columns, *rows))


def _finding(finding: Finding) -> str:
    kind = finding.kind.replace("_", " ")
    where, url = location(finding.place), finding.place.url
    linked = f"[{where}](<{url}>)" if url else where
    return f"**{kind}** ({linked}): {finding.message} “{_short(finding.text)}”"


def _short(text: str, length: int = 200) -> str:
    clean = " ".join(text.split())
    return clean if len(clean) <= length else f"{clean[:length].rstrip()}…"


def _cells(row: CheckRow) -> tuple[str, ...]:
    return (*row[:3], CLASS_NAMES[row.claim_class], *row[4:])


def _claim_row(row: CheckRow, columns: tuple[str, ...]) -> str:
    cells = list(_cells(row))
    if row.link:
        cells[COLUMNS.index("link")] = f"[open](<{row.link}>)"
    return _table(*cells[: len(columns)])


def _reference_row(reference: CheckedReference) -> str:
    return _table(
        reference.label or "",
        _short(reference.text),
        reference_result(reference),
        source_read(reference),
    )


def reference_result(reference: CheckedReference) -> str:
    """Return the result for a reference in words."""
    if not reference.checked:
        return "not checked"
    if not reference.flags:
        return "exists" if reference.exists else "no problem found"
    flags = ", ".join(flag.replace("_", " ") for flag in reference.flags)
    archived = f" Archived copy: {reference.archivedUrl}" if reference.archivedUrl else ""
    return f"{flags}: {reference.reason or ''}{archived}"


def source_read(reference: CheckedReference) -> str:
    """Return what was read of a source, in words."""
    source = reference.source
    if source is None:
        return ""
    if source.kind is None:
        return f"could not read: {source.reason or ''}"
    return f"{source.kind.replace('_', ' ')} {source.url or ''}".strip()


def _table(*cells: str) -> str:
    clean = (" ".join(cell.split()).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(clean)} |"
