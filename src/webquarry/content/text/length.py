"""How long a text is, and how to shorten it without breaking it."""

import re
from typing import NamedTuple

from webquarry.models.page import SizeCategory

_TARGET = re.compile(r"\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*\)")
_BREAKS = (
    re.compile(r"\n\n+"),
    re.compile(r"(?<=[.!?…])[\"”\u2019)\]]*\s+|(?<=[。\uff01\uff1f])"),
    re.compile(r"\n"),
    re.compile(r"\s+"),
)
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})", re.MULTILINE)
_JOINED = re.compile(
    "[\u0300-\u036f\u200c\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)


class TruncatedText(NamedTuple):
    """A text, shortened or not."""

    text: str
    truncated: bool


def count_words(markdown: str) -> int:
    """Return the number of words a reader sees; link targets are none."""
    from webquarry.content.text.word_count import count_runs  # numpy, which few callers need

    return count_runs(_TARGET.sub("]", markdown) if "](" in markdown else markdown)


def size_category(size: int) -> SizeCategory:
    """Return the band that so many bytes of text are in."""
    if size < 5_000:
        return "small"
    if size < 20_000:
        return "medium"
    return "large" if size < 50_000 else "very_large"


def truncate(text: str, limit: int) -> TruncatedText:
    """Return the longest start of at most `limit` bytes that ends at a paragraph or sentence."""
    if len(text) <= limit and len(text.encode("utf-8", "replace")) <= limit:
        return TruncatedText(text, truncated=False)
    start = text.encode("utf-8", "replace")[: max(limit, 0)].decode("utf-8", "ignore")
    start = text[: len(start)]  # lone surrogates came back as question marks
    kept = start[: _good_end(start, text)].rstrip()
    fence = _open_fence(kept)
    if fence:
        closing = f"\n{fence}"
        room = limit - len(closing)
        while len(kept.encode("utf-8", "replace")) > room and "\n" in kept:
            kept = kept.rpartition("\n")[0]
        if _open_fence(kept) and len(kept.encode("utf-8", "replace")) <= room:
            kept += closing
    return TruncatedText(kept, truncated=True)


def _good_end(start: str, text: str) -> int:
    half = len(start) // 2
    for pattern in _BREAKS:
        ends = [match.start() for match in pattern.finditer(start, half)]
        ends = [end for end in ends if end > half]
        if ends:
            return _outside_link(start, ends[-1])
    end = len(start)
    while 0 < end < len(text) and (_JOINED.match(text[end]) or text[end - 1] == "\u200d"):
        end -= 1
    return end


def _outside_link(start: str, end: int) -> int:
    """Return an end before a link that would be cut in two."""
    opened = start.rfind("[", 0, end)
    if opened < 0 or end - opened > 2000 or "\n\n" in start[opened:end]:
        return end
    link = re.compile(r"!?\[[^\]]*\]\([^)\s]*\)").match(start, opened)
    complete = link is not None and link.end() <= end
    plain = "](" not in start[opened:end] and not start[end:].lstrip()[:40].partition("\n")[
        0
    ].count("](")
    return end if complete or plain else opened


def _open_fence(text: str) -> str:
    """Return the fence of a code block that the text leaves open."""
    fence = ""
    for match in _FENCE.finditer(text):
        if not fence:
            fence = match[1]
        elif match[1].startswith(fence):
            fence = ""
    return fence
