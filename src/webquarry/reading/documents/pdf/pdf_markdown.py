"""Writes PDF blocks as Markdown: joins hyphenated words and assigns heading levels."""

import re
from collections import Counter
from collections.abc import Iterable

from webquarry.content.manuscript.page_breaks import PAGE_BREAK
from webquarry.content.markdown.escaping import escape
from webquarry.reading.documents.pdf.line_kinds import BULLET
from webquarry.reading.documents.pdf.pdf_blocks import PdfBlock
from webquarry.reading.documents.pdf.raised_numbers import NOTE_NUMBER, number_of
from webquarry.reading.documents.pdf.split_tables import join_tables
from webquarry.reading.documents.pdf.text_links import link_phrase, with_links
from webquarry.reading.documents.pipe_table import pipe_table
from webquarry.reading.documents.plain_text import fence

_HYPHENS = ("-", "\u2010", "\u00ad", "\u0002", "\ufffe")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_LAST = re.compile(r"(?<![^\W\d_])(?<![^\W\d_]-)([^\W\d_]++(?:-[^\W\d_]++)*+)$")
_FIRST = re.compile(r"^[^\W\d_]+")
_MARKDOWN_START = re.compile(r"^(?:#{1,6}(?=\s)|[-+>](?=\s)|[-=]{3,}\s*$)")
_UNFINISHED = re.compile(r"[\w,;\u2013\u2014-]$")
_CJK = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]")
_CAPTION = re.compile(
    r"(?:Fig(?:ure|\.)|Abb(?:ildung|\.)|Figura|Рис(?:унок|\.)|[图圖図])\s?[A-Z]?\d{1,3}(?:[.\u2013-]\d{1,3})?"
    r"\s?[:.|\u2013\u2014\s]",
    re.IGNORECASE,
)
_MAX_CAPTION = 1_000
_OPEN = re.compile(r"(?:[a-z],?|[\[(][^\])]{0,60}[,;])$")  # something must follow
_TEXT_START = re.compile(r"[(\[\u201c\"]?\w+[^\w\s]{0,3}\s\S+\s[^\W\d_]")
_SAME_SIZE = 0.6  # points
_MAX_LEVELS = 4


class PdfMarkdown:
    """Writes blocks; knows the words and the headings of the document."""

    def __init__(self, blocks: list[PdfBlock], outline: dict[str, int]) -> None:
        self._blocks = join_tables(_join_split_paragraphs(blocks))
        self._outline = outline
        self._words: Counter[str] = Counter()
        for block in self._blocks:
            for line in block.lines:
                self._words.update(word.lower() for word in _WORD.findall(line))
        self._levels = _levels(self._blocks)
        self.headings: list[tuple[int, str]] = []
        self.heading_pages: list[int] = []
        self.figures: list[tuple[int, str]] = []
        self.pages: list[int] = []  # on which each chunk begins

    def chunks(self) -> list[str]:
        """Return the Markdown of the blocks."""
        out: list[str] = []
        previous = ""
        for block in self._blocks:
            written = self._write(block)
            if not written:
                continue
            if block.kind in ("item", "entry") and previous == block.kind:
                out[-1] += f"\n{written}"
            else:
                out.append(written)
                self.pages.append(block.page)
            previous = block.kind
        return out

    def _write(self, block: PdfBlock) -> str:
        """Return the Markdown of a block, after the marks of the pages that start before it."""
        first = block.rows[0] if block.rows else block.lines
        plain = first[0].lstrip(PAGE_BREAK) if first else ""
        if not first or plain == first[0]:
            return self._write_block(block)
        marks = first[0][: len(first[0]) - len(plain)]
        first[0] = plain
        return marks + self._write_block(block)

    def _write_block(self, block: PdfBlock) -> str:
        if block.kind == "table":
            return pipe_table(self._rows(block))
        if block.kind in ("code", "formula"):
            lines = [_CONTROL.sub("", line).rstrip() for line in block.lines]
            language = "formula" if block.kind == "formula" else ""
            return fence("\n".join(lines), language) if any(lines) else ""
        text = self._join_lines(block.lines)
        if _CAPTION.match(text) and len(text) <= _MAX_CAPTION:
            self.figures.append((block.page, text))
        return self._write_text(block, text) if text else ""

    def _rows(self, block: PdfBlock) -> list[list[str]]:
        rows = [[self._cell(cell) for cell in row] for row in block.rows]
        for phrase, target in block.phrases:
            link_phrase(rows, phrase, target)
        return rows

    def _cell(self, text: str) -> str:
        return self._join_lines(text.split("\n"))

    def _write_text(self, block: PdfBlock, text: str) -> str:
        if block.kind == "heading":
            level = self._outline.get(heading_key(text)) or self._levels.get(_style(block), 2)
            self.headings.append((level, text))
            self.heading_pages.append(block.page)
            return f"{'#' * min(level, 6)} {with_links(text, block.links)}"
        number = NOTE_NUMBER.match(text) if block.kind == "note" else None
        if number:
            return f"[^{number_of(number[1])}]: {escape(text[number.end() :])}"
        if block.kind == "entry":
            return f"- {with_links(text, block.links)}"
        if block.kind == "item":
            bullet = BULLET.match(text)
            rest = with_links(text[bullet.end() :] if bullet else text, block.links)
            return f"- {rest}" if bullet else rest
        return _MARKDOWN_START.sub(r"\\\g<0>", with_links(text, block.links))

    def _join_lines(self, lines: list[str]) -> str:
        text = ""
        for line in lines:
            # a page may start within a word
            rest = line.lstrip(PAGE_BREAK)
            marks = line[: len(line) - len(rest)]
            text = self._join(text, rest, marks) if text else line
        return _clean(text)

    def _join(self, text: str, line: str, marks: str) -> str:
        if text.endswith(_HYPHENS) and _FIRST.match(line) and len(text) > 1:
            return self._join_hyphenated(text, line, marks)
        if _CJK.match(text[-1]) and _CJK.match(line):
            return f"{text}{marks}{line}"  # no spaces between lines of Chinese or Japanese
        return f"{text} {marks}{line}"

    def _join_hyphenated(self, text: str, line: str, marks: str) -> str:
        """Join a word hyphenated at the end of a line, unless the hyphen is part of the word."""
        stem = text[:-1]
        before, after = _LAST.search(stem), _FIRST.match(line)
        if before is None or after is None:
            is_number = stem[-1:].isdigit()
            return f"{stem}-{marks}{line}" if is_number else f"{text} {marks}{line}"
        if not after[0][0].islower():
            return f"{stem}-{marks}{line}"
        joined = (before[1] + after[0]).lower()
        hyphenated = f"{before[1]}-{after[0]}".lower()
        if self._words[hyphenated] > self._words[joined]:
            return f"{stem}-{marks}{line}"
        return f"{stem}{marks}{line}"


