"""Blocks of a document as Markdown: hyphens at line ends undone, headings levelled."""

import re
from collections import Counter

from webquarry.content.markdown.inline import escape
from webquarry.reading.documents.pdf.pdf_blocks import BULLET, PdfBlock
from webquarry.reading.documents.pipe_table import pipe_table
from webquarry.reading.documents.plain_text import fence

_HYPHENS = ("-", "\u2010", "\u00ad", "\u0002", "\ufffe")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
_LAST = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)*)$")
_FIRST = re.compile(r"^[^\W\d_]+")
_START = re.compile(r"^(?:#{1,6}(?=\s)|[-+>](?=\s)|[-=]{3,}\s*$)")
_OPEN_END = re.compile(r"[\w,;\u2013\u2014-]$")
_WIDE = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff60]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]")
_MOST_LEVELS = 4


class Prose:
    """Writes blocks; knows the words of the document and its headings."""

    def __init__(self, blocks: list[PdfBlock], outline: dict[str, int]) -> None:
        self._blocks = _connected(blocks)
        self._outline = outline
        self._words: Counter[str] = Counter()
        for block in self._blocks:
            for line in block.lines:
                self._words.update(word.lower() for word in _WORD.findall(line))
        self._levels = _levels(self._blocks)
        self.headings: list[tuple[int, str]] = []

    def chunks(self) -> list[str]:
        """Return the Markdown of the blocks."""
        out: list[str] = []
        previous = ""
        for block in self._blocks:
            written = self._write(block)
            if not written:
                continue
            tight = block.kind in ("item", "entry") and previous == block.kind
            if tight:
                out[-1] += f"\n{written}"
            else:
                out.append(written)
            previous = block.kind
        return out

    def _write(self, block: PdfBlock) -> str:
        if block.kind == "table":
            return pipe_table([[_clean(cell) for cell in row] for row in block.rows])
        if block.kind == "code":
            lines = [_CONTROL.sub("", line).rstrip() for line in block.lines]
            return fence("\n".join(lines), "") if any(lines) else ""
        text = self._joined(block.lines)
        return self._words_of(block, text) if text else ""

    def _words_of(self, block: PdfBlock, text: str) -> str:
        if block.kind == "heading":
            level = self._outline.get(key_of(text)) or self._levels.get(_rank(block), 2)
            self.headings.append((level, text))
            return f"{'#' * min(level, 6)} {escape(text)}"
        if block.kind == "entry":
            return f"- {escape(text)}"
        if block.kind == "item":
            bullet = BULLET.match(text)
            return f"- {escape(text[bullet.end() :])}" if bullet else escape(text)
        return _START.sub(r"\\\g<0>", escape(text))

    def _joined(self, lines: list[str]) -> str:
        text = ""
        for line in lines:
            if text.endswith(_HYPHENS) and _FIRST.match(line) and len(text) > 1:
                text = self._healed(text, line)
            elif text and _WIDE.match(text[-1]) and _WIDE.match(line):
                text += line  # no spaces between lines of Chinese or Japanese
            else:
                text += f" {line}" if text else line
        return _clean(text)

    def _healed(self, text: str, line: str) -> str:
        """Join a word cut at the end of a line, unless its hyphen is part of it."""
        stem = text[:-1]
        before, after = _LAST.search(stem), _FIRST.match(line)
        if before is None or after is None:
            return f"{text[:-1]}-{line}" if stem[-1:].isdigit() else f"{text} {line}"
        if not after[0][0].islower():
            return f"{stem}-{line}"
        whole = (before[1] + after[0]).lower()
        parted = f"{before[1]}-{after[0]}".lower()
        if self._words[parted] > self._words[whole]:
            return f"{stem}-{line}"
        return stem + line


def key_of(text: str) -> str:
    """Return a heading so that it can be compared: letters and digits only."""
    return "".join(sign for sign in text.lower() if sign.isalnum())


def _clean(text: str) -> str:
    return " ".join(_CONTROL.sub("", text.replace("\u0002", "-")).split())


def _connected(blocks: list[PdfBlock]) -> list[PdfBlock]:
    """Join a paragraph that goes on in the next column or on the next page."""
    out: list[PdfBlock] = []
    for block in blocks:
        last = out[-1] if out else None
        goes_on = (
            last is not None
            and last.kind in ("text", "item")
            and block.kind == "text"
            and abs(last.size - block.size) < 0.6
            and bool(_OPEN_END.search(last.lines[-1].rstrip("\u0002")))
            and block.lines[0][:1].islower()
        )
        if last is not None and goes_on:
            last.lines += block.lines
        else:
            out.append(block)
    return out


def _rank(block: PdfBlock) -> tuple[float, bool]:
    return (round(block.size * 2) / 2, block.bold)


def _levels(blocks: list[PdfBlock]) -> dict[tuple[float, bool], int]:
    """Give the largest headings level 1, the next 2 and so on."""
    ranks = sorted({_rank(b) for b in blocks if b.kind == "heading"}, reverse=True)
    return {rank: min(place, _MOST_LEVELS) for place, rank in enumerate(ranks, 1)}
