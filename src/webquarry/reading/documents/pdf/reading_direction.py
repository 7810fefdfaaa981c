"""The order in which the words of a line are read: left to right, right to left, or both."""

import re
from collections.abc import Sequence
from itertools import groupby

from webquarry.reading.documents.pdf.word_letters import RIGHT_TO_LEFT

_LETTER = re.compile(r"[^\W\d_]")
_RIGHT, _LEFT, _NEUTRAL = "R", "L", "N"  # where the word starts; numbers and marks fit in

_Directed = list[tuple[str, str]]  # words with their directions


def in_reading_order(text: str) -> str:
    """Return the words of a line, given from left to right, in the order in which they are read."""
    if not has_right_to_left(text):
        return text
    words = [(word, _direction(word)) for word in text.split(" ")]
    base = _base(words)
    groups = [
        (direction, [word for word, _ in group])
        for direction, group in groupby(_resolved(words, base), key=_direction_of)
    ]
    ordered = groups if base == _LEFT else groups[::-1]
    parts = (words[::-1] if direction == _RIGHT else words for direction, words in ordered)
    return " ".join(word for part in parts for word in part)


def has_right_to_left(text: str) -> bool:
    """Return whether letters of the text are read from right to left."""
    return not text.isascii() and RIGHT_TO_LEFT.search(text) is not None


def is_right_to_left(texts: Sequence[str]) -> bool:
    """Return whether most of the texts are read from right to left."""
    return 2 * sum(map(has_right_to_left, texts)) > len(texts)


def _direction(word: str) -> str:
    if RIGHT_TO_LEFT.search(word):
        return _RIGHT
    return _LEFT if _LETTER.search(word) else _NEUTRAL


def _direction_of(word: tuple[str, str]) -> str:
    return word[1]


def _base(words: _Directed) -> str:
    """Return the direction of a line: one of its ends tells, or else most of its letters."""
    ends = {words[0][1], words[-1][1]}
    if (_RIGHT in ends) != (_LEFT in ends):
        return _RIGHT if _RIGHT in ends else _LEFT
    right = sum(len(word) for word, direction in words if direction == _RIGHT)
    left = sum(len(word) for word, direction in words if direction == _LEFT)
    return _RIGHT if right >= left else _LEFT


def _resolved(words: _Directed, base: str) -> _Directed:
    """Return the words with numbers and marks in the direction of what is around them."""
    directions = [direction for _, direction in words]
    before = _last_directions(directions, base)
    after = _last_directions(directions[::-1], base)[::-1]
    return [
        (word, left if left == right else base)
        for (word, _), left, right in zip(words, before, after, strict=True)
    ]


def _last_directions(directions: Sequence[str], base: str) -> list[str]:
    """Return for each word its direction, or that of the last word which has one."""
    last = base
    found: list[str] = []
    for direction in directions:
        last = last if direction == _NEUTRAL else direction
        found.append(last)
    return found
