"""Rich text: paragraphs, emphasis and simple tables of the old exchange format."""

import re
from dataclasses import dataclass, field, replace
from itertools import groupby

from webquarry.content.markdown.inline import escape, marked
from webquarry.reading.documents.draft import MAX_MARKDOWN, DocumentTask, Draft, Unreadable
from webquarry.reading.documents.page_selection import ignored
from webquarry.reading.documents.pipe_table import pipe_table

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)"
)
# groups that hold no text of the document
_SKIPPED = frozenset((
    "fonttbl", "colortbl", "stylesheet", "listtable", "listoverridetable", "rsidtbl", "generator",
    "pict", "object", "xmlnstbl", "themedata", "colorschememapping", "datastore", "latentstyles",
    "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf", "ftnsep",
    "aftnsep", "fldinst", "bkmkstart", "bkmkend", "pgptbl", "filetbl", "revtbl", "nonshppict",
    "mmathPr", "wgrffmtfilter", "pnseclvl",
))  # fmt: skip
_SIGNS = {
    "tab": " ", "line": "\n", "emdash": "\u2014", "endash": "\u2013", "lquote": "\u2018",
    "rquote": "\u2019", "ldblquote": "\u201c", "rdblquote": "\u201d", "bullet": "•",
    "emspace": " ", "enspace": " ",
}  # fmt: skip
_INFO = frozenset(("title", "author"))
_MOST_GROUPS = 2_000


@dataclass(slots=True)
class _State:
    """What holds inside the current group."""

    skip: bool = False
    bold: bool = False
    italic: bool = False
    hidden: bool = False
    info: str = ""
    note: int = 0  # the footnote that the text belongs to
    after_unicode: int = 1


