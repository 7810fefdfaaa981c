"""Plain text, Markdown, JSON, XML and what cannot be read at all."""

import re

from webquarry.content.html.charset import decode_page
from webquarry.reading.documents.draft import (
    MAX_MARKDOWN,
    DocumentTask,
    Draft,
    Encrypted,
    Unreadable,
)
from webquarry.reading.documents.page_selection import ignored

_TITLE = re.compile(r"^#\s+(.+?)\s*#*$", re.MULTILINE)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)
_LITERAL = re.compile(r"true|false|null|-?\d[\d.eE+-]*|-?Infinity|NaN")
_INDENT = "  "
_MOST_INDENT = 40  # deeper levels are no longer moved to the right


def read_text(task: DocumentTask) -> Draft:
    """Return the text as it is, in whatever encoding it came."""
    draft = Draft(task.kind)
    ignored(task, draft)
    text = _decoded(task, draft)
    if task.kind == "markdown":
        heading = _TITLE.search(text[:20_000])
        draft.title = heading[1] if heading else ""
    draft.markdown = text.strip("\n").rstrip()
    if not draft.markdown:
        raise Unreadable("is empty")
    return draft


def read_xml(task: DocumentTask) -> Draft:
    """Return the source in a code fence."""
    draft = Draft(task.kind)
    ignored(task, draft)
    draft.markdown = fence(_decoded(task, draft).strip(), "xml")
    return draft


def read_json(task: DocumentTask) -> Draft:
    """Return the JSON indented in a code fence, every literal as it was written."""
    draft = Draft(task.kind)
    ignored(task, draft)
    source = _decoded(task, draft).strip()
    if not source:
        raise Unreadable("is empty")
    pretty = _indented(source, draft)
    if pretty is None:
        draft.warnings.append("the content is not valid JSON and is shown as it came")
        pretty = source
    draft.markdown = fence(pretty, "json")
    return draft


def refuse_legacy(task: DocumentTask) -> Draft:
    """Tell an encrypted new file from an old binary one; neither can be read."""
    if "EncryptedPackage".encode("utf-16-le") in task.data:
        raise Encrypted("is an encrypted Office document: it opens only with a password")
    raise Unreadable(
        "is in the binary Office format of before 2007 (.doc, .xls, .ppt), which is not read; "
        "look for a PDF, .docx, .xlsx or .pptx of it"
    )


def refuse_archive(task: DocumentTask) -> Draft:
    """Say that an archive is no document."""
    del task
    raise Unreadable("is a zip archive, not a document")


def fence(text: str, language: str) -> str:
    """Return the text between fences longer than any inside it."""
    longest = max((len(run) for run in re.findall(r"^\s*(`{3,})", text, re.MULTILINE)), default=2)
    mark = "`" * (longest + 1)
    return f"{mark}{language}\n{text}\n{mark}"


def _decoded(task: DocumentTask, draft: Draft) -> str:
    room = 4 * MAX_MARKDOWN  # a character takes up to four bytes
    data = task.data[:room]
    text = decode_page(data, task.content_type).text.replace("\r\n", "\n").replace("\r", "\n")
    text = text.replace("\x00", "").removeprefix("\ufeff")
    if len(task.data) > room or len(text) > MAX_MARKDOWN:
        draft.cut(f"only the first {MAX_MARKDOWN:,} characters were kept")
    return text[:MAX_MARKDOWN]


def _indented(source: str, draft: Draft) -> str | None:
    """Lay the signs out anew; None when they are not those of JSON."""
    out: list[str] = []
    stack: list[str] = []
    size = 0
    opened = False
    for match in _TOKEN.finditer(source):
        sign = match[0]
        if sign[0] not in '"[]{},:' and not _LITERAL.fullmatch(sign):
            return None
        piece = _laid_out(sign, stack, opened=opened)
        if piece is None:
            return None
        opened = sign in ("{", "[")
        out.append(piece)
        size += len(piece)
        if size > MAX_MARKDOWN:
            draft.cut(f"only the first {MAX_MARKDOWN:,} characters were kept")
            return "".join(out)
    return "".join(out) if draft.truncated or not stack else None


def _laid_out(sign: str, stack: list[str], *, opened: bool) -> str | None:
    if sign in ("}", "]"):
        if not stack or stack.pop() != sign:
            return None
        return sign if opened else _line(stack) + sign
    before = _line(stack) if opened else ""
    if sign in ("{", "["):
        stack.append("}" if sign == "{" else "]")
        return before + sign
    if sign == ",":
        return "," + _line(stack)
    return before + (": " if sign == ":" else sign)


def _line(stack: list[str]) -> str:
    return "\n" + _INDENT * min(len(stack), _MOST_INDENT)
