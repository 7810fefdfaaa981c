"""Writes PDF blocks as Markdown: joins hyphenated words and assigns heading levels."""

import re
from collections import Counter

from webquarry.content.markdown.inline import escape
from webquarry.reading.documents.pdf.pdf_blocks import BULLET, PdfBlock
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
_MAX_LEVELS = 4


class PdfMarkdown:
    """Writes blocks; knows the words and the headings of the document."""

    def __init__(self, blocks: list[PdfBlock], outline: dict[str, int]) -> None:
        self._blocks = _join_split_paragraphs(blocks)
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
        if block.kind == "table":
            return pipe_table([[self._cell(cell) for cell in row] for row in block.rows])
        if block.kind == "code":
            lines = [_CONTROL.sub("", line).rstrip() for line in block.lines]
            return fence("\n".join(lines), "") if any(lines) else ""
        text = self._join_lines(block.lines)
        if _CAPTION.match(text) and len(text) <= _MAX_CAPTION:
            self.figures.append((block.page, text))
        return self._write_text(block, text) if text else ""

    def _cell(self, text: str) -> str:
        return self._join_lines(text.split("\n"))

    def _write_text(self, block: PdfBlock, text: str) -> str:
        if block.kind == "heading":
            level = self._outline.get(heading_key(text)) or self._levels.get(_style(block), 2)
            self.headings.append((level, text))
            self.heading_pages.append(block.page)
            return f"{'#' * min(level, 6)} {escape(text)}"
        if block.kind == "entry":
            return f"- {escape(text)}"
        if block.kind == "item":
            bullet = BULLET.match(text)
            return f"- {escape(text[bullet.end() :])}" if bullet else escape(text)
        return _MARKDOWN_START.sub(r"\\\g<0>", escape(text))

    def _join_lines(self, lines: list[str]) -> str:
        text = ""
        for line in lines:
            if text.endswith(_HYPHENS) and _FIRST.match(line) and len(text) > 1:
                text = self._join_hyphenated(text, line)
            elif text and _CJK.match(text[-1]) and _CJK.match(line):
                text += line  # no spaces between lines of Chinese or Japanese
            else:
                text += f" {line}" if text else line
        return _clean(text)

    def _join_hyphenated(self, text: str, line: str) -> str:
        """Join a word hyphenated at the end of a line, unless the hyphen is part of the word."""
        stem = text[:-1]
        before, after = _LAST.search(stem), _FIRST.match(line)
        if before is None or after is None:
            return f"{text[:-1]}-{line}" if stem[-1:].isdigit() else f"{text} {line}"
        if not after[0][0].islower():
            return f"{stem}-{line}"
        joined = (before[1] + after[0]).lower()
        hyphenated = f"{before[1]}-{after[0]}".lower()
        if self._words[hyphenated] > self._words[joined]:
            return f"{stem}-{line}"
        return stem + line


def heading_key(text: str) -> str:
    """Return the letters and digits of a heading, for comparison."""
    return "".join(char for char in text.lower() if char.isalnum())


def _clean(text: str) -> str:
    return " ".join(_CONTROL.sub("", text.replace("\u0002", "-")).split())


def _join_split_paragraphs(blocks: list[PdfBlock]) -> list[PdfBlock]:
    """Join a paragraph that continues in the next column or on the next page."""
    out: list[PdfBlock] = []
    for block in blocks:
        last = out[-1] if out else None
        continues = (
            last is not None
            and last.kind in ("text", "item")
            and block.kind == "text"
            and abs(last.size - block.size) < 0.6
            and bool(_UNFINISHED.search(last.lines[-1].rstrip("\u0002")))
            and block.lines[0][:1].islower()
        )
        if last is not None and continues:
            last.lines += block.lines
        else:
            out.append(block)
    return out


def _style(block: PdfBlock) -> tuple[float, bool]:
    return (round(block.size * 2) / 2, block.bold)


def _levels(blocks: list[PdfBlock]) -> dict[tuple[float, bool], int]:
    """Return heading levels by style: 1 for the largest, then 2 and so on."""
    styles = sorted({_style(b) for b in blocks if b.kind == "heading"}, reverse=True)
    return {style: min(level, _MAX_LEVELS) for level, style in enumerate(styles, 1)}
