"""Jupyter notebooks: text, code and its output in order."""

import json
import re
from collections.abc import Iterator
from typing import Any, cast

from webquarry.content.html.charset import decode_page
from webquarry.reading.documents.draft import DocumentDraft, DocumentTask, UnreadableDocument
from webquarry.reading.documents.page_selection import warn_if_pages_requested
from webquarry.reading.documents.plain_text import fence

_TITLE = re.compile(r"^(#{1,6})[ \t]++(\S.{0,300})", re.MULTILINE)
_ANSI = re.compile(r"\x1b\[[0-9;]{0,20}[A-Za-z]")
_MAX_OUTPUT = 20_000  # characters of one output
_TEXT_TYPES = ("text/markdown", "text/plain")
_FENCED = re.compile(r"^(?:```|~~~)")
Json = dict[str, Any]


def read_notebook(task: DocumentTask) -> DocumentDraft:
    """Return the cells of a notebook; images among the output are counted."""
    draft = DocumentDraft("ipynb")
    warn_if_pages_requested(task, draft)
    book = _parsed(task.data)
    cells = _cells(book)
    if cells is None:
        raise UnreadableDocument("is not a notebook: it has no cells")
    metadata = _object(book, "metadata")
    language = _string(_object(metadata, "language_info").get("name"))
    draft.title = _string(metadata.get("title"))
    reader = _NotebookReader(draft, language or _string(book.get("language")) or "python")
    draft.set_markdown(part for cell in cells for part in reader.parts(cell))
    draft.page_count = len(cells)
    if reader.images:
        draft.warnings.append(f"{reader.images} images among the output were left out")
    if not draft.markdown:
        raise UnreadableDocument("is a notebook without text and code")
    return draft


class _NotebookReader:
    """Writes cells as Markdown."""

    def __init__(self, draft: DocumentDraft, language: str) -> None:
        self._draft = draft
        self._language = re.sub(r"[^\w+#-]", "", language)[:30]
        self.images = 0

    def parts(self, cell: Json) -> Iterator[str]:
        source = _text(cell.get("source") if "source" in cell else cell.get("input"))
        kind = cell.get("cell_type")
        if kind == "code":
            if source.strip():
                yield fence(source.strip("\n"), self._language)
            for output in _objects(cell.get("outputs")):
                yield from self._output(output)
        elif kind == "heading":  # until version 3
            level = cell.get("level")
            yield f"{'#' * (level if isinstance(level, int) and 0 < level < 7 else 1)} {source}"
        else:
            self._note_headings(source)
            yield source

    def _note_headings(self, source: str) -> None:
        for marks, title in [] if _FENCED.search(source) else _TITLE.findall(source):
            self._draft.outline.append((len(marks), title.rstrip("# ")))
            self._draft.title = self._draft.title or title.rstrip("# ")

    def _output(self, output: Json) -> Iterator[str]:
        kinds = _object(output, "data") or output
        self.images += sum(1 for name in kinds if name.startswith("image/") or name == "png")
        text = _text(output.get("text")) or next(
            (found for name in _TEXT_TYPES if (found := _text(kinds.get(name)))), ""
        )
        if output.get("output_type") in ("error", "pyerr"):
            text = "\n".join(_text(line) for line in output.get("traceback") or ()) or text
        text = _ANSI.sub("", text).strip("\n")
        if len(text) > _MAX_OUTPUT:
            text = text[:_MAX_OUTPUT]
            self._draft.truncate(f"outputs were cut after {_MAX_OUTPUT:,} characters")
        if text.strip():
            yield fence(text, "output")


def _parsed(data: bytes) -> Json:
    try:
        book = json.loads(decode_page(data, "application/json"))
    except ValueError as error:
        raise UnreadableDocument(f"is not a notebook: {str(error)[:120]}") from error
    if not isinstance(book, dict):
        raise UnreadableDocument("is not a notebook: it is no JSON object")
    return cast("Json", book)


def _cells(book: Json) -> list[Json] | None:
    """Return the cells; until version 3 they were in worksheets."""
    if isinstance(book.get("cells"), list):
        return _objects(book["cells"])
    sheets = _objects(book.get("worksheets"))
    return [cell for sheet in sheets for cell in _objects(sheet.get("cells"))] if sheets else None


def _objects(value: Any) -> list[Json]:
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return [cast("Json", item) for item in items if isinstance(item, dict)]


def _object(value: Json, name: str) -> Json:
    found = value.get(name)
    return cast("Json", found) if isinstance(found, dict) else {}


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _text(value: Any) -> str:
    """Return a text that may be a list of lines."""
    if isinstance(value, list):
        return "".join(line for line in cast("list[Any]", value) if isinstance(line, str))
    return _string(value)
