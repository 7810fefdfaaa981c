"""Tells where a reference list ends: text after its last entry is no reference."""

import re
from collections.abc import Sequence
from dataclasses import replace

from webquarry.content.manuscript.manuscript_blocks import ManuscriptBlock
from webquarry.content.manuscript.manuscript_model import Span

YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d[a-z]?\b|\bn\.\s?d\.")
_WORK = re.compile(r"\d|https?:|\bdoi\b|\bin press\b|\bforthcoming\b", re.IGNORECASE)
_MIN_WORDS = 5
_MIN_LOWER = 0.6  # share of words of running text that start with a small letter


def end_of_list(
    text: str, blocks: Sequence[ManuscriptBlock]
) -> tuple[list[ManuscriptBlock], list[ManuscriptBlock]]:
    """Return the blocks of the entries, and those of the text after the last entry."""
    last = next((at for at in range(len(blocks) - 1, -1, -1) if _is_item(blocks[at])), -1)
    pairs = zip(range(1, len(blocks)), blocks, blocks[1:], strict=False)
    ends = (at for at, before, block in pairs if at > last and _follows(text, before, block))
    end = next(ends, len(blocks))
    entries, rest = list(blocks[:end]), list(blocks[end:])
    if entries and (cut := _cut(text, entries)):
        block = entries[-1]
        entries[-1] = replace(block, span=Span(block.span.start, cut))
        after = Span(cut + 1, block.span.end)
        rest.insert(0, ManuscriptBlock("text", after, start=after.start))
    return entries, rest


def continues_entry(text: str, before: Span, span: Span) -> bool:
    """Tell whether a block continues an entry: it is a rest of a sentence, or a link alone."""
    inner = text[span.start : span.end].lstrip("<*_")
    if inner.startswith(("http", "doi:", "www.", "DOI")) or inner[:1].islower():
        return True
    unfinished = not text[before.start : before.end].rstrip(" *_").endswith((".", ")", "/", "]"))
    has_year = bool(YEAR.search(text, before.start, before.end))
    return not has_year or (
        unfinished and not YEAR.search(inner) and "http" not in text[before.start : before.end]
    )


def _follows(text: str, before: ManuscriptBlock, block: ManuscriptBlock) -> bool:
    is_prose = block.kind == "text" and _is_prose(_inner(text, block))
    return is_prose and not continues_entry(text, before.span, block.span)


def _cut(text: str, entries: Sequence[ManuscriptBlock]) -> int:
    """Return where running text starts directly below the last item; 0: nowhere.

    If other entries have several lines, their lines are wrapped, and so may be those of the last.
    """
    block = entries[-1]
    entry, _, below = _inner(text, block).partition("\n")
    is_wrapped = any("\n" in _inner(text, each) for each in entries[:-1])
    if not _is_item(block) or is_wrapped or not _is_prose(below):
        return 0
    is_ended = entry.rstrip("*_ ")[-1:] in (".", ")", "]", "/") or "http" in entry
    return block.span.start + len(entry) if is_ended and YEAR.search(entry) else 0


def _is_item(block: ManuscriptBlock) -> bool:
    return bool(block.label) or block.kind == "item"


def _inner(text: str, block: ManuscriptBlock) -> str:
    return text[block.span.start : block.span.end]


def _is_prose(text: str) -> bool:
    """Tell whether this is a sentence of running text, and no part of a reference."""
    words = text.strip(" *_").split()
    if len(words) < _MIN_WORDS or _WORK.search(text) or not words[0][:1].isupper():
        return False
    lower = sum(word[:1].islower() for word in words)
    return words[-1].endswith((".", "!", "?")) and lower >= _MIN_LOWER * len(words)
