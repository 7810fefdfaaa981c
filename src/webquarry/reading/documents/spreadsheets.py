"""Spreadsheets in the formats xls, xlsb and ods, read by calamine: every visible sheet as a table.

xlsx has a reader of its own: calamine knows neither hidden rows nor percentages.
"""

import io
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta

from python_calamine import (
    CalamineError,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from webquarry.reading.documents.draft import (
    MAX_MARKDOWN,
    DocumentDraft,
    DocumentTask,
    EncryptedDocument,
    UnreadableDocument,
)
from webquarry.reading.documents.odf_package import open_package
from webquarry.reading.documents.ooxml import read_properties
from webquarry.reading.documents.page_selection import selected_indexes
from webquarry.reading.documents.pipe_table import limit_rows, pipe_table
from webquarry.reading.documents.zip_archive import Archive

_MAX_SHEETS = 100
_ENCRYPTED = "is encrypted: it opens only with a password"
Value = int | float | str | bool | time | date | datetime | timedelta


def read_spreadsheet(task: DocumentTask) -> DocumentDraft:
    """Return a section per sheet."""
    draft = DocumentDraft(task.kind)
    if task.kind != "xls":
        archive = Archive(task.data)
        archive.check_sizes()  # calamine would unpack a zip bomb
        (read_properties if task.kind == "xlsb" else open_package)(archive, draft)
    try:
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(task.data))
        draft.page_count = len(workbook.sheet_names)
        indexes = selected_indexes(task, draft.page_count, draft, "sheet")
        if len(indexes) > _MAX_SHEETS:
            draft.truncate(f"only the first {_MAX_SHEETS} of {len(indexes)} sheets were read")
        draft.set_markdown(_sections(workbook, indexes[:_MAX_SHEETS], draft))
    except PasswordError as error:
        raise EncryptedDocument(_ENCRYPTED) from error
    except (CalamineError, OSError) as error:  # OSError: a record that is cut off
        raise UnreadableDocument(f"is broken: {' '.join(str(error).split())[:160]}") from error
    # a panic of calamine, whose class cannot be imported, is no Exception
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise UnreadableDocument("is broken: its records contradict each other") from error
    if not draft.markdown:
        raise UnreadableDocument("has no values in its sheets")
    return draft


def _sections(
    workbook: CalamineWorkbook, indexes: list[int], draft: DocumentDraft
) -> Iterator[str]:
    room = MAX_MARKDOWN
    for index in indexes:
        sheet = workbook.sheets_metadata[index]
        if sheet.visible != SheetVisibleEnum.Visible:
            draft.warnings.append(f"sheet {sheet.name!r} is hidden and was left out")
            continue
        if sheet.typ != SheetTypeEnum.WorkSheet:
            continue
        draft.outline.append((1, sheet.name))
        values = workbook.get_sheet_by_index(index).iter_rows()
        rows, more = limit_rows(([_shown(value) for value in row] for row in values), draft, room)
        if more:
            draft.truncate(
                f"sheet {sheet.name!r}: {more:,} further rows were left out "
                f"after the first {len(rows):,}"
            )
        table = pipe_table(rows)
        room -= len(table)
        yield f"## {sheet.name}\n\n{table}" if table else ""


def _shown(value: Value) -> str:
    """Return a value as a person sees it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, datetime):
        shown = value.strftime("%Y-%m-%d %H:%M:%S")
        return shown.removesuffix(" 00:00:00").removesuffix(":00")
    if isinstance(value, time):
        return value.strftime("%H:%M:%S").removesuffix(":00")
    return str(value)
