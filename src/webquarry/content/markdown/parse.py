"""Parses Markdown: its blocks, and their text without the markup."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s")
_THEMATIC_BREAK = re.compile(r"^\s*([-*_=])(?:\s*\1){2,}\s*$")
_TABLE_DELIMITER = re.compile(
    r"^\s*+(?:\|\s*+)?:?-{2,}+:?\s*+(?:\|\s*+:?-{2,}+:?\s*+)*+(?:\|\s*+)?$"
)
_TABLE_ROW = re.compile(r"^\s*\|.*\|\s*$")
_QUOTE_PREFIX = re.compile(r"^(?:\s{0,3}>\s?)+")
_LIST_MARKER = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_HEADING_MARKERS = re.compile(r"^\s{0,3}#{1,6}\s+|(?<!\s)\s+#++\s*$")
_BACKTICKS = re.compile(r"`+")
_TARGET = r"\((?:[^()\s]++|\([^()]*+\))*+(?:\s+\"[^\"]*+\")?\)"
_IMAGE = re.compile(rf"!\[(?:\\.|[^\[\]\\])*+\]{_TARGET}")
_LINK = re.compile(rf"(?<!\\)\[((?:\\.|[^\[\]\\]|\[[^\[\]]*+\])*+)\]{_TARGET}")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]+)>")
_INLINE_TAG = re.compile(
    r"(?<!\\)</?(?:sub|sup|br|u|kbd|mark|small|b|i|em|strong|span|del|ins)\s*/?>", re.I
)
# an asterisk between spaces and an underscore within a word are no markup
_EMPHASIS = re.compile(r"(?<!\\)(?:\*+(?=\S)|(?<=\S)\*+|(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)|~~)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_CODE_SIGN = re.compile(r"\x00(\d{1,9})\x00")
_LINE_STARTS = (_LIST_MARKER, _TABLE_ROW, _HEADING)


class MarkdownBlock(NamedTuple):
    """A paragraph, list, table, heading or code block, as written."""

    text: str
    is_heading: bool = False
    is_code: bool = False


def markdown_blocks(markdown: str) -> list[MarkdownBlock]:
    """Return the parts between blank lines; blank lines inside code do not separate."""
    blocks: list[MarkdownBlock] = []
    lines: list[str] = []
    fence = ""
    for line in markdown.split("\n"):
        fence = open_fence(line, fence)
        if line.strip() or fence:
            lines.append(line)
        elif lines:
            blocks.append(_block(lines))
            lines = []
    if lines:
        blocks.append(_block(lines))
    return blocks


def open_fence(line: str, fence: str) -> str:
    """Return the fence that is open after this line, "" outside of code."""
    match = _FENCE.match(line)
    if not match:
        return fence
    if not fence:
        return match[1]
    return "" if match[1].startswith(fence) else fence


def visible_text(markdown: str) -> str:
    """Return the text without markup, one line for each paragraph, item, row and line of code."""
    lines = chain.from_iterable(map(_visible_lines, markdown_blocks(markdown)))
    return "\n".join(line for line in lines if line)


def without_inline_markup(line: str) -> str:
    """Return one line without emphasis, links, images and escapes."""
    if "`" not in line:
        return _without_markup(line)
    line = line.replace("\x00", "")
    parts: list[str] = []
    codes: list[str] = []  # links may be around code: they are removed while signs stand for it
    end = 0
    for opening, closing in code_spans(line):
        parts += [line[end : opening.start()], f"\x00{len(codes)}\x00"]
        codes.append(line[opening.end() : closing.start()])
        end = closing.end()
    text = _without_markup("".join([*parts, line[end:]]))
    return _CODE_SIGN.sub(lambda sign: codes[int(sign[1])], text) if codes else text


def code_spans(line: str) -> "Iterator[tuple[re.Match[str], re.Match[str]]]":
    """Return the backticks around each code span: the next run of the same length closes it."""
    closing: dict[int, int] = {}
    pairs: dict[int, tuple[int, re.Match[str], re.Match[str]]] = {}
    runs = list(_BACKTICKS.finditer(line))
    for number in range(len(runs) - 1, -1, -1):
        size = len(runs[number][0])
        if size in closing:
            pairs[number] = (closing[size], runs[number], runs[closing[size]])
        closing[size] = number
    number = 0
    while number < len(runs):
        if number in pairs:
            last, *span = pairs[number]
            yield span[0], span[1]
            number = last
        number += 1


def _block(lines: list[str]) -> MarkdownBlock:
    text = "\n".join(lines)
    heading = len(lines) == 1 and bool(_HEADING.match(text))
    return MarkdownBlock(text, is_heading=heading, is_code=bool(_FENCE.match(text)))


def _visible_lines(block: MarkdownBlock) -> Iterator[str]:
    lines = block.text.split("\n")
    if block.is_code:
        return (" ".join(line.split()) for line in lines if not _FENCE.match(line))
    return _paragraphs([_QUOTE_PREFIX.sub("", line) for line in lines])


def _paragraphs(lines: list[str]) -> Iterator[str]:
    """Join the lines of each paragraph, item and row."""
    paragraph: list[str] = []
    for line in lines:
        if _TABLE_DELIMITER.match(line) or _THEMATIC_BREAK.match(line):
            continue
        if paragraph and any(start.match(line) for start in _LINE_STARTS):
            yield " ".join(paragraph)
            paragraph = []
        paragraph.append(_visible_line(line))
    yield " ".join(part for part in paragraph if part)


def _visible_line(line: str) -> str:
    if _TABLE_ROW.match(line):
        cells = re.split(r"(?<!\\)\|", line.strip().strip("|"))
        texts = (" ".join(without_inline_markup(cell).split()) for cell in cells)
        return " | ".join(text for text in texts if text)
    marker = _LIST_MARKER if _LIST_MARKER.match(line) else _HEADING_MARKERS
    return " ".join(without_inline_markup(marker.sub("", line)).rstrip("\\").split())


def _without_markup(text: str) -> str:
    if "[" in text:
        text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    if "<" in text:
        text = _INLINE_TAG.sub("", _AUTOLINK.sub(r"\1", text))
    if "*" in text or "_" in text or "~" in text:
        text = _EMPHASIS.sub("", text)
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text
