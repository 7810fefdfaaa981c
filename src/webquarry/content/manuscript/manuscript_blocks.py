"""The blocks of a manuscript, with their places in its text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from webquarry.content.manuscript.manuscript_model import Span
from webquarry.content.markdown.parse import open_fence

ManuscriptBlockKind = Literal["heading", "text", "item", "note", "table", "code"]

_HEADING = re.compile(r"[ ]{0,3}(#{1,6})[^\S\n]+")
_UNDERLINE = re.compile(r"[ ]{0,3}(={3,}|-{3,})[^\S\n]*")
_NOTE = re.compile(r"[ ]{0,3}\[\^([^\]\s]{1,60})\]:[^\S\n]*")
_NUMBER = r"(?:\\?\[(\d{1,4}|[A-Za-z][\w+-]{0,30})\\?\]:?(?!\()|\(?(\d{1,4})\\?[.)])[^\S\n]+"
_ITEM = re.compile(rf"[^\S\n]*(?:[-*+\u2022][^\S\n]+)?{_NUMBER}|[^\S\n]*[-*+\u2022][^\S\n]+")
_TABLE = re.compile(r"[^\S\n]*\|.*\|[^\S\n]*")
_RULE = re.compile(r"[^\S\n]*([-*_=])(?:[^\S\n]*\1){2,}[^\S\n]*")
_QUOTE = re.compile(r"(?:[ ]{0,3}>[^\S\n]?)+")


@dataclass(frozen=True, slots=True)
class ManuscriptBlock:
    """A heading, paragraph, list item, note, table or code block."""

    kind: ManuscriptBlockKind
    span: Span  # of the content, without what marks the block: `# `, `- `, `[^1]: `
    level: int = 0  # of a heading
    label: str = ""  # of a note or a numbered item
    start: int = 0  # where the block starts, with what marks it


class _Line(NamedTuple):
    start: int
    end: int
    text: str


class _Start(NamedTuple):
    """How a block starts on a line."""

    kind: ManuscriptBlockKind
    content: int  # where the content starts on the line
    level: int = 0
    label: str = ""


def manuscript_blocks(text: str) -> list[ManuscriptBlock]:
    """Return the blocks of Markdown or plain text in order."""
    return _Splitter(text).blocks()


class _Splitter:
    """Collects the lines of each block."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._blocks: list[ManuscriptBlock] = []
        self._open: tuple[_Start, int, int] | None = None  # its start, first offset and end

    def blocks(self) -> list[ManuscriptBlock]:
        """Return all blocks."""
        fence = ""
        for line in _lines(self._text):
            was_fenced, fence = bool(fence), open_fence(line.text, fence)
            if fence or was_fenced:
                self._add_code(line, first=not was_fenced)
            else:
                self._add(line)
        self._close()
        return self._blocks

    def _add_code(self, line: _Line, *, first: bool) -> None:
        if first:
            self._begin(line, _Start("code", 0))
        else:
            self._extend(line)

    def _add(self, line: _Line) -> None:
        start = _block_start(line.text)
        underline = _UNDERLINE.fullmatch(line.text)
        if not line.text.strip():
            self._close()
        elif underline and self._underlines(line):
            self._close_heading(1 if underline[1][0] == "=" else 2)
        elif _RULE.fullmatch(line.text):
            self._close()
        elif start is None:
            self._extend(line)
        else:
            self._begin(line, start)
            if start.kind == "heading":
                self._close()

    def _underlines(self, line: _Line) -> bool:
        """Tell whether the open block is one line of text just above this one."""
        if self._open is None:
            return False
        start, first, end = self._open
        return start.kind == "text" and "\n" not in self._text[first:end] and end + 1 == line.start

    def _begin(self, line: _Line, start: _Start) -> None:
        is_row = self._open is not None and self._open[0].kind == start.kind == "table"
        if is_row:
            self._extend(line)
            return
        self._close()
        self._open = (start, line.start, line.end)

    def _extend(self, line: _Line) -> None:
        if self._open is None or self._open[0].kind == "table":
            self._close()
            quote = _QUOTE.match(line.text)
            self._open = (_Start("text", quote.end() if quote else 0), line.start, line.end)
        else:
            start, first, _ = self._open
            self._open = (start, first, line.end)

    def _close(self) -> None:
        if self._open is None:
            return
        start, first, end = self._open
        self._open = None
        self._append(start, first, first + start.content, end)

    def _close_heading(self, level: int) -> None:
        if self._open is not None:
            _, first, end = self._open
            self._open = None
            self._append(_Start("heading", 0, level), first, first, end)

    def _append(self, start: _Start, first: int, content: int, end: int) -> None:
        inner = self._text[content:end]
        if start.kind == "heading":
            inner = inner.rstrip().rstrip("#")
        content += len(inner) - len(inner.lstrip())
        end = content + len(inner.strip())
        if content < end or start.kind == "item":
            span = Span(content, max(content, end))
            self._blocks.append(ManuscriptBlock(start.kind, span, start.level, start.label, first))


def _lines(text: str) -> Iterator[_Line]:
    offset = 0
    for line in text.split("\n"):
        yield _Line(offset, offset + len(line), line)
        offset += len(line) + 1


def _block_start(line: str) -> _Start | None:
    """Return how a block starts on this line; None where the line continues one."""
    if heading := _HEADING.match(line):
        return _Start("heading", heading.end(), len(heading[1]))
    if note := _NOTE.match(line):
        return _Start("note", note.end(), label=note[1])
    if _TABLE.fullmatch(line):
        return _Start("table", 0)
    if item := _ITEM.match(line):
        return _Start("item", item.end(), label=item[1] or item[2] or "")
    return None