@dataclass(slots=True)
class _Reader:
    """Walks over the tokens and gathers paragraphs."""

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
    level: int = 0  # of the heading that the paragraph is
    in_table: bool = False
    notes: list[str] = field(default_factory=list[str])
    starred: bool = False
    hidden: int = 0

    def walk(self, task: DocumentTask, draft: Draft) -> None:
        """Read all tokens."""
        for number, match in enumerate(_TOKEN.finditer(task.data)):
            if match[3] is not None:
                self._byte(bytes.fromhex(match[3].decode()))
                continue
            self._flush()
            self._token(match)
            if self.size > MAX_MARKDOWN or (number % 4096 == 0 and task.out_of_time(0.3)):
                draft.cut("the rest of the document was not read")
                break
        self._flush()
        self.state, self.in_table = _State(), False
        self.row = []
        self._paragraph()
        self._end_table()

    def _token(self, match: re.Match[bytes]) -> None:
        word, number, _, sign, brace, plain = match.groups()
        if brace is not None:
            self._brace(brace)
        elif word is not None:
            self._word(word.decode(), int(number) if number else None)
        elif sign is not None:
            self._sign(sign)
        elif plain is not None:
            self._say(plain.decode(self.charset, "replace"))

    def _byte(self, byte: bytes) -> None:
        if self.ignore:
            self.ignore -= 1
        else:
            self.pending += byte

    def _flush(self) -> None:
        if self.pending:
            held, self.pending = self.pending, b""
            self._say(held.decode(self.charset, "replace"))

    def _brace(self, brace: bytes) -> None:
        if brace == b"{":
            if len(self.stack) > _MOST_GROUPS:
                raise Unreadable("nests its groups deeper than any document does")
            self.stack.append(replace(self.state))
        elif self.stack:
            self.state = self.stack.pop()
        self.ignore = 0

    def _sign(self, sign: bytes) -> None:
        if sign == b"*":
            self.starred = True  # what follows may be skipped by who does not know it
        elif sign in (b"~", b"_"):
            self._say("\u00a0" if sign == b"~" else "-")
        elif sign in (b"\\", b"{", b"}"):
            self._say(sign.decode())
        elif sign in (b"\n", b"\r"):
            self._paragraph()

    def _word(self, word: str, number: int | None) -> None:
        starred, self.starred = self.starred, False
        state = self.state
        if word in _SKIPPED or (starred and word not in ("shptxt", "footnote")):
            state.skip = True
        elif word in _INFO and not state.skip:
            state.info = word
        elif word == "info":
            state.info = "info"
        elif word in ("b", "i", "v"):
            name = {"b": "bold", "i": "italic", "v": "hidden"}[word]
            setattr(state, name, number != 0)
        elif word == "footnote" and not state.note and not state.skip:
            self.notes.append("")
            self.runs.append((f"[^{len(self.notes)}]", False, False))
            state.note = len(self.notes)
        elif word == "plain":
            state.bold = state.italic = state.hidden = False
        elif word == "ansicpg" and number:
            self.charset = _codec(number)
        else:
            self._text_word(word, number)

    def _text_word(self, word: str, number: int | None) -> None:
        if word == "uc":
            self.state.after_unicode = min(number or 0, 8)
        elif word == "u" and number is not None:
            self._say(_sign_of(number))
            self.ignore = self.state.after_unicode
        elif word in _SIGNS:
            self._say(_SIGNS[word])
        else:
            self._layout_word(word, number)

    def _layout_word(self, word: str, number: int | None) -> None:
        if word in ("par", "sect", "page"):
            self._paragraph()
        elif word == "pard":
            self.level, self.in_table = 0, False
        elif word == "intbl":
            self.in_table = True
        elif word == "outlinelevel" and number is not None:
            self.level = number + 1 if 0 <= number < 6 else 0
        elif word in ("cell", "nestcell"):
            self.row.append(self._taken())
        elif word in ("row", "nestrow"):
            self.table += [self.row] if any(self.row) else []
            self.row = []

    def _say(self, words: str) -> None:
        if self.ignore:
            used = min(self.ignore, len(words))
            self.ignore -= used
            words = words[used:]
        state = self.state
        if state.skip or not words:
            return
        if state.info:
            self.info[state.info] = self.info.get(state.info, "") + words
        elif state.hidden:
            self.hidden += 1
        elif state.note:
            self.notes[state.note - 1] += words
        else:
            self.size += len(words)
            self.runs.append((words, state.bold, state.italic))

    def _taken(self) -> str:
        """Return the gathered text of a paragraph or cell."""
        out: list[str] = []
        for (bold, italic), held in groupby(self.runs, key=lambda run: run[1:]):
            piece = escape("".join(words for words, _, _ in held))
            piece = marked(piece, "*") if italic else piece
            out.append(marked(piece, "**") if bold else piece)
        self.runs = []
        # characters beyond 16 bits come as two halves
        whole = "".join(out).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return whole.strip()

    def _paragraph(self) -> None:
        if self.state.note or self.state.skip:
            return
        if self.row or self.in_table:
            self.runs.append(("\n", False, False))
            return
        words = self._taken()
        if words:
            self._end_table()
            words = re.sub(r"^[•·▪\u2013-]\s+", "- ", words)
            if self.level:
                words = f"{'#' * self.level} {words.replace('**', '')}"
            self.chunks.append(words.replace("\n", "  \n"))

    def _end_table(self) -> None:
        if self.table:
            self.chunks.append(pipe_table(self.table))
            self.table = []


def read_rtf(task: DocumentTask) -> Draft:
    """Return the paragraphs and tables."""
    draft = Draft("rtf")
    ignored(task, draft)
    reader = _Reader()
    reader.walk(task, draft)
    draft.title = reader.info.get("title", "").strip()
    author = reader.info.get("author", "").strip()
    draft.authors = [author] if author else []
    notes = (f"[^{place}]: {escape(' '.join(words.split()))}" for place, words in
             enumerate(reader.notes, 1))  # fmt: skip
    draft.write([*reader.chunks, *notes])
    if reader.hidden:
        draft.warnings.append(
            f"hidden text was left out in {reader.hidden} place{'s'[: reader.hidden > 1]}"
        )
    if not draft.markdown:
        raise Unreadable("has no text in it")
    return draft


def _codec(page: int) -> str:
    name = f"cp{page}" if page != 65001 else "utf-8"
    try:
        b"".decode(name)
    except LookupError:
        return "cp1252"
    return name


def _sign_of(number: int) -> str:
    """Return the character; numbers are signed 16 bit, halves of a pair come one by one."""
    code = number + 65_536 if number < 0 else number
    return chr(code) if 0 < code < 0x110000 else ""
