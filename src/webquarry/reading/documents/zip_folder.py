"""Zip archives of documents, read as a folder."""

import re

from webquarry.reading.documents.contained_files import ContainedFiles
from webquarry.reading.documents.draft import DocumentDraft, DocumentTask, UnreadableDocument
from webquarry.reading.documents.page_selection import selected_indexes
from webquarry.reading.documents.zip_archive import Archive

# what programs add to archives on their own
_FOLDER_DATA = re.compile(r"(?:^|/)(?:__MACOSX/|\.[^/]{1,200}$|Thumbs\.db$|desktop\.ini$)")
_DIGITS = re.compile(r"(\d{1,18})")


def read_zip_folder(task: DocumentTask) -> DocumentDraft:
    """Return the files of an archive as sections, by name."""
    draft = DocumentDraft("archive")
    archive = Archive(task.data)
    archive.check_sizes()
    names = [name for name in archive.names if name and not name.endswith("/")]
    names = sorted((name for name in names if not _FOLDER_DATA.search(name)), key=_natural)
    if not names:
        raise UnreadableDocument("is a zip archive without files")
    draft.page_count = len(names)
    chosen = [names[index] for index in selected_indexes(task, len(names), draft, "file")]
    files = ContainedFiles(task, draft, level=1)
    chunks: list[str] = []
    for name in chosen:
        try:
            data = archive.read(name)
        except UnreadableDocument as error:
            draft.warnings.append(f"{name[:200]} {error}")
            continue
        chunks += files.sections(name, data)
    files.finish()
    draft.set_markdown(chunks)
    if not files.read:
        reasons = "; ".join(draft.warnings[:3])
        raise UnreadableDocument(f"is a zip archive without a readable document: {reasons}")
    return draft


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key in which chapter 10 comes after chapter 9."""
    parts = _DIGITS.split(name.casefold())
    return [(int(part) if part.isdecimal() else 0, part) for part in parts]
