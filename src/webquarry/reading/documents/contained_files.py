"""Files inside a document: those of a zip archive, attachments of a message."""

import re
from collections.abc import Iterator

from webquarry.content.html.read_html import read_html
from webquarry.content.text.binary_content import binary_type
from webquarry.reading.documents.document_type import sniff
from webquarry.reading.documents.draft import (
    NEEDS_RECOGNITION,
    DocumentDraft,
    DocumentTask,
    ScannedDocument,
    UnreadableDocument,
)
from webquarry.reading.documents.image_types import is_readable_image

MAX_FILES = 200  # that are read
_MAX_DEPTH = 2  # a message inside a message
_CONTAINERS = frozenset(("archive", "eml", "msg"))
_NOT_SHOWN = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+")
_MAX_NAME = 200
_MAX_SECTIONS = 300  # in the outline
_REFUSED = "is a file inside other files; it was not opened"


class ContainedFiles:
    """Reads the files inside a document, each as a section of its draft."""

    def __init__(self, task: DocumentTask, draft: DocumentDraft, *, level: int) -> None:
        self._task = task
        self._draft = draft
        self._level = level  # of the headings
        self.read = 0
        self._skipped = 0

    def sections(self, name: str, data: bytes, content_type: str = "") -> Iterator[str]:
        """Yield the heading and the text of a file; what cannot be read becomes a warning."""
        shown = shown_name(name)
        if self.read >= MAX_FILES or self._task.out_of_time():
            self._skipped += 1
            return
        try:
            part = self._part(shown, data, content_type)
        except UnreadableDocument as error:
            self._draft.scans += isinstance(error, ScannedDocument)
            self._draft.warnings.append(f"{shown} {error}")
            return
        self.read += 1
        self._take(shown, part)
        yield f"{'#' * self._level} {shown}"
        yield part.markdown

    def finish(self) -> None:
        """Say how many files were left out."""
        if self._skipped:
            files = f"{self._skipped:,} further file{'s'[: self._skipped > 1]}"
            self._draft.truncate(f"{files} were left out after the first {self.read}")

    def _part(self, name: str, data: bytes, content_type: str) -> DocumentDraft:
        # imported here: the readers of all kinds import this module
        from webquarry.reading.documents.formats import read_document

        if not data:
            raise UnreadableDocument("is empty")
        kind = sniff(data, content_type, name)
        if kind is None and is_readable_image(data):
            if not self._task.recognizer:
                raise ScannedDocument(f"is an image; {NEEDS_RECOGNITION}", "")
            kind = "image"
        if kind is None:
            return _page(name, data, content_type)
        if kind in _CONTAINERS and self._task.depth + 1 >= _MAX_DEPTH:
            raise UnreadableDocument(_REFUSED)
        if kind == "archive" and self._task.kind == "archive":
            raise UnreadableDocument("is a zip archive inside another; it was not opened")
        task = DocumentTask(
            kind,
            data,
            content_type,
            name,
            recognizer=self._task.recognizer,
            language=self._task.language,
            seconds=max(self._task.remaining(), 0.0),
            depth=self._task.depth + 1,
        )
        return read_document(task)

    def _take(self, name: str, part: DocumentDraft) -> None:
        """Add outline and warnings of a file to those of the whole."""
        self._draft.outline.append((self._level, name))
        room = _MAX_SECTIONS - len(self._draft.outline)
        inner = [(level + self._level, title) for level, title in part.outline[: max(room, 0)]]
        self._draft.outline += inner
        self._draft.warnings += [f"{name}: {warning}" for warning in part.warnings]
        self._draft.uncertain += [(0, f"{name}: {reason}") for _, reason in part.uncertain]
        self._draft.truncated = self._draft.truncated or part.truncated
        self._draft.scans += part.scans


def _page(name: str, data: bytes, content_type: str) -> DocumentDraft:
    """Return a web page as a document; refuse images and other files without text."""
    media_type = binary_type(data, content_type)
    if media_type:
        raise UnreadableDocument(f"has no text ({media_type}, {len(data):,} bytes)")
    reading = read_html(data, url="", content_type=content_type or None)
    if not reading.markdown.strip():
        raise UnreadableDocument("has no text in it")
    draft = DocumentDraft("html", reading.markdown, title=reading.metadata.title)
    draft.warn_of_hidden({each.reason: each.count for each in reading.removed})
    return draft


def shown_name(name: str) -> str:
    """Return a file name on one line, without characters that are not shown."""
    plain = " ".join(_NOT_SHOWN.sub(" ", name[: 4 * _MAX_NAME]).split())
    return plain[:_MAX_NAME] or "unnamed file"
