"""RTF: paragraphs, emphasis, footnotes and simple tables."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import groupby

from webquarry.content.markdown.escaping import escape
from webquarry.content.markdown.inline import emphasized
from webquarry.reading.documents.draft import (
    MAX_MARKDOWN,
    DocumentDraft,
    DocumentTask,
    UnreadableDocument,
)
from webquarry.reading.documents.page_selection import warn_if_pages_requested
from webquarry.reading.documents.pipe_table import pipe_table
from webquarry.reading.documents.rtf_visibility import CONTROLS, RtfVisibility, white_colors

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)"
)
# groups without text of the document
_SKIPPED = frozenset((
    "fonttbl", "colortbl", "stylesheet", "listtable", "listoverridetable", "rsidtbl", "generator",
    "pict", "object", "xmlnstbl", "themedata", "colorschememapping", "datastore", "latentstyles",
    "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf", "ftnsep",
    "aftnsep", "fldinst", "bkmkstart", "bkmkend", "pgptbl", "filetbl", "revtbl", "nonshppict",
    "mmathPr", "wgrffmtfilter", "pnseclvl",
))  # fmt: skip
_CHARACTERS = {
    "tab": " ", "line": "\n", "emdash": "\u2014", "endash": "\u2013", "lquote": "\u2018",
    "rquote": "\u2019", "ldblquote": "\u201c", "rdblquote": "\u201d", "bullet": "•",
    "emspace": " ", "enspace": " ",
}  # fmt: skip
_INFO = frozenset(("title", "author"))
_MAX_GROUPS = 2_000


@dataclass(slots=True)
class _State:
    """Formatting of the current group."""

    skip: bool = False
    bold: bool = False
    italic: bool = False
    visibility: RtfVisibility = field(default_factory=RtfVisibility)
    info: str = ""
    note: int = 0  # the footnote that the text belongs to
    after_unicode: int = 1


@dataclass(slots=True)
class _Reader:
    """Collects paragraphs from the tokens."""

    charset: str = "cp1252"
    state: _State = field(default_factory=_State)
    stack: list[_State] = field(default_factory=list[_State])
    runs: list[tuple[str, bool, bool]] = field(default_factory=list[tuple[str, bool, bool]])
    chunks: list[str] = field(default_factory=list[str])
    row: list[str] = field(default_factory=list[str])
    table: list[list[str]] = field(default_factory=list[list[str]])
    info: dict[str, str] = field(default_factory=dict[str, str])
    pending: bytes = b""
    ignore: int = 0
    size: int = 0
    level: int = 0  # heading level of the paragraph
    in_table: bool = False
    notes: list[str] = field(default_factory=list[str])
    starred: bool = False
    hidden: Counter[str] = field(default_factory=Counter[str])
    white: frozenset[int] = frozenset()  # entries of the color table
    colored_row: bool = False

    def walk(self, task: DocumentTask, draft: DocumentDraft) -> None:
        """Read all tokens."""
        for number, match in enumerate(_TOKEN.finditer(task.data)):
            if match[3] is not None:
                self._byte(bytes.fromhex(match[3].decode()))
                continue
            self._flush()
            self._token(match)
            if self.size > MAX_MARKDOWN or (number % 4096 == 0 and task.out_of_time(0.3)):
                draft.truncate("the rest of the document was not read")
                break
        self._flush()
        self.state, self.in_table = _State(), False
        self.row = []
        self._paragraph()
        self._end_table()

    def _token(self, match: re.Match[bytes]) -> None:
        word, number, _, sign, brace, plain = match.groups()
        if brace is not None:
            self._group(brace)
        elif word is not None:
            self._control_word(word.decode(), int(number) if number else None)
        elif sign is not None:
            self._control_symbol(sign)
        elif plain is not None:
            self._add_text(plain.decode(self.charset, "replace"))

    def _byte(self, byte: bytes) -> None:
        if self.ignore:
            self.ignore -= 1
        else:
            self.pending += byte

    def _flush(self) -> None:
        if self.pending:
            pending, self.pending = self.pending, b""
            self._add_text(pending.decode(self.charset, "replace"))

    def _group(self, brace: bytes) -> None:
        if brace == b"{":
            if len(self.stack) > _MAX_GROUPS:
                raise UnreadableDocument("nests its groups deeper than any document does")
            self.stack.append(replace(self.state, visibility=replace(self.state.visibility)))
        elif self.stack:
            self.state = self.stack.pop()
        self.ignore = 0

    def _control_symbol(self, sign: bytes) -> None:
        if sign == b"*":
            self.starred = True  # readers may skip the next control word if they do not know it
        elif sign in (b"~", b"_"):
            self._add_text("\u00a0" if sign == b"~" else "-")
        elif sign in (b"\\", b"{", b"}"):
            self._add_text(sign.decode())
        elif sign in (b"\n", b"\r"):
            self._paragraph()

    def _control_word(self, word: str, number: int | None) -> None:
        starred, self.starred = self.starred, False
        state = self.state
        if word in _SKIPPED or (starred and word not in ("shptxt", "footnote")):
            state.skip = True
        elif word in _INFO and not state.skip:
            state.info = word
        elif word == "info":
            state.info = "info"
        elif word in ("b", "i"):
            setattr(state, "bold" if word == "b" else "italic", number != 0)
        elif word == "footnote" and not state.note and not state.skip:
            self.notes.append("")
            self.runs.append((f"[^{len(self.notes)}]", False, False))
            state.note = len(self.notes)
        elif word == "plain":
            state.bold = state.italic = False
            state.visibility.reset_font()
        elif word == "ansicpg" and number:
            self.charset = _codec(number)
        else:
            self._text_control(word, number)

    def _text_control(self, word: str, number: int | None) -> None:
        if word == "uc":
            self.state.after_unicode = min(number or 0, 8)
        elif word == "u" and number is not None:
            self._add_text(_character(number))
            self.ignore = self.state.after_unicode
        elif word in _CHARACTERS:
            self._add_text(_CHARACTERS[word])
        elif word in CONTROLS:
            self.state.visibility.apply(word, number)
        else:
            self._layout_control(word, number)

    def _layout_control(self, word: str, number: int | None) -> None:
        if word in ("par", "sect", "page"):
            self._paragraph()
        elif word == "pard":
            self.level, self.in_table = 0, False
            self.state.visibility.paragraph_background = 0
        elif word == "intbl":
            self.in_table = True
        elif word == "outlinelevel" and number is not None:
            self.level = number + 1 if 0 <= number < 6 else 0
        elif word in ("cell", "nestcell"):
            self.row.append(self._take_text())
        elif word in ("row", "nestrow"):
            self.table += [self.row] if any(self.row) else []
            self.row = []
        else:
            self._background_control(word, number)

    def _background_control(self, word: str, number: int | None) -> None:
        if word == "trowd":
            self.colored_row = False
        elif word == "clcbpat":
            self.colored_row |= bool(number) and number not in self.white
        elif word == "shptxt":
            self.state.visibility.in_shape = True

    def _hidden_reason(self) -> str:
        is_colored = self.colored_row and self.in_table
        return self.state.visibility.hidden_reason(frozenset() if is_colored else self.white)

    def _add_text(self, text: str) -> None:
        if self.ignore:
            skipped = min(self.ignore, len(text))
            self.ignore -= skipped
            text = text[skipped:]
        state = self.state
        if state.skip or not text:
            return
        if state.info:
            self.info[state.info] = self.info.get(state.info, "") + text
        elif reason := self._hidden_reason():
            self.hidden[reason] += 1
        elif state.note:
            self.notes[state.note - 1] += text
        else:
            self.size += len(text)
            self.runs.append((text, state.bold, state.italic))

    def _take_text(self) -> str:
        """Return the collected text of a paragraph or cell."""
        parts: list[str] = []
        for (bold, italic), runs in groupby(self.runs, key=lambda run: run[1:]):
            piece = escape("".join(text for text, _, _ in runs))
            piece = emphasized(piece, "*") if italic else piece
            parts.append(emphasized(piece, "**") if bold else piece)
        self.runs = []
        # characters beyond 16 bits are written as two surrogates
        text = "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text.strip()

    def _paragraph(self) -> None:
        if self.state.note or self.state.skip:
            return
        if self.row or self.in_table:
            self.runs.append(("\n", False, False))
            return
        text = self._take_text()
        if text:
            self._end_table()
            text = re.sub(r"^[•·▪\u2013-]\s+", "- ", text)
            if self.level:
                text = f"{'#' * self.level} {text.replace('**', '')}"
            self.chunks.append(text.replace("\n", "  \n"))

    def _end_table(self) -> None:
        if self.table:
            self.chunks.append(pipe_table(self.table))
            self.table = []


def read_rtf(task: DocumentTask) -> DocumentDraft:
    """Return the paragraphs and tables."""
    draft = DocumentDraft("rtf")
    warn_if_pages_requested(task, draft)
    reader = _Reader(white=white_colors(task.data))
    reader.walk(task, draft)
    draft.title = reader.info.get("title", "").strip()
    author = reader.info.get("author", "").strip()
    draft.authors = [author] if author else []
    notes = (
        f"[^{number}]: {escape(' '.join(note.split()))}"
        for number, note in enumerate(reader.notes, 1)
    )
    draft.set_markdown([*reader.chunks, *notes])
    draft.warn_of_hidden(reader.hidden)
    if not draft.markdown:
        raise UnreadableDocument("has no text in it")
    return draft


def _codec(page: int) -> str:
    name = f"cp{page}" if page != 65001 else "utf-8"
    try:
        b"".decode(name)
    except LookupError:
        return "cp1252"
    return name


def _character(number: int) -> str:
    """Return the character of a signed 16-bit code; surrogates come one by one."""
    code = number + 65_536 if number < 0 else number
    return chr(code) if 0 < code < 0x110000 else ""
