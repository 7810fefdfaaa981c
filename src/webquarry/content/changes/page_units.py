"""Splits Markdown into the units that are compared: sentences, headings, table rows, lines."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from webquarry.content.markdown.parse import (
    MarkdownBlock,
    markdown_blocks,
    visible_text,
)
from webquarry.content.markdown.structure import links_of
from webquarry.content.text.sentences import sentence_spans

MAX_UNITS = 8_000
_MAX_UNIT_CHARS = 4_000
_LEVEL = re.compile(r"\s{0,3}(#{1,6})\s")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")
_FOOTNOTE = re.compile(r"\[(?:\^([^\[\]\s]{1,64})|(\d{1,3}))\]")
# what a footnote starts with: its number, and the places that refer to it
_NUMBER = r"\[?\d{1,3}\]?\s?(?:\([\d, ]{1,80}\))?"
_NOTE_START = re.compile(rf"\[\^[^\[\]\s]{{1,64}}\]:\s*(?:{_NUMBER}\s*$)?|\[\d{{1,3}}\]:?\s")
_NOTE_TERM = re.compile(rf"{_NUMBER}\s:\s")
_DEFINITION = "\n: "
_FOLDED = str.maketrans({
    "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201c": '"', "\u201d": '"', "\u201e": '"',
    "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-",
    "\u00ad": None, "\u200b": None,
})  # fmt: skip


class PageUnit(NamedTuple):
    """A sentence, heading, row or line of code, as visible."""

    text: str
    key: str  # what is compared
    path: tuple[str, ...]  # the headings that it stands under, itself included if it is one
    level: int = 0  # of a heading
    line: int = 0  # units of one paragraph, item or row have the same
    block: int = 0
    is_block: bool = False  # the block has no other line
    in_list: bool = False
    links: tuple[tuple[str, str], ...] = ()  # text and target; the first unit of a block has them


def fold_text(text: str) -> str:
    """Return the text as it is compared: without what only typography makes different."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_FOLDED)
    return _FOOTNOTE.sub(r"\1\2", " ".join(plain.split()))


class UnitReader:
    """Splits pages; blocks that several of them have are split once."""

    def __init__(self) -> None:
        self._known: dict[str, _Parts] = {}

    def units(self, markdown: str) -> list[PageUnit]:
        """Return the first units of a page; there are more if `MAX_UNITS` are returned."""
        return list(islice(self._units(markdown), MAX_UNITS))

    def _units(self, markdown: str) -> Iterator[PageUnit]:
        path: tuple[tuple[int, str], ...] = ()
        line = 0
        for number, block in enumerate(markdown_blocks(markdown)):
            parts = self._known.get(block.text)
            if parts is None:
                parts = self._known[block.text] = _parts(block)
            if parts.level:
                title = parts.texts[0][0][1] if parts.texts and parts.texts[0] else ""
                path = (*(each for each in path if each[0] < parts.level), (parts.level, title))
            headings = tuple(text for _, text in path)
            links = parts.links
            for sentences in parts.texts:
                line += 1
                for text, key in sentences:
                    yield PageUnit(
                        text, key, headings, parts.level, line, number,
                        len(parts.texts) == 1, parts.in_list, links,
                    )  # fmt: skip
                    links = ()


class _Parts(NamedTuple):
    """A block: the sentences of each line as written and as compared."""

    texts: tuple[tuple[tuple[str, str], ...], ...]
    level: int
    in_list: bool
    links: tuple[tuple[str, str], ...]


def _parts(block: MarkdownBlock) -> _Parts:
    match = _LEVEL.match(block.text) if block.is_heading else None
    lines = visible_text(block.text).split("\n")
    pairs = (((text, fold_text(text)) for text in _sentences(line, block)) for line in lines)
    texts = tuple(tuple(pair for pair in line if pair[1]) for line in pairs)
    in_list = bool(_ITEM.match(block.text))
    return _Parts(texts, len(match[1]) if match else 0, in_list, _links(block))


def _links(block: MarkdownBlock) -> tuple[tuple[str, str], ...]:
    if block.is_code or "](" not in block.text:
        return ()
    found = links_of(block.text.encode("utf-8", "replace"))
    return tuple((fold_text(text), url) for text, url in found)


def _sentences(line: str, block: MarkdownBlock) -> Iterator[str]:
    line = _without_note_number(line[: _MAX_UNIT_CHARS * 4].removeprefix(": "), block)
    if block.is_code or block.is_heading or " | " in line:
        yield line[:_MAX_UNIT_CHARS].strip()
        return
    for start, end in _sentence_spans(line):
        yield line[start:end][:_MAX_UNIT_CHARS].strip()


def _sentence_spans(line: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a line: they end where they would if references were numbers."""
    if not _FOOTNOTE.search(line):
        yield from sentence_spans(line)
        return
    brackets: set[int] = set()
    for each in _FOOTNOTE.finditer(line):
        brackets.update(range(each.start(), each.start(each.lastindex or 0)))
        brackets.add(each.end() - 1)
    kept = [place for place in range(len(line)) if place not in brackets]
    start = 0
    for _, end in sentence_spans("".join(line[place] for place in kept)):
        following = kept[end - 1] + 1 if end < len(kept) else len(line)
        yield start, following
        start = following


def _without_note_number(line: str, block: MarkdownBlock) -> str:
    """Return the text of a footnote; the words that refer to it show that its number changed."""
    if block.is_code:
        return line
    start = _NOTE_START.match(line)
    if start is None and _DEFINITION in block.text:
        start = _NOTE_TERM.match(line)
    return line[start.end() :] if start else line
