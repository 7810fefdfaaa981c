"""Plain text, Markdown, JSON and XML; refuses formats that are not supported."""

import re

from webquarry.content.html.charset import decode_page
from webquarry.content.text.length_limits import cap_text
from webquarry.reading.documents.draft import (
    MAX_MARKDOWN,
    DocumentDraft,
    DocumentTask,
    EncryptedDocument,
    UnreadableDocument,
)
from webquarry.reading.documents.page_selection import warn_if_pages_requested

_TITLE = re.compile(r"^#\s+(.+)$", re.MULTILINE)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+("?)|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)
_LITERAL = re.compile(r"true|false|null|-?\d[\d.eE+-]*|-?Infinity|NaN")
_INDENT = "  "
_MAX_INDENT = 40  # levels; deeper ones are not indented further


def read_text(task: DocumentTask) -> DocumentDraft:
    """Return the text, decoded and otherwise unchanged."""
    draft = DocumentDraft(task.kind)
    warn_if_pages_requested(task, draft)
    text = _decode(task, draft)
    if task.kind == "markdown":
        heading = _TITLE.search(cap_text(text, 20_000))
        draft.title = heading[1].rstrip("#").rstrip() if heading else ""
    draft.markdown = text.strip("\n").rstrip()
    if not draft.markdown:
        raise UnreadableDocument("is empty")
    return draft


def read_xml(task: DocumentTask) -> DocumentDraft:
    """Return the source in a code fence."""
    draft = DocumentDraft(task.kind)
    warn_if_pages_requested(task, draft)
    draft.markdown = fence(_decode(task, draft).strip(), "xml")
    return draft


def read_json(task: DocumentTask) -> DocumentDraft:
    """Return the JSON indented in a code fence, its literals unchanged."""
    draft = DocumentDraft(task.kind)
    warn_if_pages_requested(task, draft)
    source = _decode(task, draft).strip()
    if not source:
        raise UnreadableDocument("is empty")
    pretty = _indent_json(source, draft)
    if pretty is None:
        draft.warnings.append("the content is not valid JSON and is shown unchanged")
        pretty = source
    draft.markdown = fence(pretty, "json")
    return draft


def refuse_legacy(task: DocumentTask) -> DocumentDraft:
    """Refuse encrypted Office files and the binary formats of Word and PowerPoint."""
    if "EncryptedPackage".encode("utf-16-le") in task.data:
        raise EncryptedDocument("is an encrypted Office document: it opens only with a password")
    raise UnreadableDocument(
        "is in the binary Office format of before 2007 (.doc, .ppt), which is read only where "
        "LibreOffice is installed; install it, or look for a PDF, .docx or .pptx version"
    )


def fence(text: str, language: str) -> str:
    """Return the text between fences longer than any inside it."""
    longest = max(
        (len(run) for run in re.findall(r"^[^\S\n]*(`{3,})", text, re.MULTILINE)), default=2
    )
    mark = "`" * (longest + 1)
    return f"{mark}{language}\n{text}\n{mark}"


def _decode(task: DocumentTask, draft: DocumentDraft) -> str:
    room = 4 * MAX_MARKDOWN  # a character takes up to four bytes
    data = task.data[:room]
    text = decode_page(data, task.content_type).replace("\r\n", "\n").replace("\r", "\n")
    text = text.replace("\x00", "").removeprefix("\ufeff")
    if len(task.data) > room or len(text) > MAX_MARKDOWN:
        draft.truncate(f"only the first {MAX_MARKDOWN:,} characters were kept")
    return text[:MAX_MARKDOWN]


def _indent_json(source: str, draft: DocumentDraft) -> str | None:
    """Indent the tokens; return None when they are not JSON."""
    out: list[str] = []
    stack: list[str] = []
    size = 0
    opened = False
    for match in _TOKEN.finditer(source):
        symbol = match[0]
        if symbol[0] not in "[]{},:" and not (match[1] or _LITERAL.fullmatch(symbol)):
            return None
        piece = _formatted(symbol, stack, opened=opened)
        if piece is None:
            return None
        opened = symbol in ("{", "[")
        out.append(piece)
        size += len(piece)
        if size > MAX_MARKDOWN:
            draft.truncate(f"only the first {MAX_MARKDOWN:,} characters were kept")
            return "".join(out)
    return "".join(out) if draft.truncated or not stack else None


def _formatted(symbol: str, stack: list[str], *, opened: bool) -> str | None:
    if symbol in ("}", "]"):
        if not stack or stack.pop() != symbol:
            return None
        return symbol if opened else _line(stack) + symbol
    before = _line(stack) if opened else ""
    if symbol in ("{", "["):
        stack.append("}" if symbol == "{" else "]")
        return before + symbol
    if symbol == ",":
        return "," + _line(stack)
    return before + (": " if symbol == ":" else symbol)


def _line(stack: list[str]) -> str:
    return "\n" + _INDENT * min(len(stack), _MAX_INDENT)
