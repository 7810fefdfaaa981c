"""Word count, size category and truncation of Markdown text."""

import re
from bisect import bisect_right
from typing import NamedTuple

from webquarry.models.page import SizeCategory

_LINK_TARGET = re.compile(r"\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*\)")
_LINK = re.compile(r"!?\[[^\]]*\]\([^)\s]*\)")
_BREAKS = (
    re.compile(r"\n\n+"),
    re.compile(r"(?<=[.!?…])[\"”\u2019)\]]*\s+|(?<=[。\uff01\uff1f])"),
    re.compile(r"\n"),
    re.compile(r"\s+"),
)
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})", re.MULTILINE)
_COMBINING = re.compile(
    "[\u0300-\u036f\u200c\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)


_SIZES: tuple[SizeCategory, ...] = ("small", "medium", "large", "very_large")
_SIZE_LIMITS = (5_000, 20_000, 50_000)


class TruncatedText(NamedTuple):
    """A text, and whether it was cut."""

    text: str
    truncated: bool


def count_words(markdown: str) -> int:
    """Return the number of visible words; link targets do not count."""
    # imported here because it loads numpy
    from webquarry.content.text.word_count import count_plain_words

    return count_plain_words(_LINK_TARGET.sub("]", markdown) if "](" in markdown else markdown)


def size_category(size: int) -> SizeCategory:
    """Return the category of a text of `size` bytes."""
    return _SIZES[bisect_right(_SIZE_LIMITS, size)]


def truncate(text: str, limit: int) -> TruncatedText:
    """Return the longest start of at most `limit` bytes that ends at a paragraph or sentence."""
    if len(text) <= limit and len(text.encode("utf-8", "replace")) <= limit:
        return TruncatedText(text, truncated=False)
    start = text.encode("utf-8", "replace")[: max(limit, 0)].decode("utf-8", "ignore")
    start = text[: len(start)]  # encoding replaced lone surrogates by question marks
    cut = start[: _break_position(start, text)].rstrip()
    return TruncatedText(_with_closed_fence(cut, limit), truncated=True)


def _with_closed_fence(text: str, limit: int) -> str:
    """Close a code block that the text leaves open, dropping lines to stay within `limit`."""
    fence = _open_fence(text)
    if not fence:
        return text
    closing = f"\n{fence}"
    room = limit - len(closing)
    while len(text.encode("utf-8", "replace")) > room and "\n" in text:
        text = text.rpartition("\n")[0]
    fits = len(text.encode("utf-8", "replace")) <= room
    return text + closing if _open_fence(text) and fits else text


def _break_position(start: str, text: str) -> int:
    half = len(start) // 2
    for pattern in _BREAKS:
        end = max((match.start() for match in pattern.finditer(start, half)), default=0)
        if end > half:
            return _before_link(start, end)
    end = len(start)
    while 0 < end < len(text) and (_COMBINING.match(text[end]) or text[end - 1] == "\u200d"):
        end -= 1
    return end


def _before_link(start: str, end: int) -> int:
    """Return `end`, or the start of a link that would be cut there."""
    opened = start.rfind("[", 0, end)
    if opened < 0 or end - opened > 2000 or "\n\n" in start[opened:end]:
        return end
    link = _LINK.match(start, opened)
    is_complete = link is not None and link.end() <= end
    rest_of_line = start[end:].lstrip()[:40].partition("\n")[0]
    is_link = "](" in start[opened:end] or "](" in rest_of_line
    return opened if is_link and not is_complete else end


def _open_fence(text: str) -> str:
    """Return the fence of a code block that the text leaves open."""
    fence = ""
    for match in _FENCE.finditer(text):
        if not fence:
            fence = match[1]
        elif match[1].startswith(fence):
            fence = ""
    return fence
