"""Snippets of found pages: the part of a text that has most of the words of a query."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from webquarry.storage.index_terms import is_character, without_accents

_MAX_CHARS = 280
_LEAD = 40  # characters before the first match
_MIN_START = 3  # characters of a word that its other forms share
_MAX_MATCHES = 2_000  # considered in one text
_LINK = re.compile(r"!?\[([^\[\]]*+)\]\([^()\s]*+\)")
_HEADING_MARKS = re.compile(r"^#{1,6}[ \t]++", re.MULTILINE)


def word_pattern(words: Iterable[tuple[str, Sequence[str]]]) -> re.Pattern[str] | None:
    """Return what matches the forms of words, given with their stems; None without words."""
    starts = dict.fromkeys(start for word, stems in words for start in _starts(word, stems))
    if not starts:
        return None
    # the longest first: alternatives are tried in order
    ordered = sorted(starts, key=lambda start: -len(start))
    parts = [re.escape(s) if is_character(s) else rf"\b{re.escape(s)}\w*+" for s in ordered]
    return re.compile("|".join(f"({part})" for part in parts), re.IGNORECASE)


def best_passage(text: str, pattern: re.Pattern[str] | None, max_chars: int = _MAX_CHARS) -> str:
    """Return the part of a text, without line breaks, that has most of the words."""
    full = " ".join(_LINK.sub(r"\1", _HEADING_MARKS.sub("", text)).split())
    if len(full) <= max_chars:
        return full
    position = _best_position(full, pattern, max_chars - 2 * _LEAD) if pattern else 0
    start = 0
    if position > _LEAD:
        # not in the middle of a word, unless words have no end
        gap = full.find(" ", position - _LEAD, position)
        start = gap + 1 if gap >= 0 else position
    cut = full[start : start + max_chars - 2]
    if start + len(cut) < len(full):
        end = cut.rfind(" ", max_chars // 2)
        cut = (cut[:end] if end > 0 else cut).rstrip() + "…"
    return f"…{cut}" if start else cut


def _starts(word: str, stems: Sequence[str]) -> set[str]:
    """Return how the forms of a word begin."""
    plain = without_accents(word.lower())
    shared = {_common_start(plain, stem) for stem in stems}
    return {s if len(s) >= _MIN_START else word.lower() for s in shared}


def _common_start(one: str, other: str) -> str:
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(letter for letter, _ in same)


def _best_position(text: str, pattern: re.Pattern[str], width: int) -> int:
    """Return the first match of the part with most different words, then with most matches."""
    found: list[tuple[int, int]] = []
    for match in pattern.finditer(text):
        found.append((match.start(), match.lastindex or 0))
        if len(found) >= _MAX_MATCHES:
            break
    best, best_score, end = 0, (0, 0), 0
    counts: dict[int, int] = {}
    for index, (start, word) in enumerate(found):
        while end < len(found) and found[end][0] < start + width:
            counts[found[end][1]] = counts.get(found[end][1], 0) + 1
            end += 1
        score = (len(counts), end - index)
        if score > best_score:
            best, best_score = start, score
        counts[word] -= 1
        if not counts[word]:
            del counts[word]
    return best
