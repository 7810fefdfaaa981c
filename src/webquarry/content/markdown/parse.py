"""Markdown as a reader sees it: its blocks, and their words without the marks."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s")
_RULE = re.compile(r"^\s*([-*_=])(?:\s*\1){2,}\s*$")
_TABLE_RULE = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_QUOTED = re.compile(r"^(?:\s{0,3}>\s?)+")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_HASHES = re.compile(r"^\s{0,3}#{1,6}\s+|\s+#+\s*$")
_CODE = re.compile(r"(`+)(.+?)(?<!`)\1(?!`)")
_IMAGE = re.compile(r"!\[(?:\\.|[^\]\\])*\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)")
_LINK = re.compile(r"\[((?:\\.|[^\]\\])*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]+)>")
_TAG = re.compile(r"</?(?:sub|sup|br|u|kbd|mark|small|b|i|em|strong|span|del|ins)\s*/?>", re.I)
# an asterisk between spaces is one; so is an underscore within a word
_EMPHASIS = re.compile(r"(?<!\\)(?:\*+(?=\S)|(?<=\S)\*+|(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)|~~)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


class MarkdownBlock(NamedTuple):
    """A paragraph, list, table, heading or piece of code, as it is written."""

    text: str
    is_heading: bool = False
    is_code: bool = False


def blocks_of(markdown: str) -> list[MarkdownBlock]:
    """Return what blank lines separate; those inside code separate nothing."""
    blocks: list[MarkdownBlock] = []
    lines: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            fence = mark[1]
        if line.strip() or fence:
            lines.append(line)
        elif lines:
            blocks.append(_block(lines))
            lines = []
    if lines:
        blocks.append(_block(lines))
    return blocks


def visible_text(markdown: str) -> str:
    """Return the words without marks, one line for each paragraph, item, row and line of code."""
    lines = (line for block in blocks_of(markdown) for line in _lines(block))
    return "\n".join(line for line in lines if line)


def without_marks(line: str) -> str:
    """Return one line without emphasis, links, pictures and escapes."""
    if "`" not in line:
        return _unmarked(line)
    parts: list[str] = []
    end = 0
    for code in _CODE.finditer(line):
        parts += [_unmarked(line[end : code.start()]), code[2]]
        end = code.end()
    return "".join([*parts, _unmarked(line[end:])])


def _block(lines: list[str]) -> MarkdownBlock:
    text = "\n".join(lines)
    heading = len(lines) == 1 and bool(_HEADING.match(text))
    return MarkdownBlock(text, is_heading=heading, is_code=bool(_FENCE.match(text)))


def _lines(block: MarkdownBlock) -> Iterator[str]:
    rows = block.text.split("\n")
    if block.is_code:
        yield from (" ".join(row.split()) for row in rows if not _FENCE.match(row))
        return
    paragraph: list[str] = []
    for row in rows:
        bare = _QUOTED.sub("", row)
        if _TABLE_RULE.match(bare) or _RULE.match(bare):
            continue
        starts = _ITEM.match(bare) or _ROW.match(bare) or _HEADING.match(bare)
        if starts and paragraph:
            yield " ".join(paragraph)
            paragraph = []
        paragraph.append(_line(bare))
    yield " ".join(part for part in paragraph if part)


def _line(row: str) -> str:
    if _ROW.match(row):
        cells = re.split(r"(?<!\\)\|", row.strip().strip("|"))
        return " | ".join(text for cell in cells if (text := " ".join(without_marks(cell).split())))
    bare = _ITEM.sub("", row) if _ITEM.match(row) else _HASHES.sub("", row)
    return " ".join(without_marks(bare).rstrip("\\").split())


def _unmarked(text: str) -> str:
    if "[" in text:
        text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    if "<" in text:
        text = _TAG.sub("", _AUTOLINK.sub(r"\1", text))
    if "*" in text or "_" in text or "~" in text:
        text = _EMPHASIS.sub("", text)
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text