def mark_pages(blocks: Iterable[PdfBlock]) -> None:
    """Mark how many pages start before each block."""
    last = 0
    for block in blocks:
        first = block.rows[0] if block.rows else block.lines
        if first and block.page > last:
            first[0] = PAGE_BREAK * (block.page - last) + first[0]
            last = block.page


def heading_key(text: str) -> str:
    """Return the letters and digits of a heading, for comparison."""
    return "".join(char for char in text.lower() if char.isalnum())


def _clean(text: str) -> str:
    return " ".join(_CONTROL.sub("", text.replace("\u0002", "-")).split())


def _join_split_paragraphs(blocks: list[PdfBlock]) -> list[PdfBlock]:
    """Join a paragraph that continues in the next column or on the next page."""
    out: list[PdfBlock] = []
    last: PdfBlock | None = None  # before footnotes
    for block in blocks:
        if last is not None and _continues(last, block):
            last.lines += block.lines
            last.links += [link.moved(last.letters) for link in block.links]
            last.letters += block.letters
            last.is_full = block.is_full
            continue
        out.append(block)
        last = last if block.kind == "note" else block
    return out


def _continues(last: PdfBlock, block: PdfBlock) -> bool:
    is_text = last.kind in ("text", "item") and block.kind == "text"
    if not is_text or abs(last.size - block.size) >= _SAME_SIZE:
        return False
    end, start = last.lines[-1].rstrip("\u0002"), block.lines[0].lstrip(PAGE_BREAK)
    if block.is_rest or (_UNFINISHED.search(end) and start[:1].islower()):
        return True
    is_open = block.is_first and last.is_full and bool(_OPEN.search(end))
    return is_open and bool(_TEXT_START.match(start))


def _style(block: PdfBlock) -> tuple[float, bool]:
    return (round(block.size * 2) / 2, block.bold)


def _levels(blocks: list[PdfBlock]) -> dict[tuple[float, bool], int]:
    """Return heading levels by style: 1 for the largest, then 2 and so on."""
    styles = sorted({_style(b) for b in blocks if b.kind == "heading"}, reverse=True)
    return {style: min(level, _MAX_LEVELS) for level, style in enumerate(styles, 1)}
